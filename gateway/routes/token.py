"""What the caller's own credential permits."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from foldtable.platform.v1.platform_service_pb2 import DescribeCredentialRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts, Platform
from gateway.http.answers import json_answer
from gateway.openapi.operation import Operation, answer
from gateway.schemas.accounts import Credential
from gateway.translate import account_messages

router = APIRouter(tags=["accounts"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/v1/token",
    operation_id="getToken",
    summary="Describe the caller's credential",
    responses={200: answer("The credential.", Credential)},
)
async def get_token(platform: Platform, gateway: GatewayParts, request: Request) -> Response:
    """Return what the credential of this request permits, when it expires, and its rate limits.

    A credential that is not valid, or was revoked, is refused with 401.
    """
    described = await platform.read(platform.accounts.DescribeCredential, DescribeCredentialRequest())
    gateway.admission.learn(request, 200)  # so that the response shows the credential's own buckets
    return json_answer(account_messages.credential(described.credential, gateway.admission.standing(request)))

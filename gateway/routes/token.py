"""What the caller's own credential is good for."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from foldtable.platform.v1.platform_service_pb2 import DescribeCredentialRequest
from gateway import account_messages
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.json_answers import json_answer
from gateway.platform_client import call_platform
from gateway.queries import read_query
from gateway.schemas.accounts import Credential
from gateway.schemas.requests import NoQuery


async def get_token(request: Request) -> Response:
    """Say what the credential of this request is good for, until when, and how often.

    A credential that is not valid, or was revoked, is refused with 401.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    described = await call_platform(
        gateway.platform.stub.DescribeCredential,
        DescribeCredentialRequest(),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    gateway.admission.learn(request, 200)  # so that the buckets told are the credential's own
    return json_answer(account_messages.credential(described.credential, gateway.admission.standing(request)))


ROUTES: Final = (
    documented(
        "GET",
        "/v1/token",
        get_token,
        operation_id="getToken",
        summary="What may I do",
        tag="accounts",
        answers={200: Answer(description="The credential.", shape=Credential)},
        problems=(400,),
    ),
)

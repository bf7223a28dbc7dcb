"""API keys: issued, listed, replaced, revoked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Body, Query
from starlette.responses import Response

from foldtable.platform.v1 import platform_service_pb2 as pb
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import Platform
from gateway.headers import NO_STORE
from gateway.http.answers import json_answer
from gateway.http.moments import timestamp
from gateway.http.path_parameters import KeyId, Tenant
from gateway.openapi.operation import Operation, answer, problems
from gateway.problems.document import malformed
from gateway.schemas import accounts
from gateway.schemas.inputs import PageQuery
from gateway.translate import account_messages

router = APIRouter(tags=["accounts"], route_class=Operation, dependencies=[counted_for(Bucket.ADMIN)])


@router.post(
    "/v1/tenants/{tenant}/keys",
    operation_id="createKey",
    summary="Issue an API key",
    status_code=201,
    responses={201: answer("The key.", accounts.IssuedKey), **problems(403, 404)},
)
async def create_key(
    platform: Platform,
    tenant: Tenant,
    body: Annotated[
        accounts.CreateKeyRequest,
        Body(openapi_examples={"a_platform": {"value": {"scopes": ["matches:write"], "label": "lobby"}}}),
    ],
) -> Response:
    """Issue an API key. The response shows the key itself only this once; the key is not stored.

    Scope `keys:write` for the caller's own tenant, and only with scopes that the caller's key has; or `tenants:admin`.
    """
    if body.expires_at is not None and body.expires_at <= datetime.now(UTC):
        raise malformed("must lie in the future", code="OUT_OF_RANGE", pointer="/expires_at")
    issued = await platform.write(
        platform.accounts.CreateKey,
        account_messages.create_key(
            body,
            tenant=tenant,
            expire_time=None
            if body.expires_at is None
            else timestamp(body.expires_at.replace(microsecond=0), pointer="/expires_at"),
        ),
    )
    return json_answer(account_messages.issued_key(issued), 201)


@router.get(
    "/v1/tenants/{tenant}/keys",
    operation_id="listKeys",
    summary="List a tenant's API keys",
    responses={200: answer("A page of keys.", accounts.ApiKeyList), **problems(403, 404)},
)
async def list_keys(platform: Platform, tenant: Tenant, query: Annotated[PageQuery, Query()]) -> Response:
    """List a tenant's API keys, oldest first, including expired and revoked ones. Scopes as for issuing one."""
    page = await platform.read(platform.accounts.ListKeys, account_messages.list_keys(query, tenant=tenant))
    return json_answer(account_messages.api_key_list(page))


@router.post(
    "/v1/keys/{key_id}/rotate",
    operation_id="rotateKey",
    summary="Replace an API key",
    status_code=201,
    responses={201: answer("The new key, and the old one.", accounts.RotatedKey), **problems(403, 404, 409)},
)
async def rotate_key(
    platform: Platform,
    key_id: KeyId,
    body: Annotated[
        accounts.RotateKeyRequest, Body(openapi_examples={"at_once": {"value": {"grace_seconds": 0}}})
    ] = accounts.RotateKeyRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Issue a key that replaces another one, with the same label, scopes and lifetime. The old key stays valid for a while.

    Scopes as for issuing one.
    """
    rotated = await platform.write(
        platform.accounts.RotateKey, account_messages.rotate_key(body, key_id=key_id)
    )
    return json_answer(account_messages.rotated_key(rotated), 201)


@router.delete(
    "/v1/keys/{key_id}",
    operation_id="revokeKey",
    summary="Revoke an API key",
    status_code=204,
    responses={204: answer("It is revoked."), **problems(403, 404)},
)
async def revoke_key(platform: Platform, key_id: KeyId) -> Response:
    """Revoke an API key permanently. It takes effect everywhere within ten seconds. Revoking a key twice is no error.

    Scopes as for issuing one.
    """
    await platform.write(platform.accounts.RevokeKey, pb.RevokeKeyRequest(key_id=key_id), in_query=True)
    return Response(status_code=204, headers=NO_STORE)

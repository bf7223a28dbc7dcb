"""API keys: issued, listed, replaced, revoked."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

import msgspec
from google.protobuf.duration_pb2 import Duration
from starlette.requests import Request
from starlette.responses import Response

from foldtable.platform.v1 import platform_service_pb2 as pb
from gateway import account_messages
from gateway.bodies import read_json
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.json_answers import NO_STORE, json_answer
from gateway.moments import timestamp
from gateway.platform_client import call_platform
from gateway.problem_documents import ProblemError, malformed
from gateway.queries import read_query
from gateway.rate_limits import Bucket
from gateway.schemas import accounts
from gateway.schemas.requests import NoQuery

_TENANT: Final = re.compile(r"[a-z][a-z0-9_-]{0,62}")
_KEY_ID: Final = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_CREATE: Final = msgspec.json.Decoder(accounts.CreateKeyRequest)
_ROTATE: Final = msgspec.json.Decoder(accounts.RotateKeyRequest)


async def create_key(request: Request) -> Response:
    """Issue an API key. The key itself is told here only, and kept nowhere.

    Scope `keys:write` for the own tenant, and never with a scope the caller's key lacks; or `tenants:admin`.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    tenant = _tenant(request)
    body = await read_json(request, _CREATE)
    if body.expires_at is not None and body.expires_at <= datetime.now(UTC):
        raise malformed("must lie in the future", code="OUT_OF_RANGE", pointer="/expires_at")
    issued = await call_platform(
        gateway.platform.stub.CreateKey,
        pb.CreateKeyRequest(
            tenant=tenant,
            label=body.label,
            scopes=body.scopes,
            expire_time=None
            if body.expires_at is None
            else timestamp(body.expires_at.replace(microsecond=0), pointer="/expires_at"),
            environment=body.environment,
        ),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    return json_answer(
        accounts.IssuedKey(key=account_messages.api_key(issued.key), secret=issued.secret), 201
    )


async def list_keys(request: Request) -> Response:
    """List a tenant's API keys, oldest first, those of the past included. Scopes as for creating one."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    query = read_query(request, accounts.PageQuery)
    page = await call_platform(
        gateway.platform.stub.ListKeys,
        pb.ListKeysRequest(tenant=_tenant(request), page_size=query.page_size, page_token=query.page_token),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    keys = [account_messages.api_key(key) for key in page.keys]
    return json_answer(accounts.ApiKeyList(keys=keys, next_page_token=page.next_page_token))


async def rotate_key(request: Request) -> Response:
    """Issue a key in place of another one, with its label and scopes and as long a life; the old one goes on for a while.

    Scopes as for creating one.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    key_id = _key_id(request)
    body = await read_json(request, _ROTATE, optional=True)
    rotated = await call_platform(
        gateway.platform.stub.RotateKey,
        pb.RotateKeyRequest(
            key_id=key_id,
            grace=None if body.grace_seconds is None else Duration(seconds=body.grace_seconds),
        ),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    answer = accounts.RotatedKey(
        key=account_messages.api_key(rotated.key),
        secret=rotated.secret,
        replaced=account_messages.api_key(rotated.replaced),
    )
    return json_answer(answer, 201)


async def revoke_key(request: Request) -> Response:
    """Revoke an API key for good, within ten seconds everywhere; a repeat is no error. Scopes as for creating one."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    await call_platform(
        gateway.platform.stub.RevokeKey,
        pb.RevokeKeyRequest(key_id=_key_id(request)),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    return Response(status_code=204, headers=NO_STORE)


def _tenant(request: Request) -> str:
    """Give the tenant a path names. What cannot be one is told like one that does not exist."""
    value: str = request.path_params["tenant"]
    if _TENANT.fullmatch(value) is None:
        raise ProblemError("TENANT_NOT_FOUND", "there is no such tenant")
    return value


def _key_id(request: Request) -> str:
    """Give the key a path names, as above."""
    value: str = request.path_params["key_id"]
    if _KEY_ID.fullmatch(value) is None:
        raise ProblemError("KEY_NOT_FOUND", "there is no such key")
    return value


_BODY_PROBLEMS: Final = (400, 403, 404, 413, 415)

ROUTES: Final = (
    documented(
        "POST",
        "/v1/tenants/{tenant}/keys",
        create_key,
        operation_id="createKey",
        summary="Issue an API key",
        tag="accounts",
        body=accounts.CreateKeyRequest,
        body_examples={"a_platform": {"scopes": ["matches:write"], "label": "lobby"}},
        answers={201: Answer(description="The key.", shape=accounts.IssuedKey)},
        problems=_BODY_PROBLEMS,
        bucket=Bucket.ADMIN,
    ),
    documented(
        "GET",
        "/v1/tenants/{tenant}/keys",
        list_keys,
        operation_id="listKeys",
        summary="List a tenant's API keys",
        tag="accounts",
        query=accounts.PageQuery,
        answers={200: Answer(description="A page of keys.", shape=accounts.ApiKeyList)},
        problems=(400, 403, 404),
        bucket=Bucket.ADMIN,
    ),
    documented(
        "POST",
        "/v1/keys/{key_id}/rotate",
        rotate_key,
        operation_id="rotateKey",
        summary="Replace an API key",
        tag="accounts",
        body=accounts.RotateKeyRequest,
        body_required=False,
        body_examples={"at_once": {"grace_seconds": 0}},
        answers={201: Answer(description="The new key, and the old one.", shape=accounts.RotatedKey)},
        problems=(*_BODY_PROBLEMS, 409),
        bucket=Bucket.ADMIN,
    ),
    documented(
        "DELETE",
        "/v1/keys/{key_id}",
        revoke_key,
        operation_id="revokeKey",
        summary="Revoke an API key",
        tag="accounts",
        answers={204: Answer(description="It is revoked.")},
        problems=(400, 403, 404),
        bucket=Bucket.ADMIN,
    ),
)

"""API keys over the API: a tenant administers its own keys, the operator those of all tenants."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import structlog
from google.protobuf.timestamp_pb2 import Timestamp

from foldtable.platform.v1 import platform_service_pb2 as pb
from services.identity.administration import administers, key_administrator, may_grant
from services.identity.api_keys import (
    DEFAULT_GRACE,
    ApiKey,
    KeyInactive,
    KeyUnknown,
    find_key,
    issue_key,
    list_keys,
    revoke_key,
    rotate_key,
)
from services.identity.callers import AnyCaller, TenantCaller
from services.identity.key_format import ENVIRONMENT
from services.identity.scopes import read_scopes
from services.identity.tenants import tenant_exists
from services.platform.accounts.messages import key_message
from services.postgres.database import Connection, Pool, connected
from services.process.bounds import MAX_KEY_GRACE, MAX_LABEL
from services.process.reasons import Reason
from services.rpc.cursors import cursor, not_a_cursor, page_size, read_cursor
from services.rpc.free_text import read_text
from services.rpc.refusals import Refused, malformed
from services.rpc.times import moment, span

LIVE: Final = "live"
_log: Final = structlog.get_logger("foldtable.platform")


class KeyAdministration:
    """Issues, lists, replaces and revokes keys. Every change is logged with the id of the caller's key, but never a key itself."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def create(self, caller: AnyCaller, request: pb.CreateKeyRequest) -> pb.CreateKeyResponse:
        """Issue a key with no more scopes than the caller has; the operator may grant any."""
        by = key_administrator(caller)
        try:
            scopes = read_scopes(request.scopes)
        except ValueError as problem:
            raise malformed("$.scopes", f"cannot be: {problem}") from None
        expires_at = _end(request.expire_time) if request.HasField("expire_time") else None
        environment = request.environment or LIVE
        if ENVIRONMENT.fullmatch(environment) is None:
            raise malformed("$.environment", "must be 2 to 8 lower-case letters, such as live, test, dev")
        label = read_text(request.label, "$.label", MAX_LABEL)
        async with self._of_tenant(by, request.tenant) as connection:
            may_grant(by, scopes)
            key, secret = await issue_key(
                connection,
                request.tenant,
                scopes,
                environment=environment,
                label=label,
                expires_at=expires_at,
            )
        _log.info("key issued", key=str(key.id), tenant=key.tenant, by=str(by.key_id))
        return pb.CreateKeyResponse(key=key_message(key), secret=secret)

    async def list(self, caller: AnyCaller, request: pb.ListKeysRequest) -> pb.ListKeysResponse:
        """Return a page of a tenant's keys."""
        by = key_administrator(caller)
        size, question = page_size(request.page_size), ("keys", request.tenant)
        after = _place(read_cursor(request.page_token, question)) if request.page_token else None
        async with self._of_tenant(by, request.tenant) as connection:
            found = await list_keys(connection, request.tenant, after=after, limit=size + 1)
        last = found[size - 1] if len(found) > size else None
        more = "" if last is None else cursor(f"{last.created_at.isoformat()} {last.id}", question)
        return pb.ListKeysResponse(keys=map(key_message, found[:size]), next_page_token=more)

    async def rotate(self, caller: AnyCaller, request: pb.RotateKeyRequest) -> pb.RotateKeyResponse:
        """Issue a key that replaces another. Raises Refused KEY_NOT_FOUND if there is none, KEY_INACTIVE if it is no longer valid."""
        by = key_administrator(caller)
        grace = (
            span(request.grace, "$.grace", most=MAX_KEY_GRACE) if request.HasField("grace") else DEFAULT_GRACE
        )
        async with self._of_key(by, request.key_id) as (connection, key):
            may_grant(by, key.scopes)
            try:
                new, secret, old = await rotate_key(connection, key.id, grace=grace)
            except KeyInactive as problem:
                raise Refused(Reason.KEY_INACTIVE, str(problem)) from None
        _log.info("key replaced", key=str(old.id), new=str(new.id), tenant=new.tenant, by=str(by.key_id))
        return pb.RotateKeyResponse(key=key_message(new), secret=secret, replaced=key_message(old))

    async def revoke(self, caller: AnyCaller, request: pb.RevokeKeyRequest) -> pb.RevokeKeyResponse:
        """Revoke a key. Raises Refused KEY_NOT_FOUND if there is none."""
        by = key_administrator(caller)
        async with self._of_key(by, request.key_id) as (connection, key):
            revoked = await revoke_key(connection, key.id)
        _log.info("key revoked", key=str(revoked.id), tenant=revoked.tenant, by=str(by.key_id))
        return pb.RevokeKeyResponse(key=key_message(revoked))

    @asynccontextmanager
    async def _of_tenant(self, by: TenantCaller, tenant: str) -> AsyncIterator[Connection]:
        """Yield a connection for work on a tenant's keys; a tenant that the caller may not administer is refused like an unknown one."""
        async with connected(self._pool) as connection:
            if not administers(by, tenant) or not await tenant_exists(connection, tenant):
                raise Refused(Reason.TENANT_NOT_FOUND, "there is no such tenant")
            yield connection

    @asynccontextmanager
    async def _of_key(self, by: TenantCaller, key_id: str) -> AsyncIterator[tuple[Connection, ApiKey]]:
        """Yield a connection and a key to work on; another tenant's key is refused like an unknown one."""
        not_found = Refused(Reason.KEY_NOT_FOUND, "there is no such key")
        async with connected(self._pool) as connection:
            try:
                key = await find_key(connection, UUID(key_id))
            except (ValueError, KeyUnknown):
                raise not_found from None
            if not administers(by, key.tenant):
                raise not_found
            yield connection, key


def _end(stamp: Timestamp) -> datetime:
    end = moment(stamp, "$.expire_time")
    if end <= datetime.now(UTC):
        raise malformed("$.expire_time", "must lie in the future")
    return end


def _place(position: str) -> tuple[datetime, UUID]:
    created_at, _, key_id = position.partition(" ")
    try:
        return datetime.fromisoformat(created_at), UUID(key_id)
    except ValueError:
        raise not_a_cursor() from None

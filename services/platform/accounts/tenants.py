"""Tenants over the API: the operator creates and lists them, a tenant changes its own settings."""

from __future__ import annotations

from typing import Final

import structlog

from foldtable.platform.v1 import platform_service_pb2 as pb
from services.identity.administration import operator_only, scope_missing, with_key
from services.identity.callers import AnyCaller, TenantCaller
from services.identity.scopes import Scope
from services.identity.tenants import create_tenant, find_tenant, list_tenants, update_tenant
from services.platform.accounts.messages import tenant_message
from services.postgres.database import Pool, connected
from services.process.bounds import MAX_VACATION_DAYS
from services.process.reasons import Reason
from services.rpc.cursors import cursor, page_size, read_cursor
from services.rpc.refusals import Refused, malformed

_LISTING: Final = ("tenants",)
_log: Final = structlog.get_logger("foldtable.platform")


class TenantAdministration:
    """Creates and lists tenants, and changes their settings."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def create(self, caller: AnyCaller, request: pb.CreateTenantRequest) -> pb.CreateTenantResponse:
        """Create a tenant. Raises Refused TENANT_EXISTS if the id is taken."""
        operator = operator_only(caller)
        try:
            async with connected(self._pool) as connection:
                tenant = await create_tenant(connection, request.tenant)
        except ValueError as problem:
            raise malformed("$.tenant", f"cannot be one: {problem}") from None
        if tenant is None:
            raise Refused(Reason.TENANT_EXISTS, f"there is a tenant {request.tenant} already")
        _log.info("tenant created", tenant=tenant.id, by=str(operator.key_id))
        return pb.CreateTenantResponse(tenant=tenant_message(tenant))

    async def list(self, caller: AnyCaller, request: pb.ListTenantsRequest) -> pb.ListTenantsResponse:
        """Return a page of tenants."""
        operator_only(caller)
        size = page_size(request.page_size)
        after = read_cursor(request.page_token, _LISTING) if request.page_token else ""
        async with connected(self._pool) as connection:
            found = await list_tenants(connection, after=after, limit=size + 1)
        more = cursor(found[size - 1].id, _LISTING) if len(found) > size else ""
        return pb.ListTenantsResponse(tenants=map(tenant_message, found[:size]), next_page_token=more)

    async def get(self, caller: AnyCaller, _request: pb.GetTenantRequest) -> pb.GetTenantResponse:
        """Return the caller's own tenant."""
        by = _writer(caller)
        async with connected(self._pool) as connection:
            return pb.GetTenantResponse(tenant=tenant_message(await find_tenant(connection, by.tenant)))

    async def update(self, caller: AnyCaller, request: pb.UpdateTenantRequest) -> pb.UpdateTenantResponse:
        """Change the settings of the caller's own tenant."""
        by = _writer(caller)
        anonymous = request.anonymous_read if request.HasField("anonymous_read") else None
        days = request.vacation_days if request.HasField("vacation_days") else None
        if days is not None and not 0 <= days <= MAX_VACATION_DAYS:
            raise malformed("$.vacation_days", f"must be from 0 to {MAX_VACATION_DAYS}")
        async with connected(self._pool) as connection:
            tenant = await update_tenant(connection, by.tenant, anonymous_read=anonymous, vacation_days=days)
        _log.info(
            "tenant changed",
            tenant=tenant.id,
            anonymous_read=tenant.anonymous_read,
            vacation_days=tenant.vacation_days,
            by=str(by.key_id),
        )
        return pb.UpdateTenantResponse(tenant=tenant_message(tenant))


def _writer(caller: AnyCaller) -> TenantCaller:
    """Return the caller. Raises Refused unless its key may do everything with its tenant's matches."""
    tenant = with_key(caller)
    if Scope.MATCHES_WRITE not in tenant.scopes:
        raise scope_missing(Scope.MATCHES_WRITE)
    return tenant

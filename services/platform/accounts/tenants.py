"""Tenants over the API: for the operator only."""

from __future__ import annotations

from typing import Final

import structlog

from foldtable.platform.v1 import platform_service_pb2 as pb
from services.identity.administration import operator_only
from services.identity.callers import Caller
from services.identity.tenants import create_tenant, list_tenants
from services.platform.accounts.messages import tenant_message
from services.postgres.database import Pool, connected
from services.rpc.cursors import cursor, page_size, read_cursor
from services.rpc.refusals import Reason, Refused, malformed

_LISTING: Final = ("tenants",)
_log: Final = structlog.get_logger("foldtable.platform")


class TenantAdministration:
    """Creates and lists tenants."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def create(self, caller: Caller, request: pb.CreateTenantRequest) -> pb.CreateTenantResponse:
        """Create a tenant. Raise Refused TENANT_EXISTS if the id is taken."""
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

    async def list(self, caller: Caller, request: pb.ListTenantsRequest) -> pb.ListTenantsResponse:
        """Return a page of tenants."""
        operator_only(caller)
        size = page_size(request.page_size)
        after = read_cursor(request.page_token, _LISTING) if request.page_token else ""
        async with connected(self._pool) as connection:
            found = await list_tenants(connection, after=after, limit=size + 1)
        more = cursor(found[size - 1].id, _LISTING) if len(found) > size else ""
        return pb.ListTenantsResponse(tenants=map(tenant_message, found[:size]), next_page_token=more)

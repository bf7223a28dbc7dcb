"""Webhook endpoints over the API: a tenant administers its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

import structlog

from foldtable.platform.v1 import webhook_service_pb2 as pb
from services.identity.administration import scope_missing, with_key
from services.identity.callers import AnyCaller, TenantCaller
from services.identity.scopes import Scope
from services.movelog.events import EventType
from services.postgres.database import Connection, Pool, connected
from services.process.bounds import MAX_LABEL, MAX_SECRET_GRACE
from services.process.reasons import Reason
from services.rpc.free_text import read_text
from services.rpc.refusals import Refused, malformed
from services.rpc.times import span
from services.webhooks.api.messages import endpoint_message
from services.webhooks.endpoint_changes import (
    DEFAULT_GRACE,
    TooManyEndpoints,
    create_endpoint,
    delete_endpoint,
    rotate_secret,
    update_endpoint,
)
from services.webhooks.endpoints import Endpoint, EndpointUnknown, find_endpoint, list_endpoints
from services.webhooks.urls import check_url
from services.webhooks.vault import Vault

_log: Final = structlog.get_logger("foldtable.platform")


class WebhookAdministration:
    """Creates, shows, changes and deletes endpoints. Every change is logged, but never a secret or a URL, which may contain one."""

    def __init__(self, pool: Pool, vault: Vault, *, loopback: bool) -> None:
        """`loopback`, for development, permits endpoints on this machine."""
        self._pool = pool
        self._vault = vault
        self._loopback = loopback

    async def create(self, caller: AnyCaller, request: pb.CreateEndpointRequest) -> pb.CreateEndpointResponse:
        """Create an endpoint. Raises Refused TOO_MANY_ENDPOINTS if the tenant has as many as it may."""
        by = webhook_administrator(caller)
        self._check(request.url)
        description = read_text(request.description, "$.description", MAX_LABEL)
        types = read_types(request.event_types)
        if not types:
            raise malformed("$.event_types", "must name at least one type")
        try:
            async with connected(self._pool) as connection:
                endpoint, secret = await create_endpoint(
                    connection,
                    self._vault,
                    by.tenant,
                    request.url,
                    types,
                    description=description,
                )
        except TooManyEndpoints as problem:
            raise Refused(Reason.TOO_MANY_ENDPOINTS, str(problem)) from None
        _log.info("endpoint created", endpoint=str(endpoint.id), tenant=by.tenant, by=str(by.key_id))
        return pb.CreateEndpointResponse(endpoint=endpoint_message(endpoint), secret=secret)

    async def list(self, caller: AnyCaller, _request: pb.ListEndpointsRequest) -> pb.ListEndpointsResponse:
        """Return the tenant's endpoints."""
        by = webhook_administrator(caller)
        async with connected(self._pool) as connection:
            found = await list_endpoints(connection, by.tenant)
        return pb.ListEndpointsResponse(endpoints=map(endpoint_message, found))

    async def get(self, caller: AnyCaller, request: pb.GetEndpointRequest) -> pb.GetEndpointResponse:
        """Return an endpoint."""
        async with endpoint_of(self._pool, caller, request.endpoint_id) as (_, endpoint):
            return pb.GetEndpointResponse(endpoint=endpoint_message(endpoint))

    async def update(self, caller: AnyCaller, request: pb.UpdateEndpointRequest) -> pb.UpdateEndpointResponse:
        """Change an endpoint."""
        url = request.url if request.HasField("url") else None
        description = request.description if request.HasField("description") else None
        types = read_types(request.event_types.names) if request.HasField("event_types") else None
        async with endpoint_of(self._pool, caller, request.endpoint_id) as (connection, endpoint):
            self._check(url)
            if description is not None:
                description = read_text(description, "$.description", MAX_LABEL)
            if types is not None and not types:
                raise malformed("$.event_types", "must name at least one type")
            changed = await update_endpoint(
                connection,
                endpoint.tenant,
                endpoint.id,
                url=url,
                types=types,
                description=description,
                enabled=request.enabled if request.HasField("enabled") else None,
            )
        _log.info("endpoint changed", endpoint=str(changed.id), tenant=changed.tenant, state=changed.state)
        return pb.UpdateEndpointResponse(endpoint=endpoint_message(changed))

    async def delete(self, caller: AnyCaller, request: pb.DeleteEndpointRequest) -> pb.DeleteEndpointResponse:
        """Delete an endpoint."""
        async with endpoint_of(self._pool, caller, request.endpoint_id) as (connection, endpoint):
            await delete_endpoint(connection, endpoint.tenant, endpoint.id)
        _log.info("endpoint deleted", endpoint=str(endpoint.id), tenant=endpoint.tenant)
        return pb.DeleteEndpointResponse()

    async def rotate(
        self, caller: AnyCaller, request: pb.RotateEndpointSecretRequest
    ) -> pb.RotateEndpointSecretResponse:
        """Replace an endpoint's secret."""
        grace = (
            span(request.grace, "$.grace", most=MAX_SECRET_GRACE)
            if request.HasField("grace")
            else DEFAULT_GRACE
        )
        async with endpoint_of(self._pool, caller, request.endpoint_id) as (connection, endpoint):
            changed, secret = await rotate_secret(
                connection, self._vault, endpoint.tenant, endpoint.id, grace=grace
            )
        _log.info("endpoint secret replaced", endpoint=str(endpoint.id), tenant=endpoint.tenant)
        return pb.RotateEndpointSecretResponse(endpoint=endpoint_message(changed), secret=secret)

    def _check(self, url: str | None) -> None:
        if url is not None:
            try:
                check_url(url, loopback=self._loopback)
            except ValueError as problem:
                raise malformed("$.url", str(problem)) from None


def webhook_administrator(caller: AnyCaller) -> TenantCaller:
    """Return the caller. Raises Refused unless it has an API key with the scope `webhooks:write`."""
    tenant = with_key(caller)
    if Scope.WEBHOOKS_WRITE not in tenant.scopes:
        raise scope_missing(Scope.WEBHOOKS_WRITE)
    return tenant


def read_types(names: Sequence[str]) -> frozenset[EventType]:
    """Return event types by their names. Raises Refused if one is unknown."""
    known = {kind.value for kind in EventType}
    if any(name not in known for name in names):
        raise malformed("$.event_types", f"may name {', '.join(sorted(known))}")
    return frozenset(map(EventType, names))


@asynccontextmanager
async def endpoint_of(
    pool: Pool, caller: AnyCaller, endpoint_id: str
) -> AsyncIterator[tuple[Connection, Endpoint]]:
    """Yield a connection and an endpoint to work on; another tenant's endpoint is refused like an unknown one."""
    by = webhook_administrator(caller)
    not_found = Refused(Reason.ENDPOINT_NOT_FOUND, "there is no such endpoint")
    async with connected(pool) as connection:
        try:
            endpoint = await find_endpoint(connection, by.tenant, UUID(endpoint_id))
        except (ValueError, EndpointUnknown):
            raise not_found from None
        try:
            yield connection, endpoint
        except EndpointUnknown:  # it was deleted meanwhile
            raise not_found from None

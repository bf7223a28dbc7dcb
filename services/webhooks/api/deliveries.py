"""Deliveries over the API: a tenant lists them, sends them again, and sends test events."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import structlog

from foldtable.platform.v1 import webhook_pb2
from foldtable.platform.v1 import webhook_service_pb2 as pb
from services.identity.callers import AnyCaller
from services.postgres.database import Connection, Pool
from services.process.reasons import Reason
from services.rpc.cursors import cursor, not_a_cursor, page_size, read_cursor
from services.rpc.enums import members_of
from services.rpc.refusals import Refused, malformed
from services.rpc.times import moment
from services.webhooks.api.endpoints import endpoint_of
from services.webhooks.api.messages import delivery_message
from services.webhooks.deliveries import (
    NEWEST,
    DeliveryState,
    DeliveryUnknown,
    list_deliveries,
    resend_one,
    resend_range,
    send_test,
)
from services.webhooks.endpoints import Endpoint, EndpointState

_STATES: Final = members_of(DeliveryState, webhook_pb2.DeliveryState.DESCRIPTOR)
_log: Final = structlog.get_logger("foldtable.platform")


class DeliveryAdministration:
    """Lists deliveries, sends them again, and sends test events."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def list(self, caller: AnyCaller, request: pb.ListDeliveriesRequest) -> pb.ListDeliveriesResponse:
        """Return a page of an endpoint's deliveries."""
        size = page_size(request.page_size)
        state = _state(request.state)
        question = ("deliveries", request.endpoint_id, request.state)
        before = _number(read_cursor(request.page_token, question)) if request.page_token else NEWEST
        async with endpoint_of(self._pool, caller, request.endpoint_id) as (connection, endpoint):
            found = await list_deliveries(connection, endpoint.id, state=state, before=before, limit=size + 1)
        more = cursor(str(found[size - 1].number), question) if len(found) > size else ""
        return pb.ListDeliveriesResponse(deliveries=map(delivery_message, found[:size]), next_page_token=more)

    async def test(self, caller: AnyCaller, request: pb.TestEndpointRequest) -> pb.TestEndpointResponse:
        """Send a test event. Raises Refused ENDPOINT_DISABLED if the endpoint is not enabled."""
        async with endpoint_of(self._pool, caller, request.endpoint_id) as (connection, endpoint):
            _must_be_enabled(endpoint)
            delivery = await send_test(connection, endpoint)
        return pb.TestEndpointResponse(delivery=delivery_message(delivery))

    async def resend(
        self, caller: AnyCaller, request: pb.ResendDeliveriesRequest
    ) -> pb.ResendDeliveriesResponse:
        """Send one event or a period's events again.

        Raises Refused ENDPOINT_DISABLED if the endpoint is not enabled, DELIVERY_NOT_FOUND for an event it was never sent.
        """
        async with endpoint_of(self._pool, caller, request.endpoint_id) as (connection, endpoint):
            _must_be_enabled(endpoint)
            count = await _resend(connection, endpoint, request)
        _log.info("deliveries sent again", endpoint=str(endpoint.id), tenant=endpoint.tenant, count=count)
        return pb.ResendDeliveriesResponse(count=count)


async def _resend(connection: Connection, endpoint: Endpoint, request: pb.ResendDeliveriesRequest) -> int:
    if request.event_id:
        try:
            await resend_one(connection, endpoint, UUID(request.event_id))
        except (ValueError, DeliveryUnknown):
            raise Refused(
                Reason.DELIVERY_NOT_FOUND, "no such event was sent to this endpoint, or it is forgotten"
            ) from None
        return 1
    if not request.HasField("since_time"):
        raise malformed("$.since_time", "is missing; or name one event")
    since = moment(request.since_time, "$.since_time")
    until = moment(request.until_time, "$.until_time") if request.HasField("until_time") else None
    return await resend_range(connection, endpoint, since, until, failed_only=request.failed_only)


def _must_be_enabled(endpoint: Endpoint) -> None:
    if endpoint.state is not EndpointState.ENABLED:
        raise Refused(Reason.ENDPOINT_DISABLED, "the endpoint is disabled; enable it first")


def _state(message: int) -> DeliveryState | None:
    if message == webhook_pb2.DELIVERY_STATE_UNSPECIFIED:
        return None
    if message not in _STATES:
        raise malformed("$.state", "is no state of a delivery")
    return _STATES[message]


def _number(position: str) -> int:
    if not position.isdecimal():
        raise not_a_cursor()
    return min(int(position), NEWEST)

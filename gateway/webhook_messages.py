"""Protobuf messages of the webhook service, as the structs that REST answers with."""

from __future__ import annotations

from typing import Final, Literal, cast

from foldtable.platform.v1 import webhook_pb2
from gateway.messages import instant
from gateway.schemas import webhooks

_ENDPOINT_STATES: Final[dict[int, Literal["enabled", "disabled", "failed"]]] = {
    webhook_pb2.ENDPOINT_STATE_ENABLED: "enabled",
    webhook_pb2.ENDPOINT_STATE_DISABLED: "disabled",
    webhook_pb2.ENDPOINT_STATE_FAILED: "failed",
}
_DELIVERY_STATES: Final[dict[int, Literal["pending", "delivered", "failed"]]] = {
    webhook_pb2.DELIVERY_STATE_PENDING: "pending",
    webhook_pb2.DELIVERY_STATE_DELIVERED: "delivered",
    webhook_pb2.DELIVERY_STATE_FAILED: "failed",
}
DELIVERY_STATES: Final = {
    "pending": webhook_pb2.DELIVERY_STATE_PENDING,
    "delivered": webhook_pb2.DELIVERY_STATE_DELIVERED,
    "failed": webhook_pb2.DELIVERY_STATE_FAILED,
}


def endpoint(message: webhook_pb2.Endpoint) -> webhooks.Endpoint:
    """Give an endpoint."""
    return webhooks.Endpoint(
        endpoint_id=message.endpoint_id,
        url=message.url,
        description=message.description,
        event_types=cast("list[webhooks.EventTypeName]", list(message.event_types)),
        state=_ENDPOINT_STATES[message.state],
        disabled_reason=message.disabled_reason or None,
        disabled_at=instant(message.disable_time) if message.HasField("disable_time") else None,
        created_at=instant(message.create_time),
        failing_since=instant(message.failing_since_time) if message.HasField("failing_since_time") else None,
        old_secret_expires_at=instant(message.old_secret_expire_time)
        if message.HasField("old_secret_expire_time")
        else None,
    )


def delivery(message: webhook_pb2.Delivery) -> webhooks.Delivery:
    """Give a delivery."""
    return webhooks.Delivery(
        event_id=message.event_id,
        event_type=message.event_type,
        match_id=message.match_id or None,
        event_time=instant(message.event_time),
        state=_DELIVERY_STATES[message.state],
        attempts=[_attempt(one) for one in message.attempts],
        next_attempt_at=instant(message.next_attempt_time) if message.HasField("next_attempt_time") else None,
    )


def _attempt(message: webhook_pb2.Attempt) -> webhooks.Attempt:
    return webhooks.Attempt(
        started_at=instant(message.start_time),
        duration_ms=message.duration.ToMilliseconds(),
        status=message.status or None,
        problem=message.problem or None,
    )

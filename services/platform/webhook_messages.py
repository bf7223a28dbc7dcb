"""Webhook endpoints and deliveries as protobuf messages."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from foldtable.platform.v1 import webhook_pb2
from services.webhooks.deliveries import Delivery, DeliveryState
from services.webhooks.endpoints import Endpoint, EndpointState
from services.webhooks.lanes import Attempt

_ENDPOINT_STATES: Final = {
    EndpointState.ENABLED: webhook_pb2.ENDPOINT_STATE_ENABLED,
    EndpointState.DISABLED: webhook_pb2.ENDPOINT_STATE_DISABLED,
    EndpointState.FAILED: webhook_pb2.ENDPOINT_STATE_FAILED,
}
DELIVERY_STATES: Final = {
    DeliveryState.PENDING: webhook_pb2.DELIVERY_STATE_PENDING,
    DeliveryState.DELIVERED: webhook_pb2.DELIVERY_STATE_DELIVERED,
    DeliveryState.FAILED: webhook_pb2.DELIVERY_STATE_FAILED,
}


def endpoint_message(endpoint: Endpoint) -> webhook_pb2.Endpoint:
    return webhook_pb2.Endpoint(
        endpoint_id=str(endpoint.id),
        url=endpoint.url,
        description=endpoint.description,
        event_types=endpoint.types,
        state=_ENDPOINT_STATES[endpoint.state],
        disabled_reason=endpoint.disabled_reason,
        disable_time=_timestamp(endpoint.disabled_at),
        create_time=_timestamp(endpoint.created_at),
        failing_since_time=_timestamp(endpoint.failing_since),
        old_secret_expire_time=_timestamp(endpoint.old_secret_until),
    )


def delivery_message(delivery: Delivery) -> webhook_pb2.Delivery:
    return webhook_pb2.Delivery(
        event_id=str(delivery.event_id),
        event_type=delivery.event_type,
        match_id="" if delivery.match_id is None else str(delivery.match_id),
        event_time=_timestamp(delivery.recorded_at),
        state=DELIVERY_STATES[delivery.state],
        attempts=map(_attempt_message, delivery.attempts),
        next_attempt_time=_timestamp(delivery.next_at),
    )


def _attempt_message(attempt: Attempt) -> webhook_pb2.Attempt:
    duration = Duration()
    duration.FromTimedelta(timedelta(milliseconds=attempt.milliseconds))
    return webhook_pb2.Attempt(
        start_time=_timestamp(attempt.at),
        duration=duration,
        status=attempt.status or 0,
        problem=attempt.problem,
    )


def _timestamp(moment: datetime | None) -> Timestamp | None:
    if moment is None:
        return None
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp

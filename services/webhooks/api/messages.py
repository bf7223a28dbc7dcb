"""Webhook endpoints and deliveries as protobuf messages."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from foldtable.platform.v1 import webhook_pb2
from services.rpc.message_from import duration, message_from
from services.webhooks.deliveries import Delivery
from services.webhooks.endpoints import Endpoint
from services.webhooks.lanes import Attempt

endpoint_message: Final = message_from(
    webhook_pb2.Endpoint,
    Endpoint,
    endpoint_id="id",
    event_types="types",
    old_secret_expire_time="old_secret_until",  # noqa: S106 - the name of a field
)
_attempt_message: Final = message_from(
    webhook_pb2.Attempt,
    Attempt,
    start_time="at",
    duration=lambda attempt: duration(timedelta(milliseconds=attempt.milliseconds)),
)
delivery_message: Final = message_from(
    webhook_pb2.Delivery,
    Delivery,
    event_time="recorded_at",
    next_attempt_time="next_at",
    attempts=lambda delivery: map(_attempt_message, delivery.attempts),
)

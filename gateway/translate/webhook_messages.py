"""Protobuf messages of the webhook service, as the structs that REST answers with, and back."""

from __future__ import annotations

from typing import Final

from foldtable.platform.v1 import webhook_pb2, webhook_service_pb2
from gateway.contract.names import enum_values
from gateway.schemas import webhooks
from gateway.translate.message_of import message_of
from gateway.translate.struct_of import struct_of

DELIVERY_STATES: Final = {
    None: webhook_pb2.DELIVERY_STATE_UNSPECIFIED,
    **enum_values(webhook_pb2.DeliveryState.DESCRIPTOR),
}

create_endpoint = message_of(webhook_service_pb2.CreateEndpointRequest, webhooks.CreateEndpointRequest)
update_endpoint = message_of(
    webhook_service_pb2.UpdateEndpointRequest, webhooks.UpdateEndpointRequest, besides=("event_types",)
)
rotate_secret = message_of(webhook_service_pb2.RotateEndpointSecretRequest, webhooks.RotateSecretRequest)

endpoint_list = struct_of(webhooks.EndpointList, webhook_service_pb2.ListEndpointsResponse)
created_endpoint = struct_of(webhooks.EndpointSecret, webhook_service_pb2.CreateEndpointResponse)
rotated_secret = struct_of(webhooks.EndpointSecret, webhook_service_pb2.RotateEndpointSecretResponse)
endpoint = struct_of(webhooks.Endpoint, webhook_pb2.Endpoint)
_attempt = struct_of(
    webhooks.Attempt, webhook_pb2.Attempt, duration_ms=lambda message: message.duration.ToMilliseconds()
)
delivery = struct_of(
    webhooks.Delivery,
    webhook_pb2.Delivery,
    attempts=lambda message: [_attempt(one) for one in message.attempts],
)
delivery_list = struct_of(
    webhooks.DeliveryList,
    webhook_service_pb2.ListDeliveriesResponse,
    deliveries=lambda message: [delivery(one) for one in message.deliveries],
)
resend_result = struct_of(webhooks.ResendResult, webhook_service_pb2.ResendDeliveriesResponse)
recording = struct_of(webhooks.EventRecording, webhook_service_pb2.GetEventRecordingResponse)
"""Which types of events are kept. The response to a change has the same field."""

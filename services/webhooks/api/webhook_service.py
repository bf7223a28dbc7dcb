"""WebhookService: which function serves which call. Permissions are checked where each request is served."""

from __future__ import annotations

from services.identity.callers import Callers
from services.identity.service_table import ServiceTable, with_caller
from services.webhooks.api.deliveries import DeliveryAdministration
from services.webhooks.api.endpoints import WebhookAdministration
from services.webhooks.api.event_feed import EventFeed


def webhook_service(
    *,
    callers: Callers,
    endpoints: WebhookAdministration,
    deliveries: DeliveryAdministration,
    feed: EventFeed,
) -> ServiceTable:
    """Return foldtable.platform.v1.WebhookService."""
    return with_caller(
        callers,
        {
            # ── endpoints
            "CreateEndpoint": endpoints.create,
            "ListEndpoints": endpoints.list,
            "GetEndpoint": endpoints.get,
            "UpdateEndpoint": endpoints.update,
            "DeleteEndpoint": endpoints.delete,
            "RotateEndpointSecret": endpoints.rotate,
            # ── deliveries
            "TestEndpoint": deliveries.test,
            "ListDeliveries": deliveries.list,
            "ResendDeliveries": deliveries.resend,
            # ── the feed
            "GetEventRecording": feed.recording,
            "SetEventRecording": feed.record,
            "ReadEvents": feed.read,
        },
    )

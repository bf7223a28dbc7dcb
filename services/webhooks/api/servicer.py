"""WebhookService: requests in, responses out. Permissions are checked where each request is served."""

from __future__ import annotations

from foldtable.platform.v1 import webhook_service_pb2 as pb
from foldtable.platform.v1 import webhook_service_pb2_grpc
from services.identity.callers import AnyCaller, Callers, Context, authorization_of
from services.webhooks.api.deliveries import DeliveryAdministration
from services.webhooks.api.endpoints import WebhookAdministration
from services.webhooks.api.event_feed import EventFeed


class WebhookServicer(webhook_service_pb2_grpc.WebhookServiceServicer):
    """foldtable.platform.v1.WebhookService."""

    def __init__(
        self,
        *,
        callers: Callers,
        endpoints: WebhookAdministration,
        deliveries: DeliveryAdministration,
        feed: EventFeed,
    ) -> None:
        self._callers = callers
        self._endpoints = endpoints
        self._deliveries = deliveries
        self._feed = feed

    async def _caller(self, context: Context) -> AnyCaller:
        return await self._callers.authenticate(authorization_of(context))

    # ── endpoints ──────────────────────────────────────────────────────────────────────────────────

    async def CreateEndpoint(
        self, request: pb.CreateEndpointRequest, context: Context
    ) -> pb.CreateEndpointResponse:
        return await self._endpoints.create(await self._caller(context), request)

    async def ListEndpoints(
        self, request: pb.ListEndpointsRequest, context: Context
    ) -> pb.ListEndpointsResponse:
        return await self._endpoints.list(await self._caller(context))

    async def GetEndpoint(self, request: pb.GetEndpointRequest, context: Context) -> pb.GetEndpointResponse:
        return await self._endpoints.get(await self._caller(context), request)

    async def UpdateEndpoint(
        self, request: pb.UpdateEndpointRequest, context: Context
    ) -> pb.UpdateEndpointResponse:
        return await self._endpoints.update(await self._caller(context), request)

    async def DeleteEndpoint(
        self, request: pb.DeleteEndpointRequest, context: Context
    ) -> pb.DeleteEndpointResponse:
        return await self._endpoints.delete(await self._caller(context), request)

    async def RotateEndpointSecret(
        self, request: pb.RotateEndpointSecretRequest, context: Context
    ) -> pb.RotateEndpointSecretResponse:
        return await self._endpoints.rotate(await self._caller(context), request)

    # ── deliveries ─────────────────────────────────────────────────────────────────────────────────

    async def TestEndpoint(
        self, request: pb.TestEndpointRequest, context: Context
    ) -> pb.TestEndpointResponse:
        return await self._deliveries.test(await self._caller(context), request)

    async def ListDeliveries(
        self, request: pb.ListDeliveriesRequest, context: Context
    ) -> pb.ListDeliveriesResponse:
        return await self._deliveries.list(await self._caller(context), request)

    async def ResendDeliveries(
        self, request: pb.ResendDeliveriesRequest, context: Context
    ) -> pb.ResendDeliveriesResponse:
        return await self._deliveries.resend(await self._caller(context), request)

    # ── the feed ───────────────────────────────────────────────────────────────────────────────────

    async def GetEventRecording(
        self, request: pb.GetEventRecordingRequest, context: Context
    ) -> pb.GetEventRecordingResponse:
        return await self._feed.recording(await self._caller(context))

    async def SetEventRecording(
        self, request: pb.SetEventRecordingRequest, context: Context
    ) -> pb.SetEventRecordingResponse:
        return await self._feed.record(await self._caller(context), request)

    async def ReadEvents(self, request: pb.ReadEventsRequest, context: Context) -> pb.ReadEventsResponse:
        return await self._feed.read(await self._caller(context), request)

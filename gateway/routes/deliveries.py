"""Deliveries to webhook endpoints: test events, listing, sending again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query
from starlette.responses import Response

from foldtable.platform.v1 import webhook_service_pb2 as pb
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import Platform
from gateway.http.answers import json_answer
from gateway.http.moments import timestamp
from gateway.http.path_parameters import EndpointId, EventId
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas import webhooks
from gateway.translate import webhook_messages

router = APIRouter(tags=["webhooks"], route_class=Operation, dependencies=[counted_for(Bucket.ADMIN)])


@router.post(
    "/v1/webhooks/endpoints/{endpoint_id}/test",
    operation_id="testEndpoint",
    summary="Send a test event",
    status_code=202,
    responses={202: answer("The delivery of the event.", webhooks.Delivery), **problems(403, 404, 409)},
)
async def test_endpoint(platform: Platform, endpoint_id: EndpointId) -> Response:
    """Send a test event, of the type `foldtable.endpoint.test.v1`. Scope `webhooks:write`."""
    sent = await platform.write(
        platform.webhooks.TestEndpoint, pb.TestEndpointRequest(endpoint_id=endpoint_id)
    )
    return json_answer(webhook_messages.delivery(sent.delivery), 202)


@router.get(
    "/v1/webhooks/endpoints/{endpoint_id}/deliveries",
    operation_id="listDeliveries",
    summary="List deliveries and their attempts",
    responses={200: answer("A page of deliveries.", webhooks.DeliveryList), **problems(403, 404)},
)
async def list_deliveries(
    platform: Platform, endpoint_id: EndpointId, query: Annotated[webhooks.DeliveriesQuery, Query()]
) -> Response:
    """List the past and pending deliveries to a webhook endpoint, newest first, with every attempt. Scope `webhooks:write`."""
    page = await platform.read(
        platform.webhooks.ListDeliveries,
        pb.ListDeliveriesRequest(
            endpoint_id=endpoint_id,
            state=webhook_messages.DELIVERY_STATES[query.state],
            page_size=query.page_size,
            page_token=query.page_token,
        ),
    )
    return json_answer(webhook_messages.delivery_list(page))


@router.post(
    "/v1/webhooks/endpoints/{endpoint_id}/deliveries/{event_id}/resend",
    operation_id="resendDelivery",
    summary="Send one event again",
    status_code=202,
    responses={202: answer("The event will be sent.", webhooks.ResendResult), **problems(403, 404, 409)},
)
async def resend_delivery(platform: Platform, endpoint_id: EndpointId, event_id: EventId) -> Response:
    """Send an earlier event again, with the same `webhook-id`. Scope `webhooks:write`."""
    sent = await platform.write(
        platform.webhooks.ResendDeliveries,
        pb.ResendDeliveriesRequest(endpoint_id=endpoint_id, event_id=event_id),
    )
    return json_answer(webhook_messages.resend_result(sent), 202)


@router.post(
    "/v1/webhooks/endpoints/{endpoint_id}/resend",
    operation_id="resendDeliveries",
    summary="Send the events of a period again",
    status_code=202,
    responses={202: answer("The events will be sent.", webhooks.ResendResult), **problems(403, 404, 409)},
)
async def resend_deliveries(
    platform: Platform,
    endpoint_id: EndpointId,
    body: Annotated[
        webhooks.ResendRequest,
        Body(
            openapi_examples={
                "what_failed": {"value": {"since": "2026-01-31T12:00:00Z", "failed_only": True}}
            }
        ),
    ],
) -> Response:
    """Send the events of a period again, in order, if they have one of the endpoint's types. Scope `webhooks:write`.

    Events that were never sent to this endpoint are included if they are still kept. At most 10000 per request.
    """
    sent = await platform.write(
        platform.webhooks.ResendDeliveries,
        pb.ResendDeliveriesRequest(
            endpoint_id=endpoint_id,
            since_time=timestamp(body.since, pointer="/since"),
            until_time=None if body.until is None else timestamp(body.until, pointer="/until"),
            failed_only=body.failed_only,
        ),
    )
    return json_answer(webhook_messages.resend_result(sent), 202)

"""What is sent to webhook endpoints: listed, tested, sent again."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foldtable.platform.v1 import webhook_pb2
from foldtable.platform.v1 import webhook_service_pb2 as pb
from gateway import webhook_messages
from gateway.bodies import read_json
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.json_answers import json_answer
from gateway.moments import timestamp
from gateway.platform_client import call_platform
from gateway.queries import endpoint_id, event_id, read_query
from gateway.rate_limits import Bucket
from gateway.schemas import webhooks
from gateway.schemas.requests import NoQuery

_RESEND: Final = msgspec.json.Decoder(webhooks.ResendRequest)


async def test_endpoint(request: Request) -> Response:
    """Send an event of the type `foldtable.endpoint.test.v1`, which means nothing. Scope `webhooks:write`."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    sent = await call_platform(
        gateway.platform.webhooks.TestEndpoint,
        pb.TestEndpointRequest(endpoint_id=endpoint_id(request)),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    return json_answer(webhook_messages.delivery(sent.delivery), 202)


async def list_deliveries(request: Request) -> Response:
    """List what was and is to be sent to a webhook endpoint, newest first, with every try. Scope `webhooks:write`."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    query = read_query(request, webhooks.DeliveriesQuery)
    state = webhook_pb2.DELIVERY_STATE_UNSPECIFIED
    if query.state is not None:
        state = webhook_messages.DELIVERY_STATES[query.state]
    page = await call_platform(
        gateway.platform.webhooks.ListDeliveries,
        pb.ListDeliveriesRequest(
            endpoint_id=endpoint_id(request),
            state=state,
            page_size=query.page_size,
            page_token=query.page_token,
        ),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    deliveries = [webhook_messages.delivery(one) for one in page.deliveries]
    return json_answer(webhooks.DeliveryList(deliveries=deliveries, next_page_token=page.next_page_token))


async def resend_delivery(request: Request) -> Response:
    """Send one event again that was sent before. Scope `webhooks:write`. It has the same `webhook-id` as before."""
    read_query(request, NoQuery)
    return await _resend(
        request, pb.ResendDeliveriesRequest(endpoint_id=endpoint_id(request), event_id=event_id(request))
    )


async def resend_deliveries(request: Request) -> Response:
    """Send again what happened within a time and is of the endpoint's types, in order. Scope `webhooks:write`.

    What was never sent to it is sent as well, where it is kept: the endpoint may be new. At most 10000 at once.
    """
    read_query(request, NoQuery)
    endpoint = endpoint_id(request)
    body = await read_json(request, _RESEND)
    return await _resend(
        request,
        pb.ResendDeliveriesRequest(
            endpoint_id=endpoint,
            since_time=timestamp(body.since, pointer="/since"),
            until_time=None if body.until is None else timestamp(body.until, pointer="/until"),
            failed_only=body.failed_only,
        ),
    )


async def _resend(request: Request, wanted: pb.ResendDeliveriesRequest) -> Response:
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    sent = await call_platform(
        gateway.platform.webhooks.ResendDeliveries,
        wanted,
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    return json_answer(webhooks.ResendResult(count=sent.count), 202)


_PROBLEMS: Final = (400, 403, 404, 409)

ROUTES: Final = (
    documented(
        "POST",
        "/v1/webhooks/endpoints/{endpoint_id}/test",
        test_endpoint,
        operation_id="testEndpoint",
        summary="Send a test event",
        tag="webhooks",
        answers={202: Answer(description="It is on its way.", shape=webhooks.Delivery)},
        problems=_PROBLEMS,
        bucket=Bucket.ADMIN,
    ),
    documented(
        "GET",
        "/v1/webhooks/endpoints/{endpoint_id}/deliveries",
        list_deliveries,
        operation_id="listDeliveries",
        summary="List deliveries and their tries",
        tag="webhooks",
        query=webhooks.DeliveriesQuery,
        answers={200: Answer(description="A page of deliveries.", shape=webhooks.DeliveryList)},
        problems=(400, 403, 404),
        bucket=Bucket.ADMIN,
    ),
    documented(
        "POST",
        "/v1/webhooks/endpoints/{endpoint_id}/deliveries/{event_id}/resend",
        resend_delivery,
        operation_id="resendDelivery",
        summary="Send one event again",
        tag="webhooks",
        answers={202: Answer(description="It is on its way.", shape=webhooks.ResendResult)},
        problems=_PROBLEMS,
        bucket=Bucket.ADMIN,
    ),
    documented(
        "POST",
        "/v1/webhooks/endpoints/{endpoint_id}/resend",
        resend_deliveries,
        operation_id="resendDeliveries",
        summary="Send what happened within a time again",
        tag="webhooks",
        body=webhooks.ResendRequest,
        body_examples={"what_failed": {"since": "2026-01-31T12:00:00Z", "failed_only": True}},
        answers={202: Answer(description="They are on their way.", shape=webhooks.ResendResult)},
        problems=(*_PROBLEMS, 413, 415),
        bucket=Bucket.ADMIN,
    ),
)

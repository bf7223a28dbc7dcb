"""The feed of a tenant's events, for platforms that pull them."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Body, Query
from google.protobuf.duration_pb2 import Duration
from msgspec import Raw
from starlette.responses import Response

from foldtable.platform.v1 import webhook_service_pb2 as pb
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.context import Gateway
from gateway.dependencies import Caller, GatewayParts, Platform, PlatformCalls
from gateway.http.answers import json_answer
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas import webhooks
from gateway.translate import webhook_messages

STEP_SECONDS: Final = 2

router = APIRouter(tags=["webhooks"], route_class=Operation)


@router.get(
    "/v1/events",
    operation_id="listEvents",
    summary="Pull events",
    dependencies=[counted_for(Bucket.READS)],
    responses={
        200: answer("Events, and the cursor after them.", webhooks.EventPage),
        **problems(403, 409, 410),
    },
)
async def list_events(
    caller: Caller, platform: Platform, gateway: GatewayParts, query: Annotated[webhooks.EventsQuery, Query()]
) -> Response:
    """Return the tenant's events after a cursor, oldest first. Scope `matches:read`.

    No event is ever skipped: an event is returned only when no earlier one can still appear before it. Begin without `after`,
    store `cursor`, and pass it as `after` in the next request. With `wait` this is a long poll. Events are kept for 30 days,
    unless the server's settings say otherwise; an older cursor is answered with 410.
    """
    wait = 0 if query.wait is None else int(query.wait.removesuffix("s"))
    if wait == 0:
        page = await _page(gateway, platform, query, 0)
    else:
        with gateway.slots.taken(caller):
            page = await _page(gateway, platform, query, wait)
    events = [Raw(event) for event in page.cloud_events]
    return json_answer(webhooks.EventPage(events=events, cursor=page.cursor))


async def _page(
    gateway: Gateway, platform: PlatformCalls, query: webhooks.EventsQuery, wait: int
) -> pb.ReadEventsResponse:
    """Return a page. It waits in small steps, so that a server that stops does not have to wait for its clients."""
    while True:
        step = 0 if gateway.drain.begun else min(wait, STEP_SECONDS)
        page = await platform.read(
            platform.webhooks.ReadEvents,
            pb.ReadEventsRequest(after=query.after, limit=query.limit, wait=Duration(seconds=step)),
            waits=step,
        )
        wait -= step
        if page.cloud_events or wait <= 0 or step == 0:
            return page


@router.get(
    "/v1/events/recording",
    operation_id="getEventRecording",
    summary="Show which events are kept for the feed",
    dependencies=[counted_for(Bucket.ADMIN)],
    responses={200: answer("Types of events.", webhooks.EventRecording), **problems(403)},
)
async def get_recording(platform: Platform) -> Response:
    """Return which types of events are kept for the feed. Scope `webhooks:write`."""
    found = await platform.read(platform.webhooks.GetEventRecording, pb.GetEventRecordingRequest())
    return json_answer(webhook_messages.recording(found))


@router.put(
    "/v1/events/recording",
    operation_id="setEventRecording",
    summary="Choose which events are kept for the feed",
    dependencies=[counted_for(Bucket.ADMIN)],
    responses={200: answer("Types of events.", webhooks.EventRecording), **problems(403)},
)
async def set_recording(
    platform: Platform,
    body: Annotated[
        webhooks.SetEventRecordingRequest,
        Body(
            openapi_examples={
                "a_lobby": {"value": {"event_types": ["match.created", "match.started", "match.ended"]}}
            }
        ),
    ],
) -> Response:
    """Choose which types of events are kept for the feed from now on; an empty list turns it off. Scope `webhooks:write`."""
    kept = await platform.write(
        platform.webhooks.SetEventRecording, pb.SetEventRecordingRequest(event_types=body.event_types)
    )
    return json_answer(webhook_messages.recording(kept))

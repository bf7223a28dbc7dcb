"""The feed of a tenant's events, for platforms that pull."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

import msgspec
from google.protobuf.duration_pb2 import Duration
from starlette.requests import Request
from starlette.responses import Response

from foldtable.platform.v1 import webhook_service_pb2 as pb
from gateway.bodies import read_json
from gateway.context import Gateway, gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.json_answers import json_answer
from gateway.platform_client import call_platform
from gateway.queries import read_query
from gateway.rate_limits import Bucket
from gateway.schemas import webhooks
from gateway.schemas.requests import NoQuery

STEP_SECONDS: Final = 2
_RECORD: Final = msgspec.json.Decoder(webhooks.SetEventRecordingRequest)


async def list_events(request: Request) -> Response:
    """Give the tenant's events after a cursor, oldest first. Scope `matches:read`.

    Nothing is ever skipped: an event is given only once nothing that was committed earlier can still appear before it.
    Begin without `after`, keep `cursor`, ask again with it. With `wait` this is a long poll. Events are kept for 30 days
    or as the house has it; a cursor from before that is answered 410.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    query = read_query(request, webhooks.EventsQuery)
    metadata = trace.metadata(caller.authorization)
    wait = 0 if query.wait is None else int(query.wait.removesuffix("s"))
    if wait == 0:
        page = await _page(gateway, query, 0, metadata)
    else:
        with gateway.slots.taken(caller):
            page = await _page(gateway, query, wait, metadata)
    events = [msgspec.Raw(event) for event in page.cloud_events]
    return json_answer(webhooks.EventPage(events=events, cursor=page.cursor))


async def _page(
    gateway: Gateway, query: webhooks.EventsQuery, wait: int, metadata: tuple[tuple[str, str], ...]
) -> pb.ReadEventsResponse:
    """Ask, and wait in small steps, so that a server that is told to stop need not wait with its clients."""
    while True:
        step = 0 if gateway.drain.begun else min(wait, STEP_SECONDS)
        page = await call_platform(
            gateway.platform.webhooks.ReadEvents,
            pb.ReadEventsRequest(after=query.after, limit=query.limit, wait=Duration(seconds=step)),
            seconds=gateway.settings.read_deadline_seconds + step,
            metadata=metadata,
            in_query=True,
        )
        wait -= step
        if page.cloud_events or wait <= 0 or step == 0:
            return page


async def get_recording(request: Request) -> Response:
    """Say which types of events are kept for the feed. Scope `webhooks:write`."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    found = await call_platform(
        gateway.platform.webhooks.GetEventRecording,
        pb.GetEventRecordingRequest(),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    return json_answer(_recording(found.event_types))


async def set_recording(request: Request) -> Response:
    """Choose which types of events are kept for the feed from now on; none: it is off. Scope `webhooks:write`."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    body = await read_json(request, _RECORD)
    kept = await call_platform(
        gateway.platform.webhooks.SetEventRecording,
        pb.SetEventRecordingRequest(event_types=body.event_types),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    return json_answer(_recording(kept.event_types))


def _recording(names: Iterable[str]) -> webhooks.EventRecording:
    return webhooks.EventRecording(event_types=cast("list[webhooks.EventTypeName]", list(names)))


ROUTES: Final = (
    documented(
        "GET",
        "/v1/events",
        list_events,
        operation_id="listEvents",
        summary="Pull events",
        tag="webhooks",
        query=webhooks.EventsQuery,
        answers={200: Answer(description="Events, and where to go on.", shape=webhooks.EventPage)},
        problems=(400, 403, 409, 410),
        bucket=Bucket.READS,
    ),
    documented(
        "GET",
        "/v1/events/recording",
        get_recording,
        operation_id="getEventRecording",
        summary="Show what is kept for the feed",
        tag="webhooks",
        answers={200: Answer(description="Types of events.", shape=webhooks.EventRecording)},
        problems=(400, 403),
        bucket=Bucket.ADMIN,
    ),
    documented(
        "PUT",
        "/v1/events/recording",
        set_recording,
        operation_id="setEventRecording",
        summary="Choose what is kept for the feed",
        tag="webhooks",
        body=webhooks.SetEventRecordingRequest,
        body_examples={"a_lobby": {"event_types": ["match.created", "match.started", "match.ended"]}},
        answers={200: Answer(description="Types of events.", shape=webhooks.EventRecording)},
        problems=(400, 403, 413, 415),
        bucket=Bucket.ADMIN,
    ),
)

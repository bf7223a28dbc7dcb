"""Following a match as server-sent events (WHATWG HTML §9.2): one event per version, resumable by its id."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import structlog
from sse_starlette.event import ServerSentEvent
from sse_starlette.sse import AppStatus, EventSourceResponse, SendTimeoutError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.match_service_pb2 import WatchMatchRequest, WatchMatchResponse
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway.audiences import audience
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.drain import Drain
from gateway.headers import header
from gateway.messages import STATUSES, raw, raw_list
from gateway.observability import STREAMED
from gateway.problem_documents import ProblemError
from gateway.queries import match_id, read_query
from gateway.schemas import events
from gateway.schemas.fields import MAX_VERSION
from gateway.schemas.requests import StreamQuery
from gateway.server_events import RETRY, server_event
from gateway.stream_slots import StreamSlots
from gateway.watching import MatchWatch

MEDIA_TYPE: Final = "text/event-stream"
PING_SECONDS: Final = 15
SEND_TIMEOUT_SECONDS: Final = 30.0
"""A reader who takes nothing for so long is gone; the stream is closed."""

_log = structlog.get_logger("gateway.streams")

AppStatus.enable_automatic_graceful_drain = False  # our own drain ends the streams, and says good-bye first


async def stream_match(request: Request) -> Response:
    """Follow a match. Each version is one event whose id is the version, so nothing is missed unnoticed.

    Without a version the stream begins with a `snapshot`; with `Last-Event-ID` (or `after_version`) it goes on after
    that version. `reset` says that the match has no such version; a snapshot follows. `match.ended` is the last event;
    a reconnect after it gets 204, which tells an EventSource to stop. `drain` says that this server closes: reconnect.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, StreamQuery)
    wanted = audience(caller, query.audience, query.seat)
    _check_accept(request)
    gateway.slots.check()
    after = _last_event_id(request, query.after_version)
    if after is not None:
        found = await gateway.directory.find(match, caller, trace)
        if found.status == match_pb2.MATCH_STATUS_ENDED and found.version == after:
            return Response(status_code=204, headers={"cache-control": "no-store"})
    watch = MatchWatch(
        await gateway.directory.server_of(match, caller, trace),
        gateway.directory,
        WatchMatchRequest(match_id=match, audience=wanted, after_version=after, form=PAYLOAD_FORM_JSON),
        caller,
        trace,
    )
    await watch.begin(seconds=gateway.settings.read_deadline_seconds)
    return EventStream(watch, gateway.drain, gateway.slots)


def _check_accept(request: Request) -> None:
    accepted = (header(request, b"accept") or "*/*").lower()
    kinds = {kind.partition(";")[0].strip() for kind in accepted.split(",")}
    if not kinds & {MEDIA_TYPE, "text/*", "*/*"}:
        raise ProblemError("NOT_ACCEPTABLE", f"a stream has the form {MEDIA_TYPE} only")


def _last_event_id(request: Request, in_query: int | None) -> int | None:
    """Give the version a client has. An id that is no version is one no match has: the client gets a reset."""
    sent = (header(request, b"last-event-id") or "").strip()
    if not sent:
        return in_query
    if sent.isascii() and sent.isdecimal() and len(sent) <= len(str(MAX_VERSION)):
        return min(int(sent), MAX_VERSION)
    return MAX_VERSION


class EventStream(EventSourceResponse):
    """A match's events, with a heartbeat; ends when the match, the client or this process does."""

    def __init__(self, watch: MatchWatch, drain: Drain, slots: StreamSlots) -> None:
        super().__init__(
            _events(watch, drain),
            headers={"cache-control": "no-store"},
            media_type=f"{MEDIA_TYPE}; charset=utf-8",
            ping=PING_SECONDS,
            ping_message_factory=lambda: ServerSentEvent(comment="ping", sep="\n"),
            send_timeout=SEND_TIMEOUT_SECONDS,
            sep="\n",
        )
        del self.headers["connection"]  # not for HTTP/2, and HTTP/1.1 keeps connections by itself
        self._watch = watch
        self._slots = slots

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[STREAMED] = True
        with self._slots.taken():
            try:
                await super().__call__(scope, receive, send)
            except SendTimeoutError:
                _log.info("stream closed: the client reads nothing", seconds=SEND_TIMEOUT_SECONDS)
            finally:
                self._watch.close()


async def _events(watch: MatchWatch, drain: Drain) -> AsyncGenerator[bytes, None]:
    yield RETRY
    try:
        async with aclosing(drain.until(watch.updates())) as updates:
            async for update in updates:
                yield _told(update)
    except ProblemError as problem:
        _log.warning("stream given up", reason=problem.reason.name)
        yield _farewell(watch)
        return
    if drain.begun:
        yield _farewell(watch)
    elif watch.version is not None:
        yield server_event(
            "match.ended", events.MatchEndedData(version=watch.version, status="ended"), watch.version
        )


def _farewell(watch: MatchWatch) -> bytes:
    return server_event("drain", events.DrainData(version=watch.version))


def _told(update: WatchMatchResponse) -> bytes:
    match update.WhichOneof("update"):
        case "snapshot":
            shown = update.snapshot
            data = events.SnapshotData(version=shown.version, view=raw(shown.view))
            return server_event("snapshot", data, shown.version)
        case "move":
            return _move_applied(update.move)
        case _:
            return server_event("reset", events.ResetData(version=update.reset.version))


def _move_applied(move: match_pb2.Move) -> bytes:
    newest = move.status != match_pb2.MATCH_STATUS_UNSPECIFIED
    data = events.MoveAppliedData(
        version=move.version,
        type="move.applied",
        seat=move.seat if move.HasField("seat") else None,
        events=raw_list(move.events),
        to_act=list(move.to_act) if newest else None,
        status=STATUSES[move.status] if newest else None,
    )
    return server_event("move.applied", data, move.version)


_EXAMPLE: Final = (
    'retry: 3000\nid: 41\nevent: snapshot\ndata: {"version":41,"view":{}}\n\n'
    'id: 42\nevent: move.applied\ndata: {"version":42,"type":"move.applied","seat":1,"events":[],"to_act":[0],'
    '"status":"running"}\n\n: ping\n\n'
)

ROUTES: Final = (
    documented(
        "GET",
        "/v1/matches/{match_id}/stream",
        stream_match,
        operation_id="streamMatch",
        summary="Follow a match",
        tag="streams",
        query=StreamQuery,
        headers={"Last-Event-ID": "The id of the last event the client has; wins over `after_version`."},
        answers={
            200: Answer(
                description="Server-sent events: `snapshot` (SnapshotData), `move.applied` (MoveAppliedData), "
                "`match.ended` (MatchEndedData), `reset` (ResetData), `drain` (DrainData); a comment every 15 s.",
                media_type=MEDIA_TYPE,
                schema={"type": "string"},
                examples={"first_events": _EXAMPLE},
            ),
            204: Answer(description="The match is over and the client has its last event: do not come back."),
        },
        problems=(400, 403, 404, 406, 429),
    ),
)

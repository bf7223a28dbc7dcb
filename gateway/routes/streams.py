"""Following a match as server-sent events (WHATWG HTML §9.2): one event per version, resumable by its id."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from foldtable.rules.v1.table_pb2 import Audience
from gateway.admission import judge_another_credential
from gateway.audiences import audience
from gateway.auth import Caller
from gateway.context import Gateway, gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.headers import header
from gateway.live import match_events
from gateway.live.answers import MEDIA_TYPE, EventStream, must_accept_events
from gateway.live.follows import Follow
from gateway.live.match_stream import MatchReader
from gateway.problem_documents import ProblemError, malformed
from gateway.queries import match_id, read_query
from gateway.rate_limits import Bucket
from gateway.schemas import events
from gateway.schemas.fields import MAX_VERSION
from gateway.schemas.requests import StreamQuery
from gateway.stream_slots import Slot

NOTHING_MORE: Final = {"cache-control": "no-store"}


async def stream_match(request: Request) -> Response:
    """Follow a match. Each version is one event whose id is the version, so nothing is missed unnoticed.

    Without a version the stream begins with a `snapshot`; with `Last-Event-ID` (or `after_version`) it goes on after
    that version. `reset` says that the match has no such version; a snapshot follows. `match.ended` is the last event;
    a reconnect after it gets 204, which tells an EventSource to stop. `drain` says that this server closes, `lagged`
    that the client read too slowly: reconnect. `revoked` says that the credential is no longer good.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, StreamQuery)
    must_accept_events(request)
    caller, wanted = await _caller(gateway, request, query)
    after = _last_event_id(request, query.after_version)
    slot = gateway.slots.take(caller)
    try:
        server = await gateway.directory.server_of(match, caller, trace)
        follow = await server.follows.of(match).follow(
            match, wanted, caller.authorization, seconds=gateway.settings.read_deadline_seconds
        )
    except BaseException:
        slot.free()
        raise
    return await _stream(gateway, slot, follow, after)


async def _caller(gateway: Gateway, request: Request, query: StreamQuery) -> tuple[Caller, Audience]:
    """Say who follows, and for whose eyes: by the ticket, or by the credential."""
    if query.ticket is None:
        caller = gateway.authenticator.caller(request)
        return caller, audience(caller, query.audience, query.seat)
    judge_another_credential(request)
    envelope = await gateway.tickets.redeem(query.ticket, trace_of(request).metadata())
    for name, said in (("audience", query.audience), ("seat", query.seat)):
        if said is not None:
            raise malformed("the ticket says for whose eyes", code="CONTRADICTION", parameter=name)
    if envelope.match_id != match_id(request):
        raise ProblemError("TICKET_INVALID", "this ticket is for another stream")
    return gateway.authenticator.read(envelope.authorization), envelope.audience


async def _stream(gateway: Gateway, slot: Slot, follow: Follow, after: int | None) -> Response:
    """Answer with the events after a version; the follow and the slot are the reader's from here."""
    newest = follow.newest
    known = after is not None and after <= newest
    reader = MatchReader(
        gateway.readers,
        slot,
        follow,
        after=after if known else None,
        seconds=gateway.settings.read_deadline_seconds,
    )
    if follow.topic.ended and after == newest:
        reader.abandon()
        return Response(status_code=204, headers=NOTHING_MORE)
    opening = b"" if known or after is None else match_events.reset(newest)
    if not known and newest > 0:
        try:
            opening += await reader.snapshot()
        except BaseException:
            reader.abandon()
            raise
    return EventStream(reader, opening)


def _last_event_id(request: Request, in_query: int | None) -> int | None:
    """Give the version a client has. An id that is no version is one no match has: the client gets a reset."""
    sent = (header(request, b"last-event-id") or "").strip()
    if not sent:
        return in_query
    if sent.isascii() and sent.isdecimal() and len(sent) <= len(str(MAX_VERSION)):
        return min(int(sent), MAX_VERSION)
    return MAX_VERSION


_EXAMPLE: Final = {
    "event": "move.applied",
    "id": "42",
    "data": '{"version":42,"type":"move.applied","seat":1,"events":[],"to_act":[0],"status":"running","timed_out":false,"clocks":null}',
}

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
                "`match.ended` (MatchEndedData), `reset` (ResetData), `lagged` (LaggedData), `drain` (DrainData), "
                "`revoked` (RevokedData); a comment every 15 s.",
                media_type=MEDIA_TYPE,
                events={
                    "snapshot": events.SnapshotData,
                    "move.applied": events.MoveAppliedData,
                    "match.ended": events.MatchEndedData,
                    "reset": events.ResetData,
                    "lagged": events.LaggedData,
                    "drain": events.DrainData,
                    "revoked": events.RevokedData,
                },
                examples={"a_move": _EXAMPLE},
            ),
            204: Answer(description="The match is over and the client has its last event: do not come back."),
        },
        problems=(400, 403, 404, 406, 409),
        by_ticket=True,
        bucket=Bucket.STREAMS,
    ),
)

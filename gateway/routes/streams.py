"""A match's live stream as server-sent events (WHATWG HTML §9.2): one event per version, resumable by its id."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from foldtable.rules.v1.table_pb2 import Audience
from gateway.access.admission import counted_for, judge_another_credential
from gateway.access.auth import Caller
from gateway.access.rate_limits import Bucket
from gateway.access.stream_slots import Slot
from gateway.context import Gateway, gateway_of, trace_of
from gateway.dependencies import READ_MATCH, STREAM_TICKET
from gateway.headers import NO_STORE, header
from gateway.http.header_parameters import sent_header
from gateway.http.languages import ACCEPT_LANGUAGE, language_of
from gateway.http.pages.accept import NEGOTIATED
from gateway.http.path_parameters import match_id
from gateway.http.preconditions import named_versions
from gateway.http.queries import read_query
from gateway.live.answers import MEDIA_TYPE, EventStreamResponse, must_accept_events
from gateway.live.match_part import MatchPart
from gateway.live.match_stream import MatchStream
from gateway.openapi.event_streams import event_stream
from gateway.openapi.hot import HotRoute, query_of
from gateway.openapi.operation import answer, problems
from gateway.problems.document import ProblemError, malformed
from gateway.schemas import events
from gateway.schemas.fields import MAX_VERSION
from gateway.schemas.requests import StreamQuery
from gateway.schemas.tables.table import Table
from gateway.translate.audiences import audience
from gateway.upstream.subscriptions import match_events
from gateway.upstream.subscriptions.subscription import Subscription

NOTHING_MORE: Final = NO_STORE

_EXAMPLE: Final = {
    "event": "move.applied",
    "id": "42",
    "data": '{"version":42,"type":"move.applied","seat":1,"events":[],"to_act":[0],"status":"running","timed_out":false,"clocks":null}',
}

EVENTS: Final = {
    "snapshot": events.SnapshotData,
    "move.applied": events.MoveAppliedData,
    "match.ended": events.MatchEndedData,
    "reset": events.ResetData,
    "lagged": events.LaggedData,
    "drain": events.DrainData,
    "revoked": events.RevokedData,
    "table": Table,
    "table.patched": events.TablePatchedData,
    "seats.updated": events.SeatsUpdatedData,
}
"""Every event of a match's stream, with the struct of its data."""

router = APIRouter(tags=["streams"], route_class=HotRoute)


@router.get(
    "/v1/matches/{match_id}/stream",
    operation_id="streamMatch",
    summary="Subscribe to a match",
    dependencies=[
        counted_for(Bucket.STREAMS),
        NEGOTIATED,
        READ_MATCH,
        STREAM_TICKET,
        query_of(StreamQuery),
        ACCEPT_LANGUAGE,
        sent_header(
            "Last-Event-ID", "The id of the last event the client has; takes precedence over `after_version`."
        ),
    ],
    responses={
        200: answer(
            "Server-sent events: `snapshot` (SnapshotData), `move.applied` (MoveAppliedData), "
            "`table` (Table), `table.patched` (TablePatchedData), `seats.updated` (SeatsUpdatedData), "
            "`match.ended` (MatchEndedData), `reset` (ResetData), `lagged` (LaggedData), `drain` (DrainData), "
            "`revoked` (RevokedData); a comment every 15 s.",
            content={MEDIA_TYPE: event_stream(EVENTS)},
            examples={"a_move": _EXAMPLE},
        ),
        204: answer("The match has ended and the client has its last event: do not reconnect."),
        **problems(403, 404, 406, 409),
    },
)
async def stream_match(request: Request) -> Response:
    """Subscribe to a match. Each version is one event whose id is the version, so a client notices any gap.

    Without a version the stream begins with a `snapshot`; with `Last-Event-ID` (or `after_version`) it continues after that
    version. While the match waits for players, it begins with `seats.updated`, which is sent again whenever seats change. `reset` means that the match has no such version; a snapshot follows.
    `match.ended` is the last event; a reconnect after it gets 204, which makes an EventSource stop. After `drain` (this server
    stops) and `lagged` (the client read too slowly), reconnect. `revoked` means that the credential is no longer valid.

    With `include=table` the stream begins with a `table` in place of a snapshot, and `table.patched` follows the newest move
    and every change of seats. A client that was behind gets a whole `table` again.
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
        subscription = await server.subscriptions.of(match).subscribe(
            match,
            wanted,
            caller.authorization,
            seconds=gateway.settings.read_deadline_seconds,
            language=language_of(request, query.lang),
            has_table=query.include is not None,
        )
    except BaseException:
        slot.free()
        raise
    return await _stream(gateway, slot, subscription, after)


async def _caller(gateway: Gateway, request: Request, query: StreamQuery) -> tuple[Caller, Audience]:
    """Return the caller and the audience, from the ticket or from the credential."""
    if query.ticket is None:
        caller = gateway.authenticator.reader(request)
        return caller, audience(caller, query.audience, query.seat)
    judge_another_credential(request)
    envelope = await gateway.tickets.redeem(query.ticket, trace_of(request).metadata())
    for name, said in (("audience", query.audience), ("seat", query.seat)):
        if said is not None:
            raise malformed(
                "the ticket already determines the audience", code="CONTRADICTION", parameter=name
            )
    if envelope.match_id != match_id(request):
        raise ProblemError("TICKET_INVALID", "this ticket is for another stream")
    return gateway.authenticator.read(envelope.authorization), envelope.audience


async def _stream(gateway: Gateway, slot: Slot, subscription: Subscription, after: int | None) -> Response:
    """Return the stream of the events after a version. It takes over the subscription and the slot."""
    newest = subscription.newest
    known = after is not None and after <= newest
    part = MatchPart(
        subscription, after=after if known else None, seconds=gateway.settings.read_deadline_seconds
    )
    stream = MatchStream(gateway.open_streams, slot, part)
    if subscription.match.ended and after == newest:
        stream.abandon()
        return Response(status_code=204, headers=NOTHING_MORE)
    opening = b"" if known or after is None else match_events.reset(newest)
    if not known:
        try:
            opening += await part.opening()
        except BaseException:
            stream.abandon()
            raise
    return EventStreamResponse(stream, opening, gateway.event_compression)


def _last_event_id(request: Request, in_query: int | None) -> int | None:
    """Return the version that a client has: an event's id, or an entity tag of the match.

    An id that is not a version counts as one that no match has: the client gets a reset.
    """
    sent = (header(request, b"last-event-id") or "").strip()
    if not sent:
        return in_query
    if sent.isascii() and sent.isdecimal() and len(sent) <= len(str(MAX_VERSION)):
        return min(int(sent), MAX_VERSION)
    return max(named_versions(sent), default=MAX_VERSION)

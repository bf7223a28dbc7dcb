"""One feed for all matches of a player or a tenant, as server-sent events."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from foldtable.platform.v1.feed_pb2 import ReadFeedResponse
from gateway.access.admission import counted_for, judge_another_credential
from gateway.access.rate_limits import Bucket
from gateway.context import Gateway, gateway_of, trace_of
from gateway.dependencies import CALLER, STREAM_TICKET
from gateway.headers import header
from gateway.http.header_parameters import sent_header
from gateway.http.pages.accept import NEGOTIATED
from gateway.http.queries import read_query
from gateway.live.answers import MEDIA_TYPE, EventStreamResponse, must_accept_events
from gateway.live.feed_events import feed_snapshot, match_updated, micros
from gateway.live.feed_stream import FeedStream
from gateway.live.tickets import Envelope
from gateway.openapi.event_streams import event_stream
from gateway.openapi.hot import HotRoute, query_of
from gateway.openapi.operation import answer, problems
from gateway.problems.document import ProblemError, malformed
from gateway.schemas import events
from gateway.schemas.live import FeedQuery
from gateway.translate.own_player import own_feed

MAX_CURSOR: Final = 253_402_300_799_000_000
"""The last second of the year 9999 in microseconds: no event id is greater."""

_EXAMPLE: Final = {
    "event": "match.updated",
    "id": "1769860812345678",
    "data": '{"match_id":"0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11","game":"river_dragons","version":42,"status":"running",'
    '"to_act":[0],"waiting_for":["ada"],"waiting_for_me":true,"todos":[],"waiting_bots":[]}',
}

router = APIRouter(tags=["streams"], route_class=HotRoute)


@router.get(
    "/v1/feed",
    operation_id="streamFeed",
    summary="Subscribe to all matches",
    dependencies=[
        counted_for(Bucket.STREAMS),
        NEGOTIATED,
        CALLER,
        STREAM_TICKET,
        query_of(FeedQuery),
        sent_header("Last-Event-ID", "The id of the last event the client has."),
    ],
    responses={
        200: answer(
            "Server-sent events: `snapshot` (FeedSnapshotData), `match.updated` (FeedMatch), "
            "`lagged` (LaggedData), `drain` (DrainData), `revoked` (RevokedData); a comment every 15 s.",
            content={
                MEDIA_TYPE: event_stream(
                    {
                        "snapshot": events.FeedSnapshotData,
                        "match.updated": events.FeedMatch,
                        "lagged": events.LaggedData,
                        "drain": events.DrainData,
                        "revoked": events.RevokedData,
                    }
                )
            },
            examples={"a_match": _EXAMPLE},
        ),
        **problems(403, 406),
    },
)
async def stream_feed(request: Request) -> Response:
    """Subscribe to all matches of the tenant or of one player, for example for a lobby that shows where it is your turn.

    With an API key or a session; a session's feed is that of its own player.

    A player's feed begins with a `snapshot` of the open matches, the feed of bots with the matches that wait for one, a
    tenant's feed with an empty snapshot. Then a `match.updated` with the newest status follows for each match that changes.
    Intermediate changes may be left out, and a status may be sent twice. With `Last-Event-ID` the feed continues with the
    matches that have changed since. `drain`, `lagged` and `revoked` end it as they end a match's stream.
    """
    gateway = gateway_of(request)
    query = read_query(request, FeedQuery)
    must_accept_events(request)
    envelope = await _envelope(gateway, request, query)
    since = _last_event_id(request)
    authorization, player, bots = envelope.authorization, envelope.player, query.bots
    slot = gateway.slots.take(gateway.authenticator.read(authorization))
    stream = FeedStream(gateway.open_streams, slot, player=player, bots=bots)
    try:
        await gateway.feeds.subscribe(stream, authorization)
        found = await gateway.feeds.read(authorization, player, since, bots=bots)
        if since is not None and not found.complete:
            since = None  # too long ago to know what has changed: begin with a snapshot
            found = await gateway.feeds.read(authorization, player, None, bots=bots)
    except BaseException:
        stream.abandon()
        raise
    return EventStreamResponse(stream, _opening(stream, found, since), gateway.event_compression)


def _opening(stream: FeedStream, found: ReadFeedResponse, since: int | None) -> bytes:
    """Return the first events: the matches that changed since an event, or a snapshot."""
    cursor = micros(found.cursor)
    stream.read_up_to(found.matches, cursor)
    if since is not None:
        return b"".join(match_updated(match, stream.player, cursor) for match in found.matches)
    shown = found.matches if stream.player or stream.bots else None
    return feed_snapshot(shown, stream.player, cursor)


async def _envelope(gateway: Gateway, request: Request, query: FeedQuery) -> Envelope:
    """Return who reads which feed, from the ticket or from the credential."""
    if query.ticket is not None:
        judge_another_credential(request)
        envelope = await gateway.tickets.redeem(query.ticket, trace_of(request).metadata())
        if envelope.match_id is not None or envelope.matches:
            raise ProblemError("TICKET_INVALID", "this ticket is for a match's stream")
        for name, said in (("player", query.player), ("bots", query.bots)):
            if said:
                raise malformed(
                    "the ticket already determines the feed", code="CONTRADICTION", parameter=name
                )
        return envelope
    caller = gateway.authenticator.caller(request)
    if caller.session is not None:
        player = own_feed(caller.session, query.player, parameter="player")
        if query.bots:
            raise ProblemError("TENANT_ONLY")
        return Envelope(caller.authorization, None, player=player)
    if caller.claims is not None:
        raise ProblemError("TENANT_ONLY")
    if query.bots and query.player:
        raise malformed("`bots` and `player` exclude each other", code="CONTRADICTION", parameter="bots")
    return Envelope(caller.authorization, None, player=query.player)


def _last_event_id(request: Request) -> int | None:
    sent = (header(request, b"last-event-id") or "").strip()
    if sent.isascii() and sent.isdecimal() and len(sent) <= len(str(MAX_CURSOR)):
        return min(int(sent), MAX_CURSOR)
    return None

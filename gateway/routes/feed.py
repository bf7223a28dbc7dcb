"""One feed for all matches of a player or a tenant, as server-sent events."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from foldtable.platform.v1.feed_pb2 import ReadFeedResponse
from gateway.admission import judge_another_credential
from gateway.context import Gateway, gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.headers import header
from gateway.live.answers import MEDIA_TYPE, EventStream, must_accept_events
from gateway.live.feed_events import feed_snapshot, match_updated, micros
from gateway.live.feed_stream import FeedReader
from gateway.live.tickets import Envelope
from gateway.problem_documents import ProblemError, malformed
from gateway.queries import read_query
from gateway.rate_limits import Bucket
from gateway.schemas import events
from gateway.schemas.live import FeedQuery

MAX_CURSOR: Final = 253_402_300_799_000_000
"""The last microsecond-second of the year 9999: no later id was ever given."""


async def stream_feed(request: Request) -> Response:
    """Follow all matches of the tenant, or of one player: a lobby that says by itself where it is your turn.

    A player's feed begins with a `snapshot` of the open matches, that of bots with the matches that wait for one, a
    tenant's with an empty one. Then comes one
    `match.updated` for each match that changes, always with its newest state; changes in between may be left out, and
    a state may come twice. With `Last-Event-ID` it goes on with what has changed since. `drain`, `lagged` and `revoked`
    end it as they end a match's stream.
    """
    gateway = gateway_of(request)
    query = read_query(request, FeedQuery)
    must_accept_events(request)
    envelope = await _envelope(gateway, request, query)
    since = _last_event_id(request)
    authorization, player, bots = envelope.authorization, envelope.player, query.bots
    slot = gateway.slots.take(gateway.authenticator.read(authorization))
    reader = FeedReader(gateway.readers, slot, player=player, bots=bots)
    try:
        await gateway.feeds.join(reader, authorization)
        found = await gateway.feeds.read(authorization, player, since, bots=bots)
        if since is not None and not found.complete:
            since = None  # too long ago to tell what has changed: begin with how all stands
            found = await gateway.feeds.read(authorization, player, None, bots=bots)
    except BaseException:
        reader.abandon()
        raise
    return EventStream(reader, _opening(reader, found, since))


def _opening(reader: FeedReader, found: ReadFeedResponse, since: int | None) -> bytes:
    """Begin with what changed since an event, or with how all stands."""
    cursor = micros(found.cursor)
    reader.read_up_to(found.matches, cursor)
    if since is not None:
        return b"".join(match_updated(match, reader.player, cursor) for match in found.matches)
    shown = found.matches if reader.player or reader.bots else None
    return feed_snapshot(shown, reader.player, cursor)


async def _envelope(gateway: Gateway, request: Request, query: FeedQuery) -> Envelope:
    """Say who reads of whom: by the ticket, or by the credential."""
    if query.ticket is not None:
        judge_another_credential(request)
        envelope = await gateway.tickets.redeem(query.ticket, trace_of(request).metadata())
        if envelope.match_id is not None:
            raise ProblemError("TICKET_INVALID", "this ticket is for a match's stream")
        for name, said in (("player", query.player), ("bots", query.bots)):
            if said:
                raise malformed("the ticket says whose feed it is", code="CONTRADICTION", parameter=name)
        return envelope
    caller = gateway.authenticator.caller(request)
    if caller.claims is not None:
        raise ProblemError("TENANT_ONLY")
    if query.bots and query.player:
        raise malformed("`bots` goes with no player", code="CONTRADICTION", parameter="bots")
    return Envelope(caller.authorization, None, player=query.player)


def _last_event_id(request: Request) -> int | None:
    sent = (header(request, b"last-event-id") or "").strip()
    if sent.isascii() and sent.isdecimal() and len(sent) <= len(str(MAX_CURSOR)):
        return min(int(sent), MAX_CURSOR)
    return None


_EXAMPLE: Final = {
    "event": "match.updated",
    "id": "1769860812345678",
    "data": '{"match_id":"0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11","game":"river_dragons","version":42,"status":"running",'
    '"to_act":[0],"waiting_for":["ada"],"waiting_for_me":true,"waiting_bots":[]}',
}

ROUTES: Final = (
    documented(
        "GET",
        "/v1/feed",
        stream_feed,
        operation_id="streamFeed",
        summary="Follow all matches",
        tag="streams",
        query=FeedQuery,
        headers={"Last-Event-ID": "The id of the last event the client has."},
        answers={
            200: Answer(
                description="Server-sent events: `snapshot` (FeedSnapshotData), `match.updated` (FeedMatch), "
                "`lagged` (LaggedData), `drain` (DrainData), `revoked` (RevokedData); a comment every 15 s.",
                media_type=MEDIA_TYPE,
                events={
                    "snapshot": events.FeedSnapshotData,
                    "match.updated": events.FeedMatch,
                    "lagged": events.LaggedData,
                    "drain": events.DrainData,
                    "revoked": events.RevokedData,
                },
                examples={"a_match": _EXAMPLE},
            ),
        },
        problems=(400, 403, 406),
        by_ticket=True,
        bucket=Bucket.STREAMS,
    ),
)

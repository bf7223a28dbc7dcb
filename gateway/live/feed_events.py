"""What a feed tells, as framed events."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.timestamp_pb2 import Timestamp

from foldtable.platform.v1.feed_pb2 import FeedMatch
from gateway.messages import STATUSES
from gateway.schemas import events
from gateway.server_events import chunk, server_event


def feed_snapshot(matches: Iterable[FeedMatch] | None, player: str, cursor: int) -> bytes:
    """Begin a feed: with a player's open matches or those that wait for bots, or with nothing for a tenant."""
    shown = None if matches is None else [feed_match(match, player) for match in matches]
    return chunk(server_event("snapshot", events.FeedSnapshotData(matches=shown), cursor))


def match_updated(match: FeedMatch, player: str, cursor: int) -> bytes:
    """Give how a match stands now."""
    return chunk(server_event("match.updated", feed_match(match, player), cursor))


def feed_match(match: FeedMatch, player: str) -> events.FeedMatch:
    """Give how a match stands, for a player or for nobody in particular."""
    waiting = [match.players[seat] for seat in match.to_act if seat < len(match.players)]
    return events.FeedMatch(
        match_id=match.match_id,
        game=match.game,
        version=match.version,
        status=STATUSES[match.status],
        to_act=list(match.to_act),
        waiting_for=[one for one in waiting if one],
        waiting_for_me=player in waiting if player else None,
        waiting_bots=[
            events.WaitingBot(seat=bot.seat, level=bot.level or None, bot=bot.bot or None)
            for bot in match.bots
            if bot.seat in match.to_act
        ],
    )


def micros(stamp: Timestamp) -> int:
    """Give a time as microseconds since 1970: the id of a feed's events."""
    return stamp.seconds * 1_000_000 + stamp.nanos // 1_000


def moment(cursor: int) -> Timestamp:
    """Give the time of an id."""
    return Timestamp(seconds=cursor // 1_000_000, nanos=cursor % 1_000_000 * 1_000)

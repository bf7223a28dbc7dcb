"""The events of a feed, framed as server-sent events."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.timestamp_pb2 import Timestamp

from foldtable.platform.v1.feed_pb2 import FeedBot, FeedMatch
from gateway.http.sse import chunk, server_event
from gateway.schemas import events
from gateway.translate.struct_of import struct_of

_feed_match = struct_of(events.FeedMatch, FeedMatch, given=("waiting_for", "waiting_for_me", "waiting_bots"))
_waiting_bot = struct_of(events.WaitingBot, FeedBot)


def feed_snapshot(matches: Iterable[FeedMatch] | None, player: str, cursor: int) -> bytes:
    """Return a feed's first event: a player's open matches or those that wait for bots; for a tenant, no matches."""
    shown = None if matches is None else [feed_match(match, player) for match in matches]
    return chunk(server_event("snapshot", events.FeedSnapshotData(matches=shown), cursor))


def match_updated(match: FeedMatch, player: str, cursor: int) -> bytes:
    """Return the event for a match that has changed, with its current status."""
    return chunk(server_event("match.updated", feed_match(match, player), cursor))


def feed_match(match: FeedMatch, player: str) -> events.FeedMatch:
    """Return a match's current status, for a player or, if `player` is empty, for nobody in particular."""
    acting = [match.players[seat] for seat in match.to_act if seat < len(match.players)]
    waiting = dict.fromkeys([*acting, *(todo.player for todo in match.todos)])
    return _feed_match(
        match,
        waiting_for=[one for one in waiting if one],
        waiting_for_me=player in waiting if player else None,
        waiting_bots=[_waiting_bot(bot) for bot in match.bots if _is_waited_for(match, bot)],
    )


def _is_waited_for(match: FeedMatch, bot: FeedBot) -> bool:
    """Return whether a bot must act, or, being a tenant's own, has something else to do; the server's answer at once."""
    return bot.seat in match.to_act or (bool(bot.bot) and any(todo.seat == bot.seat for todo in match.todos))


def micros(stamp: Timestamp) -> int:
    """Return a time as microseconds since 1970: the id of a feed's events."""
    return stamp.seconds * 1_000_000 + stamp.nanos // 1_000


def moment(cursor: int) -> Timestamp:
    """Return the time that an event id stands for."""
    return Timestamp(seconds=cursor // 1_000_000, nanos=cursor % 1_000_000 * 1_000)

"""Translation between our messages about matches and boardgame.io's names."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import UNSET, Raw

from foldtable.matches.v1 import match_pb2
from foldtable.rules.v1.payload_pb2 import Payload
from gateway.schemas import bgio
from gateway.translate import messages

_OVER = (match_pb2.MATCH_STATUS_ENDED,)
_NOT_OVER = (match_pb2.MATCH_STATUS_WAITING, match_pb2.MATCH_STATUS_RUNNING)


def match(message: match_pb2.Match) -> bgio.BgioMatch:
    """Return a match without its state."""
    return bgio.BgioMatch(
        match_id=message.match_id,
        game_name=message.game,
        players=[_player(seat) for seat in message.seats],
        setup_data=Raw(message.options or b"{}"),
        unlisted=message.visibility != match_pb2.MATCH_VISIBILITY_PUBLIC,
        created_at=_milliseconds(message.create_time),
        updated_at=_milliseconds(message.update_time),
        gameover=messages.outcome(message.outcome) if message.HasField("outcome") else UNSET,
        next_match_id=message.next_match_id or UNSET,
    )


def _player(seat: match_pb2.Seat) -> bgio.BgioPlayer:
    """Return a seat. A taken seat always gets a name, because boardgame.io's client considers a seat without one free."""
    if not seat.taken:
        return bgio.BgioPlayer(id=seat.seat)
    return bgio.BgioPlayer(
        id=seat.seat,
        name=seat.name or seat.player or f"Player {seat.seat + 1}",
        data=Raw(seat.data) if seat.data else UNSET,
    )


def _milliseconds(time: Timestamp) -> int:
    return time.seconds * 1000 + time.nanos // 1_000_000


def statuses(*, is_gameover: bool | None) -> tuple[match_pb2.MatchStatus.ValueType, ...]:
    """Return the statuses of matches that are over, or of those that are not; none of them if both are wanted."""
    if is_gameover is None:
        return ()
    return _OVER if is_gameover else _NOT_OVER


def visibility(*, unlisted: bool) -> match_pb2.MatchVisibility.ValueType:
    """Return who can find a match in listings."""
    return match_pb2.MATCH_VISIBILITY_UNLISTED if unlisted else match_pb2.MATCH_VISIBILITY_PUBLIC


def options(setup_data: Raw | None) -> Payload | None:
    """Return a game's options; None if all have their defaults."""
    said = _said(setup_data)
    return Payload(json=said) if said else None


def player_data(data: Raw | None) -> bytes:
    """Return a player's data besides the name; empty for `null`, which boardgame.io's client sends for no data."""
    return _said(data)


def _said(value: Raw | None) -> bytes:
    return b"" if value is None or bytes(value) == b"null" else bytes(value)

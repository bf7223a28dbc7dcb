"""Messages about matches as boardgame.io names them, and back."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import UNSET, Raw, UnsetType

from foldtable.matches.v1 import match_pb2
from foldtable.rules.v1.payload_pb2 import Payload
from gateway import messages
from gateway.schemas import bgio

_OVER = (match_pb2.MATCH_STATUS_ENDED,)
_NOT_OVER = (match_pb2.MATCH_STATUS_WAITING, match_pb2.MATCH_STATUS_RUNNING)


def match(message: match_pb2.Match) -> bgio.BgioMatch:
    """Give a match without its table."""
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
    """Give a seat. Whoever sits there has a name: that client takes a seat without one for free."""
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
    """Give the statuses of matches that are over, or that are not; none for both."""
    if is_gameover is None:
        return ()
    return _OVER if is_gameover else _NOT_OVER


def visibility(*, unlisted: bool) -> match_pb2.MatchVisibility.ValueType:
    """Give who finds a match."""
    return match_pb2.MATCH_VISIBILITY_UNLISTED if unlisted else match_pb2.MATCH_VISIBILITY_PUBLIC


def options(setup_data: Raw | UnsetType) -> Payload | None:
    """Give a game's options; none for all defaults."""
    said = _said(setup_data)
    return Payload(json=said) if said else None


def player_data(data: Raw | UnsetType) -> bytes:
    """Give what a player says besides the name; nothing for `null`, which that client takes for unsaid."""
    return _said(data)


def _said(value: Raw | UnsetType) -> bytes:
    return b"" if value is UNSET or bytes(value) == b"null" else bytes(value)

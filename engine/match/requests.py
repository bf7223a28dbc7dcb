"""The request of a row of the log: a start, an action, a resignation, a time-out, or one of the server's own requests.

Every row's request is kept as canonical JSON. Start, fork, resignation, time-out and the server's own requests belong to
every game. Their tags distinguish them from a game's actions, so no game may use these tags.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from engine.kernel.chance import Chance
from engine.kernel.codec import Codec, encode
from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.records import Event
from engine.kernel.seats import Seat
from engine.match import absence
from engine.match.absence import TimeOut
from engine.match.commands import REQUEST_TAGS, MatchCommand
from engine.match.forking import Fork


class StartMatch(msgspec.Struct, frozen=True, kw_only=True, tag="start_match", forbid_unknown_fields=True):
    """The first row of every match; requested by the system, not by a seat."""

    seats: int
    options: msgspec.Raw
    """The game's options as JSON."""


class Resign(msgspec.Struct, frozen=True, kw_only=True, tag="resign", forbid_unknown_fields=True):
    """The asking seat leaves the match for good."""


RESIGN: Final = encode(Resign())
_SYSTEM: Final = Codec[StartMatch | Fork | Resign | TimeOut | MatchCommand](
    StartMatch | Fork | Resign | TimeOut | MatchCommand
)
_SYSTEM_TAGS: Final = frozenset({"start_match", "fork", "resign", "time_out"}) | REQUEST_TAGS


class _Tagged(msgspec.Struct):
    type: str


_TAG: Final = msgspec.json.Decoder(_Tagged)


def start_request(options: Any, seats: int) -> bytes:
    """Return the request of a match's first row."""
    return encode(StartMatch(seats=seats, options=msgspec.Raw(encode(options))))


def read_request(game: AnyGame, request: bytes) -> Any:
    """Return StartMatch, Fork, Resign, TimeOut, a MatchCommand, or one of the game's actions. Raises Unreadable if it is none."""
    try:
        tag = _TAG.decode(request).type
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        tag = ""  # the game's own codec says what is wrong, and where
    if tag in _SYSTEM_TAGS:
        return _SYSTEM.decode(request)
    return game.action_codec.decode(request)


def decide_request(
    game: AnyGame, state: Any, seat: Seat | None, request: Any, chance: Chance
) -> tuple[Event, ...]:
    """Decide any request that changes the game's state, on any state (None before the start).

    The live service and verifiers both call this; undoing.py decides the server's own requests.
    """
    match request:
        case StartMatch():
            if state is not None or seat is not None:
                raise Unreadable("a match starts once, and no seat starts it")
            check_seat_count(game, request.seats)
            options = game.options_codec.decode(bytes(request.options))
            return game.start(options, request.seats, chance)
        case Fork():
            raise Unreadable("a fork begins at the table of another match, which is not here")
        case _ if state is None or seat is None:
            raise Unreadable("only a start comes before the start, and only a seat may ask for more")
        case Resign():
            return game.leave(state, seat, chance)
        case TimeOut():
            return absence.decide(game, state, seat, request, chance)
        case _ if isinstance(request, MatchCommand):
            raise Unreadable("this is for the server to decide, not for the game")
        case _:
            return game.decide(state, seat, request, chance)


def check_seat_count(game: AnyGame, seats: int) -> None:
    """Raises RuleViolation if the game does not support this number of players."""
    if seats not in game.seat_counts:
        raise RuleViolation(
            TableCode.SEAT_COUNT, rule="1", field="seats", seats=seats, allowed=game.seat_counts
        )

"""The texts of what every game has: the server's own events and requests."""

from __future__ import annotations

from typing import Any, Final, get_args

import msgspec

from engine.kernel.game import AnyGame
from engine.kernel.records import Event
from engine.kernel.seats import Audience, Seat
from engine.kernel.text.text import NONE, Text
from engine.kernel.text.texts import SHARED, Texts
from engine.kernel.text.words import SEAT, Word
from engine.match.absence import TimeOut
from engine.match.commands import (
    Abandon,
    AbortedBy,
    AnyMatchEvent,
    Forked,
    MatchCommand,
    MatchEvent,
    PausedBy,
)
from engine.match.forking import Fork
from engine.match.requests import Resign, StartMatch

_AS_IT_IS: Final = Word(str)
_NOTHING: Final = Word(lambda _: NONE)

MATCH_TEXTS: Final = Texts(
    package=SHARED,
    words={
        AbortedBy: _AS_IT_IS,
        PausedBy: _AS_IT_IS,
        msgspec.Raw: _NOTHING,
        Audience: Word(lambda audience: str(audience.kind)),
    },
)
SERVER_EVENTS: Final[tuple[type[Event], ...]] = (*get_args(AnyMatchEvent), Forked)
REQUESTS: Final[tuple[type[msgspec.Struct], ...]] = (
    Resign,
    *(one for one in get_args(MatchCommand) if one is not Abandon),  # no seat asks for it
)


def event_text(game: AnyGame, event: Event) -> Text:
    """Return the log line of any event of a match."""
    return (MATCH_TEXTS if isinstance(event, MatchEvent) else game.texts).event(event)


def request_text(game: AnyGame, seat: Seat | None, request: Any) -> Text | None:
    """Return the log line of any request of a row; None for a start, which its events describe."""
    match request:
        case StartMatch() | Fork():
            return None
        case TimeOut():
            return Text("action.time_out.log", {"seat": NONE if seat is None else SEAT.arg(seat)})
        case _ if seat is None:
            return None
        case _ if isinstance(request, REQUESTS):
            return MATCH_TEXTS.chosen(seat, request)
        case _:
            return game.texts.chosen(seat, request)

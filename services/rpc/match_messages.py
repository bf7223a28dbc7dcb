"""A match without its table, as a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from engine.kernel.outcome import Outcome
from engine.kernel.seats import Audience
from engine.match.commands import PausedBy
from foldtable.matches.v1 import clock_pb2, match_pb2
from foldtable.rules.v1 import table_pb2
from services.movelog.clocks import Clock, Clocks, SeatClock
from services.movelog.notes import Notes
from services.movelog.proposals import Todo
from services.movelog.records import Match, SeatRecord, SeatState, Status
from services.rpc.bot_names import level_of, own_name_of
from services.rpc.enums import numbers_of
from services.rpc.message_from import message_from

STATUSES: Final = numbers_of(Status, match_pb2.MatchStatus.DESCRIPTOR)
_PAUSED_BY: Final = numbers_of(PausedBy, match_pb2.PausedBy.DESCRIPTOR)
_OUTCOME: Final = msgspec.json.Decoder(Outcome)


audience_message: Final = message_from(table_pb2.Audience, Audience)
outcome_message: Final = message_from(table_pb2.Outcome, Outcome)
seat_message: Final = message_from(
    match_pb2.Seat,
    SeatRecord,
    taken=lambda row: row.state is SeatState.TAKEN,
    level=lambda row: level_of(row.bot),
    bot=lambda row: own_name_of(row.bot),
)
todo_message: Final = message_from(match_pb2.Todo, Todo)
_seat_clock: Final = message_from(clock_pb2.SeatClock, SeatClock, given=("away",), on_vacation="resting")
_clocks: Final = message_from(clock_pb2.Clocks, Clocks, given=("seats",))
_match: Final = message_from(
    match_pb2.Match,
    Match,
    given=("seats", "clocks", "todos", "reference", "metadata"),
    unset=("next_match_id",),
    match_id="known_as",
    paused_by=lambda match: None if match.status is Status.ENDED else _PAUSED_BY.get(match.paused_by),
    secret=lambda match: match.secret if match.status is Status.ENDED else None,
    outcome=lambda match: None if match.outcome is None else outcome_message(_OUTCOME.decode(match.outcome)),
)


def clocks_message(clock: Clock, clocks: Clocks) -> clock_pb2.Clocks:
    """Return what each seat of a running match has left."""
    seats = [_seat_clock(one, away=one.time_outs >= clock.away_after) for one in clocks.seats]
    return _clocks(clocks, seats=seats)


def match_message(
    match: Match,
    seats: Sequence[SeatRecord],
    clocks: Clocks | None = None,
    todos: Sequence[Todo] = (),
    notes: Notes | None = None,
) -> match_pb2.Match:
    """Return a match without its table; the secret only once it has ended. `notes` only for whom they are shown to."""
    shown = None if match.clock is None or clocks is None else clocks_message(match.clock, clocks)
    return _match(
        match,
        seats=map(seat_message, seats),
        clocks=shown,
        todos=map(todo_message, todos),
        reference=None if notes is None else notes.reference,
        metadata=None if notes is None else notes.metadata,
    )

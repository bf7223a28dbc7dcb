"""Taking back: what the house decides when a seat asks for an undo, a redo, answers a proposal, or comes back.

What is asked of the house at all comes in here; calling a match off goes on to aborting.py.

Own moves are taken back freely as far as boundary.py allows; beyond that every other seat that has not left is asked.
Nobody comes back by an undo: what goes before a resignation stands. Nothing is taken back once the match is over, for
then its luck is public.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from engine.kernel import aborting, absence, boundary, consent
from engine.kernel.boundary import FreeUndo, Move, Obstacle
from engine.kernel.course import Course, Place
from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.house import (
    Abort,
    AnswerAbort,
    AnswerUndo,
    HouseEvent,
    MoveRedone,
    MoveUndone,
    Redo,
    ReturnToSeat,
    SeatReturned,
    Undo,
    UndoAnswered,
    UndoProposed,
)
from engine.kernel.seats import Seat

RULE: Final = "undo"
"""Stands where a refusal of a game names its paragraph."""


class NoUndo(StrEnum):
    """Why an undo cannot even be proposed; beside the reasons of boundary.py. Stable."""

    NOT_ON_THE_WAY = "NOT_ON_THE_WAY"
    """The match, as it stands, never came by that version: what it led to was taken back."""
    SEAT_LEFT = "SEAT_LEFT"
    """A seat has left for good since."""
    YOU_LEFT = "YOU_LEFT"
    """The asking seat has left for good."""
    REFUSED_BEFORE = "REFUSED_BEFORE"
    """The others refused this seat a moment ago, and nothing was moved since."""
    SWITCHED_OFF = "SWITCHED_OFF"
    """This match was made without undo."""
    ONLY_FREE = "ONLY_FREE"
    """This match was made without undo by consent."""
    TOO_OFTEN = "TOO_OFTEN"
    """So much was taken back and put back that from here on only moves are made. How much, the service says."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """What deciding needs of a match."""

    game: AnyGame
    course: Course
    state: Any
    seats: int
    moves: Callable[[Sequence[Place]], Sequence[Move]]
    """Gives the moves of places (newest first) in order, oldest first, each with the table it was made on."""


def decide(table: Table, seat: Seat | None, request: Any) -> tuple[HouseEvent, ...]:
    """Give the events of a request of the house; RuleViolation says why not."""
    aborting.must_not_be_aborted(table.course)
    if table.state is not None and table.game.outcome(table.state) is not None:
        raise RuleViolation(TableCode.MATCH_OVER, rule=RULE)
    if seat is None and isinstance(request, Abort):
        return aborting.by_tenant()
    if table.state is None or seat is None:
        raise Unreadable("only a seat may ask for this, and only after the start")
    if isinstance(request, Abort | AnswerAbort):
        return aborting.decide(table.course, table.seats, seat, request)
    if isinstance(request, ReturnToSeat):
        return _return(table.course, seat)
    if seat in table.course.left():
        raise not_allowed(NoUndo.YOU_LEFT)
    match request:
        case Undo(to=to):
            return _undo(table, seat, to)
        case Redo():
            return _redo(table.course, seat)
        case AnswerUndo(accept=accept):
            return _answer(table, seat, accept=accept)
        case _:
            raise Unreadable("this is for the game to decide, not for the house")


def _return(course: Course, seat: Seat) -> tuple[HouseEvent, ...]:
    """Whether the seat was away is for the keeper of the clocks to say; the log knows only who has left for good."""
    if seat in course.left():
        raise RuleViolation(TableCode.NOT_AWAY, rule=absence.RULE)
    return (SeatReturned(seat=seat),)


def obstacle(table: Table, seat: Seat, to: int) -> Obstacle | None:
    """Say why the seat may not go back there by itself; None if it may. RuleViolation where nobody may."""
    gone = table.course.taken_back(to)
    if gone is None:
        raise not_allowed(NoUndo.NOT_ON_THE_WAY)
    if not gone:
        raise RuleViolation(TableCode.NOTHING_TO_UNDO, rule=RULE, to=to)
    for place in gone:
        if place.resigned:
            raise not_allowed(NoUndo.SEAT_LEFT, seq=place.seq)
    moves = table.moves(gone)
    return boundary.obstacle(table.game, moves, table.seats, seat, moves[0].seq - 1)


def free(table: Table, seat: Seat) -> FreeUndo:
    """Give how far the seat may go back by itself, and why not further; `to` is the present version if not at all."""
    version = table.course.version
    moves = table.moves(tail(table.course, seat))
    found = boundary.free_undo(table.game, moves, table.seats, seat)
    return msgspec.structs.replace(found, to=version) if found.to == moves[-1].seq else found


def tail(course: Course, seat: Seat) -> tuple[Place, ...]:
    """Give what `free` looks at: the latest rows back to another seat's before the seat's own last ones, newest first."""
    latest: list[Place] = []
    own = False
    for place in course.head.back():
        latest.append(place)
        if own and place.seat != seat:
            break
        own = own or place.seat == seat
    return tuple(latest)


def not_allowed(reason: NoUndo | boundary.Reason, *, seq: int | None = None) -> RuleViolation:
    """Give the refusal of an undo; `seq` is the move in the way."""
    if seq is None:
        return RuleViolation(TableCode.UNDO_NOT_ALLOWED, rule=RULE, reason=reason.value)
    return RuleViolation(TableCode.UNDO_NOT_ALLOWED, rule=RULE, reason=reason.value, seq=seq)


def _undo(table: Table, seat: Seat, to: int) -> tuple[HouseEvent, ...]:
    if obstacle(table, seat, to) is None or not consent.others(table.course, table.seats, seat):
        return (MoveUndone(seat=seat, to=to),)
    if seat in table.course.refused:
        raise not_allowed(NoUndo.REFUSED_BEFORE)
    return (UndoProposed(seat=seat, to=to),)


def _redo(course: Course, seat: Seat) -> tuple[HouseEvent, ...]:
    if not course.redoable:
        raise RuleViolation(TableCode.NOTHING_TO_REDO, rule=RULE)
    last = course.redoable[-1]
    if last.seat != seat:
        raise not_allowed(boundary.Reason.NOT_YOURS, seq=last.version)
    return (MoveRedone(seat=seat, to=last.version - 1),)


def _answer(table: Table, seat: Seat, *, accept: bool) -> tuple[HouseEvent, ...]:
    proposal = consent.answerable(table.course, table.seats, seat, abort=False, rule=RULE)
    assert proposal.to is not None  # it is about an undo
    answered = UndoAnswered(seat=seat, accept=accept)
    if consent.settled(table.course, table.seats, proposal, seat, accept=accept):
        return (answered, MoveUndone(seat=proposal.seat, to=proposal.to))
    return (answered,)

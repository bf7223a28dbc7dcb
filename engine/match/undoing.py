"""Undo: the server's decision when a seat asks for an undo or a redo, answers a proposal, or returns.

All of the server's own requests come in here; those to call a match off, to pause it, to give a seat to another player and to
change clocks are passed on.

A seat takes its own moves back freely as far as boundary.py allows; beyond that every other seat that has not left is asked.
An undo cannot go back past a resignation, so it brings no player back. Nothing is taken back after the match is over,
because its secret is then public.

§undo Taking moves back. A seat takes its own latest moves back without asking, as long as none of them drew luck or
revealed anything and nobody has moved since. To go back further, every other seat that has not left must agree. A
match may be created without undo, or only with undo that needs no consent. No undo brings back a seat that has left,
nor continues a match that is over. What was taken back can be restored until the next move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match import aborting, absence, boundary, clock_changes, consent, pausing, replacement
from engine.match.boundary import FreeUndo, Move, Obstacle
from engine.match.commands import (
    Abandon,
    Abort,
    AddTime,
    AnswerAbort,
    AnswerPause,
    AnswerReplacement,
    AnswerUndo,
    AskToReplace,
    BeginVacation,
    EndVacation,
    MatchEvent,
    MoveRedone,
    MoveUndone,
    Pause,
    Redo,
    Resume,
    ReturnToSeat,
    SeatReturned,
    Undo,
    UndoAnswered,
    UndoProposed,
)
from engine.match.timeline import ProposalKind, Timeline, TimelinePlace

RULE: Final = "undo"
"""The `rule` of these refusals, where a game's refusal names its paragraph."""


class NoUndo(StrEnum):
    """Why an undo cannot even be proposed, in addition to the reasons in boundary.py. Stable."""

    NOT_ON_THE_WAY = "NOT_ON_THE_WAY"
    """The version is not on the match's present line: what it led to was taken back."""
    SEAT_LEFT = "SEAT_LEFT"
    """A seat has left for good since."""
    YOU_LEFT = "YOU_LEFT"
    """The asking seat has left for good."""
    REFUSED_BEFORE = "REFUSED_BEFORE"
    """The others refused this seat's proposal, and no move was made since."""
    SWITCHED_OFF = "SWITCHED_OFF"
    """This match was created without undo."""
    ONLY_FREE = "ONLY_FREE"
    """This match was created without undo by consent."""
    TOO_OFTEN = "TOO_OFTEN"
    """The match has used up its undos and redos; only moves are possible now. The service sets the limit."""


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a match that deciding needs."""

    game: AnyGame
    timeline: Timeline
    state: Any
    seats: int
    moves: Callable[[Sequence[TimelinePlace]], Sequence[Move]]
    """Returns the moves of places (newest first), oldest first, each with the state in which it was made."""


def decide(table: Position, seat: Seat | None, request: Any) -> tuple[MatchEvent, ...]:
    """Return the events of one of the server's own requests. Raises RuleViolation if it is refused."""
    aborting.must_not_be_aborted(table.timeline)
    if table.state is not None and table.game.outcome(table.state) is not None:
        raise RuleViolation(TableCode.MATCH_OVER, rule=RULE)
    if seat is None and isinstance(request, Abort | Abandon):
        return aborting.by_tenant() if isinstance(request, Abort) else aborting.by_absence()
    if table.state is None:
        raise Unreadable("nobody may ask for this before the start")
    if isinstance(request, Pause | AnswerPause | Resume):
        return pausing.decide(table.timeline, table.seats, seat, request)
    if isinstance(request, AddTime):
        return clock_changes.added(table.timeline, table.seats, seat, request)
    if seat is None:
        raise Unreadable("only a seat may ask for this")
    if isinstance(request, Abort | AnswerAbort):
        return aborting.decide(table.timeline, table.seats, seat, request)
    if isinstance(request, AskToReplace | AnswerReplacement):
        return replacement.decide(table.timeline, table.seats, seat, request)
    return _of_a_seat(table, seat, request)


def _of_a_seat(table: Position, seat: Seat, request: Any) -> tuple[MatchEvent, ...]:
    """Return the events of a request that is about one seat: whether its player is there, or what it takes back."""
    if isinstance(request, BeginVacation | EndVacation):
        return clock_changes.vacation(table.timeline, seat, request)
    if isinstance(request, ReturnToSeat):
        return _return(table.timeline, seat)
    pausing.must_not_be_paused(table.timeline)
    if seat in table.timeline.left():
        raise not_allowed(NoUndo.YOU_LEFT)
    match request:
        case Undo(to=to):
            return _undo(table, seat, to)
        case Redo():
            return _redo(table.timeline, seat)
        case AnswerUndo(accept=accept):
            return _answer(table, seat, accept=accept)
        case _:
            raise Unreadable("this is for the game to decide, not for the server")


def _return(timeline: Timeline, seat: Seat) -> tuple[MatchEvent, ...]:
    """Return the events of a return. The clocks know whether the seat was away; the log knows only who has left for good."""
    if seat in timeline.left():
        raise RuleViolation(TableCode.NOT_AWAY, rule=absence.RULE)
    return (SeatReturned(seat=seat),)


def obstacle(table: Position, seat: Seat, to: int) -> Obstacle | None:
    """Return why the seat may not go back there on its own; None if it may. Raises RuleViolation if nobody may."""
    gone = table.timeline.taken_back(to)
    if gone is None:
        raise not_allowed(NoUndo.NOT_ON_THE_WAY)
    if not gone:
        raise RuleViolation(TableCode.NOTHING_TO_UNDO, rule=RULE, to=to)
    for place in gone:
        if place.resigned:
            raise not_allowed(NoUndo.SEAT_LEFT, seq=place.seq)
    moves = table.moves(gone)
    return boundary.obstacle(table.game, moves, table.seats, seat, moves[0].seq - 1)


def free(table: Position, seat: Seat) -> FreeUndo:
    """Return how far the seat may go back on its own, and why not further; `to` is the present version if it may not."""
    version = table.timeline.version
    moves = table.moves(tail(table.timeline, seat))
    found = boundary.free_undo(table.game, moves, table.seats, seat)
    return msgspec.structs.replace(found, to=version) if found.to == moves[-1].seq else found


def tail(timeline: Timeline, seat: Seat) -> tuple[TimelinePlace, ...]:
    """Return the rows that `free` reads: the latest rows back to another seat's before the seat's own last ones, newest first."""
    latest: list[TimelinePlace] = []
    own = False
    for place in timeline.head.back():
        latest.append(place)
        if own and place.seat != seat:
            break
        own = own or place.seat == seat
    return tuple(latest)


def not_allowed(reason: NoUndo | boundary.UndoBoundaryReason, *, seq: int | None = None) -> RuleViolation:
    """Return the refusal of an undo; `seq` is the move in the way."""
    if seq is None:
        return RuleViolation(TableCode.UNDO_NOT_ALLOWED, rule=RULE, reason=reason.value)
    return RuleViolation(TableCode.UNDO_NOT_ALLOWED, rule=RULE, reason=reason.value, seq=seq)


def _undo(table: Position, seat: Seat, to: int) -> tuple[MatchEvent, ...]:
    if obstacle(table, seat, to) is None or not consent.others(table.timeline, table.seats, seat):
        return (MoveUndone(seat=seat, to=to),)
    if (ProposalKind.UNDO, seat) in table.timeline.refused:
        raise not_allowed(NoUndo.REFUSED_BEFORE)
    return (UndoProposed(seat=seat, to=to),)


def _redo(timeline: Timeline, seat: Seat) -> tuple[MatchEvent, ...]:
    if not timeline.redoable:
        raise RuleViolation(TableCode.NOTHING_TO_REDO, rule=RULE)
    last = timeline.redoable[-1]
    if last.seat != seat:
        raise not_allowed(boundary.UndoBoundaryReason.NOT_YOURS, seq=last.version)
    return (MoveRedone(seat=seat, to=last.version - 1),)


def _answer(table: Position, seat: Seat, *, accept: bool) -> tuple[MatchEvent, ...]:
    proposal = consent.answerable(table.timeline, table.seats, seat, kind=ProposalKind.UNDO, rule=RULE)
    assert proposal.to is not None  # it is about an undo
    answered = UndoAnswered(seat=seat, accept=accept)
    if consent.settled(table.timeline, table.seats, proposal, seat, accept=accept):
        return (answered, MoveUndone(seat=proposal.seat, to=proposal.to))
    return (answered,)

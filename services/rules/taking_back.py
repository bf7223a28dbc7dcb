"""What is asked of the house at a table: what engine/kernel/undoing.py decides, within what the match allows, and in time.

A proposal ends by itself when its time is up. Nobody watches the clock: whoever answers or looks after that finds it gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from engine.kernel import aborting, absence, consent, undoing
from engine.kernel.boundary import FreeUndo
from engine.kernel.course import Place, Proposal
from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.house import (
    Abort,
    AbortProposed,
    AnswerAbort,
    AnswerUndo,
    HouseEvent,
    HouseRequest,
    Redo,
    ReturnToSeat,
    Undo,
    UndoProposed,
)
from engine.kernel.seats import Seat
from services.movelog.records import Status, UndoRule
from services.rpc.refusals import Reason, Refused, rule_broken
from services.rules.tables import Table, Tables

MOST_ROWS: Final = 1_000
MOST_ROWS_FOR_EACH: Final = 4
"""Beyond so many rows, and so many for each that counts, nothing is taken back or put back: both are free and change
nothing, so a match could be made as long as one likes, and its export too long to be read."""


@dataclass(frozen=True, kw_only=True)
class OpenProposal:
    """A proposal that waits for the others."""

    proposal: Proposal
    expires_at: datetime
    waiting: tuple[Seat, ...]
    """Who has not answered yet."""


@dataclass(frozen=True, kw_only=True)
class UndoState:
    """What a seat may take back now."""

    version: int
    rule: UndoRule
    free: FreeUndo | None
    """None where the match allows no undo, or is over."""
    refusal: str
    """Why nothing at all can be taken back; empty if something may."""
    earliest: int
    """The earliest version that can be proposed; the present one if none can."""
    redo: bool
    proposal: OpenProposal | None


async def judge(
    tables: Tables, table: Table, seat: Seat | None, request: HouseRequest, now: datetime
) -> tuple[HouseEvent, ...]:
    """Give the events of a request of the house on the table as it stands; Refused with the reason."""
    if table.version == 0 and (seat is not None or not isinstance(request, Abort)):
        raise Refused(Reason.MATCH_NOT_STARTED, "the match waits for players")
    try:
        if table.match.undo is UndoRule.NONE and isinstance(request, Undo | Redo | AnswerUndo):
            raise undoing.not_allowed(undoing.NoUndo.SWITCHED_OFF)
        if isinstance(request, Undo | Redo) and _too_often(table):
            raise undoing.not_allowed(undoing.NoUndo.TOO_OFTEN)
        places = (table.course.taken_back(request.to) if isinstance(request, Undo) else None) or ()
        decided = await _decider(tables, table, places)
        events = undoing.decide(decided, seat, request)
        _in_time(table, decided, seat, request, events, now)
    except RuleViolation as violation:
        raise rule_broken(violation, game=table.game.id) from violation
    return events


def _in_time(
    table: Table,
    decided: undoing.Table,
    seat: Seat | None,
    request: HouseRequest,
    events: tuple[HouseEvent, ...],
    now: datetime,
) -> None:
    """Refuse what the rules of the house allow, but not this match, or not any more."""
    is_open = proposal_of(table, now) is not None
    match request:
        case ReturnToSeat() if table.match.clock is None:
            raise RuleViolation(TableCode.NOT_AWAY, rule=absence.RULE)
        case AnswerUndo() if not is_open:
            raise RuleViolation(TableCode.NO_PROPOSAL, rule=undoing.RULE)
        case AnswerAbort() if not is_open:
            raise RuleViolation(TableCode.NO_PROPOSAL, rule=aborting.RULE)
        case Abort() if is_open and isinstance(events[0], AbortProposed):
            raise RuleViolation(TableCode.PROPOSAL_OPEN, rule=aborting.RULE)
        case Undo(to=to) if isinstance(events[0], UndoProposed):
            if table.match.undo is UndoRule.FREE and seat is not None:
                found = undoing.obstacle(decided, seat, to)
                assert found is not None  # else it would have been free
                raise undoing.not_allowed(found.reason, seq=found.seq)
            if is_open:
                raise RuleViolation(TableCode.PROPOSAL_OPEN, rule=undoing.RULE)


def proposal_of(table: Table, now: datetime) -> OpenProposal | None:
    """Give the open proposal, if its time is not up."""
    proposal, since = table.course.proposal, table.proposed_at
    if proposal is None or since is None or table.status is not Status.RUNNING:
        return None
    expires_at = since + table.match.undo_timeout
    if now >= expires_at:
        return None
    waiting = consent.waiting(table.course, table.match.seats, proposal)
    return OpenProposal(proposal=proposal, expires_at=expires_at, waiting=waiting)


async def look(tables: Tables, table: Table, seat: Seat, now: datetime) -> UndoState:
    """Say what a seat may take back now, how far, and why not further. The table is up to date."""
    left = table.course.left()
    refusal = ""
    if table.match.undo is UndoRule.NONE:
        refusal = undoing.NoUndo.SWITCHED_OFF.value
    elif table.status is not Status.RUNNING:
        refusal = TableCode.MATCH_OVER.value if table.version else Reason.MATCH_NOT_STARTED.value
    elif seat in left:
        refusal = undoing.NoUndo.YOU_LEFT.value
    elif _too_often(table):
        refusal = undoing.NoUndo.TOO_OFTEN.value
    found = None
    earliest = table.version
    if not refusal:
        found = undoing.free(await _decider(tables, table, undoing.tail(table.course, seat)), seat)
        earliest = _earliest(table, seat, found)
    redoable = table.course.redoable
    return UndoState(
        version=table.version,
        rule=table.match.undo,
        free=found,
        refusal=refusal,
        earliest=earliest,
        redo=not refusal and bool(redoable) and redoable[-1].seat == seat,
        proposal=proposal_of(table, now),
    )


def _too_often(table: Table) -> bool:
    return table.version > MOST_ROWS and table.version > MOST_ROWS_FOR_EACH * len(table.course.line())


def _earliest(table: Table, seat: Seat, found: FreeUndo) -> int:
    """Give how far back the others may be asked to go: to the start, but to nothing before a resignation."""
    if table.match.undo is not UndoRule.CONSENT or seat in table.course.refused:
        return found.to
    earliest = table.version
    for place in table.course.head.back():
        if place.resigned or place.seat is None:
            break
        earliest = place.seq - 1
    return earliest


async def _decider(tables: Tables, table: Table, places: tuple[Place, ...]) -> undoing.Table:
    """Give what the house decides on, with the moves of these places at hand."""
    moves: dict[int, Any] = {move.seq: move for move in await tables.moves_of(table, places)}
    return undoing.Table(
        game=table.game,
        course=table.course,
        state=table.state,
        seats=table.match.seats,
        moves=lambda wanted: tuple(moves[place.seq] for place in reversed(wanted)),
    )

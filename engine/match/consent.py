"""Consent: one seat makes a proposal and every other seat that has not left answers; a single refusal ends it.

One proposal is open at a time, to take moves back, to call the match off, to pause it, or to give the seat to another
player. The service watches its time limit.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.seats import Seat
from engine.match.commands import (
    AbortAnswered,
    AbortProposed,
    MatchEvent,
    PauseAnswered,
    PauseProposed,
    ReplacementAnswered,
    ReplacementProposed,
    SeatReturned,
    TimeAdded,
    UndoAnswered,
    UndoProposed,
    VacationBegan,
    VacationEnded,
)
from engine.match.timeline import Proposal, ProposalKind, Timeline, proposed


def others(timeline: Timeline, seats: int, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats whose consent is needed: all except the proposing one and those that have left."""
    left = timeline.left()
    return tuple(Seat(one) for one in range(seats) if one != seat and one not in left)


def waiting(timeline: Timeline, seats: int, proposal: Proposal) -> tuple[Seat, ...]:
    """Return the seats that have not answered yet."""
    return tuple(seat for seat in others(timeline, seats, proposal.seat) if seat not in proposal.accepted)


def answerable(timeline: Timeline, seats: int, seat: Seat, *, kind: ProposalKind, rule: str) -> Proposal:
    """Return the open proposal of this kind that the seat may answer. Raises RuleViolation NO_PROPOSAL if there is none."""
    proposal = timeline.proposal
    if proposal is None or proposal.kind is not kind or seat not in waiting(timeline, seats, proposal):
        raise RuleViolation(TableCode.NO_PROPOSAL, rule=rule)
    return proposal


def settled(timeline: Timeline, seats: int, proposal: Proposal, seat: Seat, *, accept: bool) -> bool:
    """Return whether everybody agrees once this seat has answered."""
    return accept and waiting(timeline, seats, proposal) == (seat,)


def after(before: Proposal | None, seq: int, events: Sequence[MatchEvent]) -> Proposal | None:
    """Return the proposal that is open after a row of the server's events, as the timeline has it once the row is in the log."""
    proposal = before
    for event in events:
        match event:
            case UndoProposed() | AbortProposed() | PauseProposed() | ReplacementProposed():
                proposal = proposed(seq, event)
            case UndoAnswered() | AbortAnswered() | PauseAnswered() | ReplacementAnswered() if (
                event.accept and proposal
            ):
                proposal = replace(proposal, accepted=(*proposal.accepted, event.seat))
            case SeatReturned() | TimeAdded() | VacationBegan() | VacationEnded():
                pass
            case _:  # a refusal, or what was proposed, or an undo or redo of one's own
                proposal = None
    return proposal


def answer_in(events: Sequence[MatchEvent]) -> bool | None:
    """Return what a seat has answered in a row of the server's events; None if it holds no answer."""
    for event in events:
        if isinstance(event, UndoAnswered | AbortAnswered | PauseAnswered | ReplacementAnswered):
            return event.accept
    return None

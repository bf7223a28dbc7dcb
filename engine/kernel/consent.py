"""Consent: one seat proposes, every other that has not left answers; a single refusal ends it.

One proposal is open at a time, to take moves back or to call the match off. Its time limit is the service's to watch.
"""

from __future__ import annotations

from engine.kernel.course import Course, Proposal
from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.seats import Seat


def others(course: Course, seats: int, seat: Seat) -> tuple[Seat, ...]:
    """Give the seats that are asked for consent: all but the asking one and those who have left."""
    left = course.left()
    return tuple(Seat(one) for one in range(seats) if one != seat and one not in left)


def waiting(course: Course, seats: int, proposal: Proposal) -> tuple[Seat, ...]:
    """Give the seats that have not answered yet."""
    return tuple(seat for seat in others(course, seats, proposal.seat) if seat not in proposal.accepted)


def answerable(course: Course, seats: int, seat: Seat, *, abort: bool, rule: str) -> Proposal:
    """Give the open proposal of this kind that the seat may answer; RuleViolation NO_PROPOSAL."""
    proposal = course.proposal
    if proposal is None or (proposal.to is None) is not abort or seat not in waiting(course, seats, proposal):
        raise RuleViolation(TableCode.NO_PROPOSAL, rule=rule)
    return proposal


def settled(course: Course, seats: int, proposal: Proposal, seat: Seat, *, accept: bool) -> bool:
    """Tell whether everybody agrees once this seat has answered."""
    return accept and waiting(course, seats, proposal) == (seat,)

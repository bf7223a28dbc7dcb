"""Consent of the table to another player for a seat.

Who has a seat is no matter of the log, so a replacement is no row of it (services/rules/seats/replacing.py): the log only says
that the others were asked and have agreed. Whoever replaces the player looks that up if the table is to have a say.

§replace Another player for a seat. The tenant may give the seat of a running match to another player. It may ask the table
first, and so may the seat's own player: every other seat that has not left is asked, and all of them must agree. Their
agreement holds for the player who has the seat at that moment. This is possible in a pause, too. A seat that has left
stays empty; if the others refused, they are not asked again for that seat before somebody has moved.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.seats import Seat
from engine.match import consent
from engine.match.commands import (
    AnswerReplacement,
    AskToReplace,
    MatchEvent,
    ReplacementAgreed,
    ReplacementAnswered,
    ReplacementProposed,
)
from engine.match.timeline import ProposalKind, Timeline

RULE: Final = "replace"
"""The `rule` of these refusals, where a game's refusal names its paragraph."""


class NoReplacement(StrEnum):
    """Why the table cannot be asked for another player. Stable."""

    SEAT_LEFT = "SEAT_LEFT"
    """The seat has left for good."""
    REFUSED_BEFORE = "REFUSED_BEFORE"
    """The others refused it for this seat, and no move was made since."""
    TOO_OFTEN = "TOO_OFTEN"
    """Too many rows of the match are no moves; only moves are possible now. The service sets the limit."""


def decide(
    timeline: Timeline, seats: int, seat: Seat, request: AskToReplace | AnswerReplacement
) -> tuple[MatchEvent, ...]:
    """Return the events of a request; to ask, `seat` is the seat in question. Raises RuleViolation if it is refused."""
    match request:
        case AskToReplace():
            return _ask(timeline, seats, seat)
        case AnswerReplacement(accept=accept):
            proposal = consent.answerable(timeline, seats, seat, kind=ProposalKind.REPLACE, rule=RULE)
            answered = ReplacementAnswered(seat=seat, accept=accept)
            if consent.settled(timeline, seats, proposal, seat, accept=accept):
                return (answered, ReplacementAgreed(seat=proposal.seat))
            return (answered,)


def not_allowed(reason: NoReplacement) -> RuleViolation:
    """Return the refusal to ask the table."""
    return RuleViolation(TableCode.REPLACEMENT_NOT_ALLOWED, rule=RULE, reason=reason.value)


def _ask(timeline: Timeline, seats: int, seat: Seat) -> tuple[MatchEvent, ...]:
    if seat in timeline.left():
        raise not_allowed(NoReplacement.SEAT_LEFT)
    if not consent.others(timeline, seats, seat):
        return (ReplacementAgreed(seat=seat),)
    if (ProposalKind.REPLACE, seat) in timeline.refused:
        raise not_allowed(NoReplacement.REFUSED_BEFORE)
    return (ReplacementProposed(seat=seat),)

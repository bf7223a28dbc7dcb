"""Pausing a match: by its tenant at any time, or by the seats if all that have not left agree.

While a match is paused nobody has to act and all clocks stand. Its players can still leave it, call it off by consent, and end
a pause that they agreed on. Which rows count does not change, so a pause is no obstacle to an undo after it.

§pause Pausing a match. The tenant may pause a match, and only the tenant ends that pause. The players may pause it if every
seat that has not left agrees to one seat's proposal; then each of them may end the pause. Nobody moves or takes moves back
meanwhile, and all clocks stand. Afterwards every decision has the time that was left. A seat that was refused cannot propose
it again before somebody has moved.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.seats import Seat
from engine.match import consent
from engine.match.commands import (
    AnswerPause,
    MatchEvent,
    MatchPaused,
    MatchResumed,
    Pause,
    PauseAnswered,
    PausedBy,
    PauseProposed,
    Resume,
)
from engine.match.timeline import ProposalKind, Timeline

RULE: Final = "pause"
"""The `rule` of these refusals, where a game's refusal names its paragraph."""


class NoPause(StrEnum):
    """Why a seat may not pause a match, or end its pause. Stable."""

    YOU_LEFT = "YOU_LEFT"
    """The asking seat has left for good."""
    REFUSED_BEFORE = "REFUSED_BEFORE"
    """The others refused this seat's proposal, and no move was made since."""
    PAUSED_BY_TENANT = "PAUSED_BY_TENANT"
    """The tenant paused the match, so only the tenant ends the pause."""
    TOO_OFTEN = "TOO_OFTEN"
    """Too many rows of the match are no moves; only moves are possible now. The service sets the limit."""


def decide(
    timeline: Timeline, seats: int, seat: Seat | None, request: Pause | AnswerPause | Resume
) -> tuple[MatchEvent, ...]:
    """Return the events of a request; `seat` is None for the tenant. Raises RuleViolation if it is refused."""
    if seat is not None and seat in timeline.left():
        raise not_allowed(NoPause.YOU_LEFT)
    match request:
        case Resume():
            return _resume(timeline, seat)
        case Pause():
            must_not_be_paused(timeline)
            return _pause(timeline, seats, seat)
        case AnswerPause(accept=accept):
            if seat is None:
                raise RuleViolation(TableCode.NO_PROPOSAL, rule=RULE)
            proposal = consent.answerable(timeline, seats, seat, kind=ProposalKind.PAUSE, rule=RULE)
            answered = PauseAnswered(seat=seat, accept=accept)
            if consent.settled(timeline, seats, proposal, seat, accept=accept):
                return (answered, MatchPaused(by=PausedBy.CONSENT, seat=proposal.seat))
            return (answered,)


def must_not_be_paused(timeline: Timeline) -> None:
    """Raises RuleViolation MATCH_PAUSED if the match is paused."""
    if timeline.pauses and timeline.pause is not None:
        raise RuleViolation(TableCode.MATCH_PAUSED, rule=RULE)


def not_allowed(reason: NoPause) -> RuleViolation:
    """Return the refusal of a pause, or of its end."""
    return RuleViolation(TableCode.PAUSE_NOT_ALLOWED, rule=RULE, reason=reason.value)


def _pause(timeline: Timeline, seats: int, seat: Seat | None) -> tuple[MatchEvent, ...]:
    if seat is None:
        return (MatchPaused(by=PausedBy.TENANT, seat=None),)
    if not consent.others(timeline, seats, seat):
        return (MatchPaused(by=PausedBy.CONSENT, seat=seat),)
    if (ProposalKind.PAUSE, seat) in timeline.refused:
        raise not_allowed(NoPause.REFUSED_BEFORE)
    return (PauseProposed(seat=seat),)


def _resume(timeline: Timeline, seat: Seat | None) -> tuple[MatchEvent, ...]:
    pause = timeline.pause
    if pause is None:
        raise RuleViolation(TableCode.NOT_PAUSED, rule=RULE)
    if seat is not None and pause.by is PausedBy.TENANT:
        raise not_allowed(NoPause.PAUSED_BY_TENANT)
    return (MatchResumed(seat=seat),)

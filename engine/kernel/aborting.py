"""Calling a match off: by the tenant that runs it at any time, or by the seats when all that have not left agree.

The table stays as it is. What changes is how the match stands: nobody is waited for any more, nobody has won, and what
is told of any ended match is told of this one. There is no undo of it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

import msgspec

from engine.kernel import consent
from engine.kernel.course import Course
from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.game import AnyGame
from engine.kernel.house import (
    Abort,
    AbortAnswered,
    AbortedBy,
    AbortProposed,
    AnswerAbort,
    HouseEvent,
    MatchAborted,
)
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.seats import Audience, Seat

RULE: Final = "abort"
"""Stands where a refusal of a game names its paragraph."""

ABORTED: Final = Outcome(reason="ABORTED", rule=RULE, winners=(), results=())
"""How a match that was called off ended, whatever the game."""


class NoAbort(StrEnum):
    """Why a seat may not propose to call the match off. Stable."""

    YOU_LEFT = "YOU_LEFT"
    """The asking seat has left for good."""
    REFUSED_BEFORE = "REFUSED_BEFORE"
    """The others refused this seat a moment ago, and nothing was moved since."""


def decide(course: Course, seats: int, seat: Seat, request: Abort | AnswerAbort) -> tuple[HouseEvent, ...]:
    """Give the events of what a seat asks; RuleViolation says why not."""
    if seat in course.left():
        raise _not_allowed(NoAbort.YOU_LEFT)
    match request:
        case Abort():
            if not consent.others(course, seats, seat):
                return (MatchAborted(by=AbortedBy.CONSENT, seat=seat),)
            if seat in course.refused_abort:
                raise _not_allowed(NoAbort.REFUSED_BEFORE)
            return (AbortProposed(seat=seat),)
        case AnswerAbort(accept=accept):
            proposal = consent.answerable(course, seats, seat, abort=True, rule=RULE)
            answered = AbortAnswered(seat=seat, accept=accept)
            if consent.settled(course, seats, proposal, seat, accept=accept):
                return (answered, MatchAborted(by=AbortedBy.CONSENT, seat=proposal.seat))
            return (answered,)


def by_tenant() -> tuple[HouseEvent, ...]:
    """Give the events of a match that its tenant calls off."""
    return (MatchAborted(by=AbortedBy.TENANT, seat=None),)


def must_not_be_aborted(course: Course) -> None:
    """Refuse anything once the match was called off; RuleViolation MATCH_OVER."""
    if course.aborted is not None:
        raise RuleViolation(TableCode.MATCH_OVER, rule=RULE)


def is_abort(events: tuple[Any, ...]) -> bool:
    """Tell whether these events call their match off."""
    return bool(events) and isinstance(events[-1], MatchAborted)


# ── how a match stands ─────────────────────────────────────────────────────────────────────────────


def pending(game: AnyGame, state: Any, *, aborted: bool) -> tuple[Pending, ...]:
    """Give every open decision of a match: none once it was called off."""
    return () if aborted else game.pending(state)


def outcome(game: AnyGame, state: Any, *, aborted: bool) -> Outcome | None:
    """Give how a match ended; None while it goes on."""
    return ABORTED if aborted else game.outcome(state)


def view(game: AnyGame, state: Any, audience: Audience, *, aborted: bool) -> Any:
    """Give what an audience sees; of a match that was called off the last table, with nobody to act and its outcome."""
    seen = game.view(state, audience)
    return msgspec.structs.replace(seen, pending=(), outcome=ABORTED) if aborted else seen


def _not_allowed(reason: NoAbort) -> RuleViolation:
    return RuleViolation(TableCode.ABORT_NOT_ALLOWED, rule=RULE, reason=reason.value)

"""Calling a match off: by its tenant at any time, by the seats if all that have not left agree, or by the server if nobody
is there to play.

The game's state stays as it is. The match itself ends: no seat must act any more, nobody has won, and the match is disclosed
like any ended match. This cannot be undone.

§abort Calling a match off. The tenant may call a match off at any time. Its players may do so if every seat that has
not left agrees to one seat's proposal. The server does so if nobody is there: after all players have been away for
long, or if the time of all is up in the same instant and would make them leave. Then the match is over, and nobody has won. A seat that has left cannot
propose it; one that was refused cannot propose it again before somebody has moved. It cannot be undone.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

import msgspec

from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.game import AnyGame
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.seats import Audience, Seat
from engine.match import consent
from engine.match.commands import (
    Abort,
    AbortAnswered,
    AbortedBy,
    AbortProposed,
    AnswerAbort,
    MatchAborted,
    MatchEvent,
)
from engine.match.timeline import ProposalKind, Timeline

RULE: Final = "abort"
"""The `rule` of these refusals, where a game's refusal names its paragraph."""

ABORTED: Final = Outcome(reason="ABORTED", rule=RULE, winners=(), results=())
"""The outcome of a match that was called off, in any game."""


class NoAbort(StrEnum):
    """Why a seat may not propose to call the match off. Stable."""

    YOU_LEFT = "YOU_LEFT"
    """The asking seat has left for good."""
    REFUSED_BEFORE = "REFUSED_BEFORE"
    """The others refused this seat's proposal, and no move was made since."""


def decide(
    timeline: Timeline, seats: int, seat: Seat, request: Abort | AnswerAbort
) -> tuple[MatchEvent, ...]:
    """Return the events of a seat's request. Raises RuleViolation if it is refused."""
    if seat in timeline.left():
        raise _not_allowed(NoAbort.YOU_LEFT)
    match request:
        case Abort():
            if not consent.others(timeline, seats, seat):
                return (MatchAborted(by=AbortedBy.CONSENT, seat=seat),)
            if (ProposalKind.ABORT, seat) in timeline.refused:
                raise _not_allowed(NoAbort.REFUSED_BEFORE)
            return (AbortProposed(seat=seat),)
        case AnswerAbort(accept=accept):
            proposal = consent.answerable(timeline, seats, seat, kind=ProposalKind.ABORT, rule=RULE)
            answered = AbortAnswered(seat=seat, accept=accept)
            if consent.settled(timeline, seats, proposal, seat, accept=accept):
                return (answered, MatchAborted(by=AbortedBy.CONSENT, seat=proposal.seat))
            return (answered,)


def by_tenant() -> tuple[MatchEvent, ...]:
    """Return the events of a match that its tenant calls off."""
    return (MatchAborted(by=AbortedBy.TENANT, seat=None),)


def by_absence() -> tuple[MatchEvent, ...]:
    """Return the events of a match that the server calls off because nobody is there."""
    return (MatchAborted(by=AbortedBy.ABSENCE, seat=None),)


def must_not_be_aborted(timeline: Timeline) -> None:
    """Raises RuleViolation MATCH_OVER if the match was called off."""
    if timeline.aborted is not None:
        raise RuleViolation(TableCode.MATCH_OVER, rule=RULE)


def is_abort(events: tuple[Any, ...]) -> bool:
    """Return whether these events call their match off."""
    return bool(events) and isinstance(events[-1], MatchAborted)


# ── the present state of a match ─────────────────────────────────────────────────────────────────────────────


def pending(game: AnyGame, state: Any, *, aborted: bool, paused: bool) -> tuple[Pending, ...]:
    """Return every open decision of a match: none after it was called off, nor while it is paused."""
    return () if aborted or paused else game.pending(state)


def outcome(game: AnyGame, state: Any, *, aborted: bool) -> Outcome | None:
    """Return how a match ended; None while it goes on."""
    return ABORTED if aborted else game.outcome(state)


def view(game: AnyGame, state: Any, audience: Audience, *, aborted: bool, paused: bool) -> Any:
    """Return what an audience sees. If the match was called off: its last state, with nobody to act, and its outcome. Nobody
    has to act while it is paused either.
    """
    seen = game.view(state, audience)
    if aborted:
        return msgspec.structs.replace(seen, pending=(), outcome=ABORTED)
    return msgspec.structs.replace(seen, pending=()) if paused else seen


def _not_allowed(reason: NoAbort) -> RuleViolation:
    return RuleViolation(TableCode.ABORT_NOT_ALLOWED, rule=RULE, reason=reason.value)

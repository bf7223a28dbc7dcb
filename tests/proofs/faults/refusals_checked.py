"""Who was told no, and why: only what cannot be done is refused, for its own reason; who may look is never told no."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.kernel.errors import TableCode
from engine.registry import game as registered_game
from services.process.reasons import Reason
from tests.proofs.faults.history import MatchHistory
from tests.proofs.faults.notes import Answered, AttemptOutcome, Denied, What
from tests.proofs.faults.requests_checked import Attempts, Request
from tests.proofs.faults.violations import Rule, Violation

_AGAINST_THE_RULES: Final = frozenset({"rival", "stale"})
"""Manners in which something may be asked for that the table has left behind: the game may say no to it."""


def check_refusals(match: MatchHistory, asked: Mapping[Request, Attempts]) -> Iterator[Violation]:
    """Every refusal has a reason that such a request can lawfully meet, and the reason was true at the time."""
    begun = _begun(asked)
    for (request_id, _, what, _), attempts in asked.items():
        where = f"{match.game} {match.match} request {request_id}"
        for one in attempts.of(AttemptOutcome.STRANGE):
            yield Violation(Rule.ANSWER, f"{where}: answered {one.reason}")
        lawful = _lawful(match.game, what, attempts)
        for one in attempts.of(AttemptOutcome.REFUSED):
            if one.reason not in lawful:
                manner = attempts.sent[0].manner
                yield Violation(Rule.REASON, f"{where}: {what.value} ({manner}) refused {one.reason}")
            elif untrue := _untrue(match, one, attempts.sent[0].expected, begun):
                yield Violation(Rule.REASON, f"{where}: refused {one.reason}, and {untrue}")


def _lawful(game: str, what: What, attempts: Attempts) -> frozenset[str]:
    """Return the reasons a request may be refused for. Of the system itself there are no others for these clients."""
    manners = {one.manner for one in attempts.sent}
    if "reused" in manners:
        return frozenset({Reason.REQUEST_ID_REUSED})  # it is looked up before anything else
    if what is not What.MOVE:
        return frozenset({TableCode.MATCH_OVER})
    lawful = frozenset({TableCode.MATCH_OVER, Reason.VERSION_CONFLICT})
    if manners & _AGAINST_THE_RULES:
        lawful |= {TableCode.NOT_YOUR_TURN, TableCode.WRONG_DECISION, *registered_game(game).codes}
    return lawful


def _begun(asked: Mapping[Request, Attempts]) -> dict[int, float]:
    """Return when each acknowledged move was asked for first, by its version."""
    return {
        answer.version: min(one.at for one in attempts.sent)
        for attempts in asked.values()
        for answer in attempts.of(AttemptOutcome.ACKNOWLEDGED)
    }


def _untrue(match: MatchHistory, refused: Answered, expected: int | None, begun: Mapping[int, float]) -> str:
    """Return why a reason was not so when it was given; empty where nothing speaks against it."""
    if refused.reason == TableCode.MATCH_OVER:
        later = [version for version, at in begun.items() if at > refused.at]
        return f"move {min(later)} was asked for and made afterwards" if later else ""
    if refused.reason == Reason.VERSION_CONFLICT:
        if expected is None:
            return "it was decided on no version"
        if expected >= match.version:
            return f"nothing was ever made after version {expected}"
        if begun.get(expected + 1, 0.0) > refused.at:
            return f"what made {expected} stale was asked for afterwards"
    return ""


def check_denied(denied: Sequence[Denied]) -> Iterator[Violation]:
    """Whoever looks at, follows or makes matches of theirs is given it, or told to come back."""
    for one in denied:
        yield Violation(Rule.DENIED, f"{one.who}: {one.what} refused {one.reason}")

"""What is not offered is refused: with a code of the game and the rule, and without a change."""

from __future__ import annotations

from typing import Any, Final

from engine.kernel.errors import TableCode
from engine.kernel.legal import LegalActions
from services.kit.check import Check, Findings, Result, record_text
from services.kit.rules.attempts import Attempt, attempts, offered
from services.kit.subject import Subject


def _run(subject: Subject) -> Result:
    found = Findings()
    tried = 0
    for attempt in attempts(subject):
        tried += 1
        _must_be_refused(subject, attempt, found)
        if found.enough:
            break
    return found.result(f"{tried:,} actions that were not offered")


def _must_be_refused(subject: Subject, attempt: Attempt, found: Findings) -> None:
    where = str(attempt.position)
    action = f"{record_text(attempt.action)} of seat {attempt.seat}"
    if attempt.problem is not None:
        kind = type(attempt.problem).__name__
        found.add(
            f"`decide` raises {kind}: {attempt.problem} for {action}, which was not offered",
            do="raise RuleViolation with a code of the game before a value of the action is used",
            where=where,
            kind=kind,
        )
        return
    refusal = attempt.refusal
    if refusal is None and offered(_legal(subject, attempt), attempt.action):
        return  # it is in the domain of a template
    if refusal is None:
        found.add(
            f"`decide` accepts {action}, which was not offered",
            do="refuse it in `decide`, or list it in `legal_actions`",
            where=where,
            kind=f"accepted {type(attempt.action).__name__}",
        )
        return
    if not isinstance(refusal.code, (subject.game.codes, TableCode)):
        found.add(
            f"{action} is refused with {refusal.code!r}, which is not in `Game.codes`",
            do="give every refusal a code of `Game.codes` or of `TableCode`: clients know no others",
            where=where,
            kind=str(refusal.code),
        )
    if not refusal.rule:
        found.add(
            f"{action} is refused with {refusal.code} and without a rule",
            do="name the paragraph of the rulebook in `RuleViolation(..., rule=...)`",
            where=where,
            kind=f"rule {refusal.code}",
        )
    if attempt.changed:
        found.add(
            f"the state changes although {action} is refused",
            do="judge before anything is changed, and make states frozen",
            where=where,
            kind="changed",
        )


def _legal(subject: Subject, attempt: Attempt) -> LegalActions[Any, Any]:
    return subject.game.legal_actions(attempt.position.state, attempt.seat)


CHECK: Final = Check(
    name="unlisted-actions", asks="everything else is refused, with a code and a rule", run=_run
)

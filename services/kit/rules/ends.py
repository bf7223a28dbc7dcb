"""Every match ends, with an outcome that agrees with itself, and nothing happens after the end."""

from __future__ import annotations

from typing import Any, Final

from engine.kernel.errors import RuleViolation
from engine.kernel.outcome import Outcome
from engine.kernel.seats import Seat
from services.kit.check import Check, Findings, Result, record_text
from services.kit.subject import MAX_MOVES, Played, Subject

LATE: Final = 30
"""Actions that are tried after the end."""


def _run(subject: Subject) -> Result:
    found = Findings()
    longest = 0
    for played in subject.matches:
        longest = max(longest, len(played.steps) - 1)
        _goes_on(subject, played, found)
        last = played.steps[-1].state
        where = subject.where = played.at(len(played.steps))
        outcome = subject.game.outcome(last)
        if outcome is None:
            if len(played.steps) < MAX_MOVES:
                what, do = (
                    "nobody has an open decision, and there is no outcome",
                    "open a decision in `pending`",
                )
            else:
                what, do = (
                    f"{MAX_MOVES:,} random moves do not end the match",
                    "limit its rounds or its moves",
                )
            found.add(what, do=f"{do}, or give the outcome", where=where, kind="no end")
            continue
        for what in wrong(outcome, played.seats):
            found.add(f"the outcome is wrong: {what}", do="correct `outcome`", where=where, kind=what)
        _over(subject, played, last, found)
    return found.result(f"{len(subject.matches)} matches, the longest of {longest:,} moves")


def _goes_on(subject: Subject, played: Played, found: Findings) -> None:
    """While somebody is to act, there is no outcome."""
    for move, step in enumerate(played.steps[:-1], start=1):
        subject.where = played.at(move)
        if subject.game.outcome(step.state) is not None:
            found.add(
                "there is an outcome while a seat has an open decision",
                do="let `pending` be empty from the moment that `outcome` gives an outcome",
                where=played.at(move),
                kind="early",
            )
            return


def wrong(outcome: Outcome, seats: int) -> list[str]:
    """Return what is wrong with the outcome of a match."""
    problems = []
    if [result.seat for result in outcome.results] != list(range(seats)):
        problems.append("`results` must have every seat once, in order")
    first = {result.seat for result in outcome.results if result.rank == 1}
    if not set(outcome.winners) <= first:
        problems.append("a winner must have rank 1")
    if len(set(outcome.winners)) != len(outcome.winners):
        problems.append("`winners` has a seat twice")
    if outcome.results and not first:
        problems.append("no seat has rank 1")
    for result in outcome.results:
        ahead = sum(other.rank < result.rank for other in outcome.results)
        if result.rank < 1 or result.rank > ahead + 1:
            problems.append(
                f"rank {result.rank} with {ahead} seats ahead; tied seats share a rank, none is left out"
            )
            break
    for result in outcome.results:
        added = sum(line.points for line in result.breakdown)
        if result.score is not None and result.score != added:
            problems.append(
                f"seat {result.seat} has the score {result.score}, and its breakdown adds up to {added}"
            )
            break
    if not outcome.reason or not outcome.rule:
        problems.append("`reason` and `rule` must not be empty")
    return problems


def _over(subject: Subject, played: Played, last: Any, found: Findings) -> None:
    """After the end everything is refused, leaving too."""
    game = subject.game
    where = played.at(len(played.steps))
    for step in played.steps[1:][-LATE:]:
        assert step.seat is not None  # only the start has none
        try:
            game.decide(last, step.seat, step.action, subject.chance(played.number, len(played.steps) + 1))
        except RuleViolation:
            continue
        found.add(
            f"{record_text(step.action)} is accepted after the end",
            do="refuse every action with TableCode.MATCH_OVER once there is an outcome",
            where=where,
            kind="late",
        )
    for seat in map(Seat, range(played.seats)):
        if game.legal_actions(last, seat):
            found.add(
                f"`legal_actions` offers something to seat {seat} after the end",
                do="return `LegalActions()` once there is an outcome",
                where=where,
                kind="offered",
            )
        try:
            game.leave(last, seat, subject.chance(played.number, len(played.steps) + 1))
        except RuleViolation:
            continue
        found.add(
            f"seat {seat} may leave after the end",
            do="refuse it in `leave` with TableCode.MATCH_OVER",
            where=where,
            kind="left",
        )


CHECK: Final = Check(
    name="ends", asks="every match ends with an outcome, and nothing comes after it", run=_run
)

"""What a game declares as conserved is the same in every state of a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.match.replay import fold
from services.kit.check import Check, Findings, Result
from services.kit.subject import Subject

LEAVING: Final = 40
"""Positions in which a seat leaves."""


def _run(subject: Subject) -> Result:
    conserved = subject.checks.conserved
    if conserved is None:
        return Result(checked="nothing", skipped="the game declares nothing in `Checks.conserved`")
    found = Findings()
    states = 0
    for played in subject.matches:
        subject.where = played.at(1)
        first = conserved(played.steps[0].state)
        for move, step in enumerate(played.steps, start=1):
            subject.where = played.at(move)
            states += 1
            _same(first, conserved(step.state), f"the move to {played.at(move)}", found)
    for position in subject.positions(LEAVING):
        seat = Seat(position.number % position.seats)
        chance = subject.chance(position.played.number, position.move + 1)
        try:
            events = subject.game.leave(position.state, seat, chance)
        except RuleViolation:
            continue  # `leaving` reports it
        states += 1
        after = fold(subject.game, events, position.state)
        _same(conserved(position.state), conserved(after), f"seat {seat} leaving after {position}", found)
    return found.result(f"{states:,} states")


def _same(first: Any, now: Any, place: str, found: Findings) -> None:
    if first != now:
        found.add(
            f"what is conserved has changed: {difference(first, now)}",
            do="look for the piece in `evolve`: it was made, lost or moved twice; or count it where it is now in `Checks.conserved`",
            where=place,
            kind="changed",
        )


def difference(first: Any, now: Any) -> str:
    """Return the parts of two values that differ, with what they were and what they are."""
    if isinstance(first, Mapping) and isinstance(now, Mapping):
        keys = [key for key in {**first, **now} if first.get(key) != now.get(key)]
        return "; ".join(f"{key} was {first.get(key)}, is {now.get(key)}" for key in keys)
    if isinstance(first, tuple) and isinstance(now, tuple) and len(first) == len(now):
        pairs = enumerate(zip(first, now, strict=True))
        return "; ".join(f"part {place} was {was}, is {new}" for place, (was, new) in pairs if was != new)
    return f"it was {first}, it is {now}"


CHECK: Final = Check(name="conserved", asks="what the game declares is the same in every state", run=_run)

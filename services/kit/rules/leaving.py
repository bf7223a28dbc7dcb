"""Any seat may leave at any time; the match goes on without it, and ends."""

from __future__ import annotations

from typing import Final

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.match.replay import fold
from services.kit.check import Check, Findings, Result
from services.kit.subject import MAX_MOVES, Position, Subject

POSITIONS: Final = 24
_PLAYED_ON: Final = 1 << 36
"""The move number under which the players of the rest are drawn."""
_OFTEN: Final = 40
"""One move in so many is another seat that leaves."""


def _run(subject: Subject) -> Result:
    found = Findings()
    matches = left = 0
    for position in subject.positions(POSITIONS):
        matches += 1
        left += _played_on(subject, position, found)
    return found.result(f"{left} seats that left, in {matches} matches played on")


def _played_on(subject: Subject, position: Position, found: Findings) -> int:
    """Let a seat leave, now and then another, and play to the end. Return how many have left."""
    game = subject.game
    choices = subject.chance(position.number, _PLAYED_ON)
    state, move = position.state, position.move
    gone: list[Seat] = []
    leaver: Seat | None = Seat(choices.below(position.seats))
    while waited_for := game.to_act(state):
        move += 1
        chance = subject.chance(position.number, move)
        subject.where = where = f"{position}, then move {move}; left: {gone or 'nobody'}"
        if set(waited_for) & set(gone):
            found.add(
                f"a seat that has left has an open decision: {sorted(set(waited_for) & set(gone))}",
                do="close the decisions of a seat in `leave`, and open none for it afterwards",
                where=where,
                kind="asked",
            )
            return len(gone)
        if leaver is not None:
            try:
                events = game.leave(state, leaver, chance)
            except RuleViolation as refusal:
                found.add(
                    f"seat {leaver} may not leave: {refusal}",
                    do="let every seat that is there leave at any time, whoever is to act",
                    where=where,
                    kind="refused",
                )
                return len(gone)
            gone.append(leaver)
            leaver = None
        else:
            seat = waited_for[choices.below(len(waited_for))]
            events = game.decide(state, seat, game.sample(state, seat, choices), chance)
            there = [seat for seat in map(Seat, range(position.seats)) if seat not in gone]
            leaver = there[choices.below(len(there))] if there and not choices.below(_OFTEN) else None
        state = fold(game, events, state)
        if gone and game.outcome(state) is None:
            _twice(subject, state, gone[-1], where, found)
        if move > MAX_MOVES:
            found.add(
                "the match does not end", do="end it by its rules whoever leaves", where=where, kind="endless"
            )
            return len(gone)
    if game.outcome(state) is None:
        found.add(
            "nobody is to act any more after a seat has left, and there is no outcome",
            do="open the next decision in `leave`, or end the match",
            where=subject.where,
            kind="stuck",
        )
    return len(gone)


def _twice(subject: Subject, state: object, seat: Seat, where: str, found: Findings) -> None:
    try:
        subject.game.leave(state, seat, subject.chance(0, _PLAYED_ON))
    except RuleViolation:
        return
    found.add(
        f"seat {seat} leaves a second time",
        do="keep in the state who has left, and refuse in `leave`",
        where=where,
        kind="twice",
    )


CHECK: Final = Check(name="leaving", asks="any seat may leave at any time, and the match ends", run=_run)

"""A move that is said to draw nothing and to reveal nothing does neither, so it can be taken back."""

from __future__ import annotations

from typing import Any, Final

from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.knowledge import audiences
from engine.kernel.seats import Audience
from engine.match.boundary import Move, drew, revealed_to
from services.kit.check import Check, Findings, Result, record_text
from services.kit.rules.twins import name, parted, twin
from services.kit.subject import Position, Subject

MOVES: Final = 500
DO: Final = (
    "if the move reveals something, let its name be in `hidden` before the move and not after it; "
    "if not, leave it out of `redact`"
)


def _run(subject: Subject) -> Result:
    found = Findings()
    moves = compared = 0
    for position in subject.moves(MOVES):
        moves += 1
        move = move_of(position)
        if drew(subject.game, move) != bool(position.step.draws):
            found.add(
                f"{record_text(move.request)} draws at one time and not at another",
                do="draw from `chance` whenever the state and the action are the same",
                where=str(position),
                kind="draws",
            )
        if position.step.draws:
            continue
        learnt = revealed_to(subject.game, move, position.seats)
        for audience in audiences(position.seats):
            if audience not in learnt:
                compared += 1
                _looks_the_same(subject, position, move, audience, found)
    return found.result(f"{moves} moves, {compared:,} times seen by an audience that learns nothing")


def move_of(position: Position) -> Move:
    """Return the move that led to a position."""
    step = position.step
    return Move(
        seq=position.move, seat=step.seat, request=step.action, before=position.before, events=step.events
    )


def _looks_the_same(
    subject: Subject, position: Position, move: Move, audience: Audience, found: Findings
) -> None:
    """Compare the events of a move with those of the same move in another state that the audience cannot tell apart."""
    game = subject.game
    where = subject.where = f"{position}, for {name(audience)}"
    other = twin(subject, move.before, audience, position.number)
    assert move.seat is not None  # only the start has none
    try:
        events: tuple[Any, ...] = game.decide(
            other, move.seat, move.request, subject.chance(position.number, position.move)
        )
    except RuleViolation as refusal:
        found.add(
            f"{record_text(move.request)} is refused ({refusal}) in a state that {name(audience)} cannot tell from the true one, "
            "and no hidden fact is said to become known",
            do="let `redeal` keep what the audience knows of others' possibilities, or name in `hidden` what the move reveals",
            where=where,
            kind="refused",
        )
        return
    first, second = (tuple(game.redact(event, audience) for event in each) for each in (move.events, events))
    if encode(first) != encode(second):
        found.add(
            f"{record_text(move.request)} is said to reveal nothing to {name(audience)}, and shows it {parted(first, second)}",
            do=DO,
            where=where,
            kind="shown",
        )


CHECK: Final = Check(
    name="undo-boundary", asks="what a move draws and reveals is what it is said to", run=_run
)

"""How fast a game is played; it is never a fault."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from engine.match.playout import random_match
from services.kit.check import Check, Result
from services.kit.subject import CHOICES, MAX_MOVES, Subject

SECONDS: Final = 0.5


def _run(subject: Subject) -> Result:
    assert subject.matches  # if those cannot be played, `plays` reports it
    game = subject.game
    seats = game.seat_counts[len(game.seat_counts) // 2]
    options = subject.options[0]
    began = perf_counter()
    matches = moves = 0
    while perf_counter() - began < SECONDS:
        steps = random_match(game, options, seats, subject.secret(matches), subject.chance(matches, CHOICES))
        for move, _ in enumerate(steps):
            moves += 1
            if move == MAX_MOVES:
                break
        matches += 1
    seconds = perf_counter() - began
    return Result(
        checked=f"{matches / seconds:,.0f} playouts a second with {seats} seats, {moves / seconds:,.0f} moves"
    )


CHECK: Final = Check(name="speed", asks="how many random matches a second", run=_run)

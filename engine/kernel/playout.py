"""Whole random matches: what tests, benchmarks and `foldtable simulate` run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.kernel.chance import Chance, Draw, SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.outcome import Outcome
from engine.kernel.replay import fold
from engine.kernel.seats import Seat


class Step(msgspec.Struct, frozen=True):
    """One move of a playout and the state after it; the first step is the start, asked by no seat."""

    seat: Seat | None
    action: Any
    events: tuple[Any, ...]
    state: Any
    draws: tuple[Draw, ...] = ()
    """The luck it took."""


class Playout(msgspec.Struct, frozen=True):
    """What a finished playout came to."""

    moves: int
    outcome: Outcome


def random_match(game: AnyGame, options: Any, seats: int, secret: bytes, choices: Chance) -> Iterator[Step]:
    """Play random legal actions to the end. `secret` is the match's luck, `choices` the players' whims.

    Where several seats may act, which of them acts next is drawn from `choices` too.
    """
    luck = SeededChance(secret, 1)
    events = game.start(options, seats, luck)
    state = fold(game, events)
    yield Step(None, None, events, state, tuple(luck.draws))
    move = 1
    while waited_for := game.to_act(state):
        move += 1
        seat = waited_for[choices.below(len(waited_for))] if len(waited_for) > 1 else waited_for[0]
        action = game.sample(state, seat, choices)
        luck = SeededChance(secret, move)
        events = game.decide(state, seat, action, luck)
        state = fold(game, events, state)
        yield Step(seat, action, events, state, tuple(luck.draws))


def playout(game: AnyGame, options: Any, seats: int, secret: bytes, choices: Chance) -> Playout:
    """Play a random match to its end; the moves of the seats are counted, the start is not."""
    moves = -1
    state = None
    for step in random_match(game, options, seats, secret, choices):
        moves += 1
        state = step.state
    outcome = game.outcome(state)
    if outcome is None:
        raise RuntimeError(f"{game.id}: nobody is to act, yet there is no outcome")
    return Playout(moves, outcome)

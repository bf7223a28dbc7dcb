"""Complete random matches, for tests, benchmarks and `foldtable simulate`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.kernel.chance import Chance, Draw, SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match.certain_end import must_end
from engine.match.replay import fold


class Step(msgspec.Struct, frozen=True):
    """One move of a playout and the state after it. The first step is the start, which no seat made."""

    seat: Seat | None
    action: Any
    events: tuple[Any, ...]
    state: Any
    draws: tuple[Draw, ...] = ()
    """The draws it made."""


def random_match(game: AnyGame, options: Any, seats: int, secret: bytes, choices: Chance) -> Iterator[Step]:
    """Play random legal actions to the end. `secret` is the match's secret; `choices` draws the players' actions.

    If several seats may act, which of them acts next is drawn from `choices` too.
    """
    must_end(game, options)
    luck = SeededChance(secret, 1)
    events = game.start(options, seats, luck)
    state = fold(game, events)
    yield Step(None, None, events, state, tuple(luck.draws))
    key = luck.key
    move = 1
    while waited_for := game.to_act(state):
        move += 1
        seat = waited_for[choices.below(len(waited_for))] if len(waited_for) > 1 else waited_for[0]
        action = game.sample(state, seat, choices)
        luck = SeededChance(secret, move)
        luck.key = key
        events = game.decide(state, seat, action, luck)
        state = fold(game, events, state)
        yield Step(seat, action, events, state, tuple(luck.draws))

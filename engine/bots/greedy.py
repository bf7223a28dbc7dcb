"""Search one step ahead: the action after which the game's evaluation is best for the seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.bots.bot import Deals
from engine.bots.budget import Budget
from engine.bots.candidates import candidates
from engine.bots.worth import worth
from engine.kernel.chance import SECRET_BYTES, Chance, SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match.replay import fold

MAX_CANDIDATES: Final = 96
DEALS: Final = 3
"""Number of deals with which each candidate is tried."""


class GreedyBot:
    """Plays the best candidate, or any of several equal ones. It needs no budget, because one step is fast."""

    def choose(
        self,
        game: AnyGame,
        deals: Deals,
        seat: Seat,
        chance: Chance,
        budget: Budget,  # noqa: ARG002 - it searches one step only
    ) -> Any:
        """Return the best candidate, tried with every deal."""
        return ranked(game, deals, seat, chance)[0][1]


def ranked(game: AnyGame, deals: Deals, seat: Seat, chance: Chance) -> list[tuple[float, Any]]:
    """Return candidates with their mean value after one step over a few deals, the best first; ties are shuffled.

    All candidates get the same chance in a deal. If there is only one action, its value has no meaning.
    """
    actions = candidates(game, deals(0), seat, chance, MAX_CANDIDATES)
    if len(actions) == 1:
        return [(0.0, actions[0])]
    secret = own_secret(chance)
    worths = [0.0] * len(actions)
    for number in range(DEALS):
        for place, table in enumerate(each_after(game, deals(number), seat, actions, secret, number)):
            worths[place] += worth(game, table, seat) / DEALS
    order = sorted(chance.shuffled(range(len(actions))), key=worths.__getitem__, reverse=True)
    return [(worths[place], actions[place]) for place in order]


def best(game: AnyGame, state: Any, seat: Seat, actions: Sequence[Any], chance: Chance) -> Any:
    """Return the state after the best of some actions, the first of equal ones. It considers only this one state."""
    tables = each_after(game, state, seat, actions, own_secret(chance), 0)
    if len(actions) == 1:
        return next(tables)
    return max(tables, key=lambda table: worth(game, table, seat))


def each_after(
    game: AnyGame, state: Any, seat: Seat, actions: Sequence[Any], secret: bytes, number: int
) -> Iterator[Any]:
    """Yield the state after each action, all with the same chance, so that the comparison does not depend on a draw."""
    for action in actions:
        yield fold(game, game.decide(state, seat, action, SeededChance(secret, number)), state)


def own_secret(chance: Chance) -> bytes:
    """Draw a secret for the bot's own chance."""
    return chance.below(1 << 64).to_bytes(SECRET_BYTES, "big")

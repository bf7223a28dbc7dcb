"""One step ahead: the action after which the seat stands best, by the game's evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.bots.bot import Deals
from engine.bots.budget import Budget
from engine.bots.candidates import candidates
from engine.bots.worth import worth
from engine.kernel.chance import SECRET_BYTES, Chance, SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.replay import fold
from engine.kernel.seats import Seat

MOST_CANDIDATES: Final = 96
DEALS: Final = 3
"""Each candidate is tried at so many tables."""


class GreedyBot:
    """Takes the best candidate, of equals any. It needs no budget: one step is short."""

    def choose(
        self,
        game: AnyGame,
        deals: Deals,
        seat: Seat,
        chance: Chance,
        budget: Budget,  # noqa: ARG002 - one step is all there is
    ) -> Any:
        """Try every candidate at every deal."""
        return ranked(game, deals, seat, chance)[0][1]


def ranked(game: AnyGame, deals: Deals, seat: Seat, chance: Chance) -> list[tuple[float, Any]]:
    """Give candidates with what they are worth one step ahead on the average of a few deals, the best first; ties are shuffled.

    At each deal all have the same luck. Where there is nothing to choose from, the only action is worth nothing in particular.
    """
    actions = candidates(game, deals(0), seat, chance, MOST_CANDIDATES)
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
    """Give the table after the best of some actions, of equals the first; one table is all it looks at."""
    tables = each_after(game, state, seat, actions, own_secret(chance), 0)
    if len(actions) == 1:
        return next(tables)
    return max(tables, key=lambda table: worth(game, table, seat))


def each_after(
    game: AnyGame, state: Any, seat: Seat, actions: Sequence[Any], secret: bytes, number: int
) -> Iterator[Any]:
    """Give the table after each action, all with the same luck: which is better must not depend on a die."""
    for action in actions:
        yield fold(game, game.decide(state, seat, action, SeededChance(secret, number)), state)


def own_secret(chance: Chance) -> bytes:
    """Draw what luck of the bot's own follows from."""
    return chance.below(1 << 64).to_bytes(SECRET_BYTES, "big")

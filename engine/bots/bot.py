"""What a bot is: from tables that could be the true one to an action."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol

from engine.bots.budget import Budget
from engine.kernel.chance import Chance, SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat, seat_audience

Deals = Callable[[int], Any]
"""Tables that the seat cannot tell from the true one, by number from 0: for the same number always the same one.

There is one for every number, but they may come again: who has only a few gives them in turn."""

_KEPT_DEALS = 64


class Bot(Protocol):
    """Plays a seat. The same choice for equal deals, equal chance, and a budget of playouts."""

    def choose(self, game: AnyGame, deals: Deals, seat: Seat, chance: Chance, budget: Budget) -> Any:
        """Give a legal action for the seat's open decision; LookupError when it has none.

        `chance` is the bot's own luck, never the match's. `budget` is this move's, unused so far.
        """
        ...


def redeals(game: AnyGame, state: Any, seat: Seat, secret: bytes) -> Deals:
    """Deal a true table again for a seat: for who has the truth and keeps it from a bot, as an arena does.

    `secret` is for the dealing alone: 32 bytes that have nothing to do with the match's.
    """
    audience = seat_audience(seat)

    @lru_cache(maxsize=_KEPT_DEALS)
    def deal(number: int) -> Any:
        return game.redeal(state, audience, SeededChance(secret, number))

    return deal


class RandomBot:
    """Any legal action."""

    def choose(
        self,
        game: AnyGame,
        deals: Deals,
        seat: Seat,
        chance: Chance,
        budget: Budget,  # noqa: ARG002 - it does not think
    ) -> Any:
        """Draw from the game's own sample."""
        return game.sample(deals(0), seat, chance)

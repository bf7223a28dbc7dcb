"""The protocol of a bot: it chooses an action from states that could be the true one."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol

from engine.bots.budget import Budget
from engine.kernel.chance import Chance, SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat, seat_audience

Deals = Callable[[int], Any]
"""Returns a state that the seat cannot distinguish from the true one, by number from 0; the same number always gives the
same state. Every number is valid, but states may repeat: a source with only a few of them cycles through them."""

_KEPT_DEALS = 64


class Bot(Protocol):
    """Plays a seat. With equal deals, equal chance and a budget of playouts, it makes the same choice."""

    def choose(self, game: AnyGame, deals: Deals, seat: Seat, chance: Chance, budget: Budget) -> Any:
        """Return a legal action for the seat's open decision. Raises LookupError if it has none.

        `chance` is the bot's own, never the match's. `budget` is a fresh budget for this move.
        """
        ...


def redeals(game: AnyGame, state: Any, seat: Seat, secret: bytes) -> Deals:
    """Return the deals of a true state for a seat; for callers that know the true state, such as an arena.

    `secret` is used for the dealing only: 32 bytes unrelated to the match's secret.
    """
    audience = seat_audience(seat)

    @lru_cache(maxsize=_KEPT_DEALS)
    def deal(number: int) -> Any:
        return game.redeal(state, audience, SeededChance(secret, number))

    return deal


class RandomBot:
    """Plays any legal action."""

    def choose(
        self,
        game: AnyGame,
        deals: Deals,
        seat: Seat,
        chance: Chance,
        budget: Budget,  # noqa: ARG002 - it does not search
    ) -> Any:
        """Return an action from the game's own sampling."""
        return game.sample(deals(0), seat, chance)

"""What somebody comes to know: facts that were hidden from an audience before, and that it knows now.

A game names the facts it hides (`Game.hidden`); what a move reveals is worked out from the names, never marked by hand on
a kind of event.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from engine.kernel.game import AnyGame
from engine.kernel.seats import PUBLIC, Audience, Seat, seat_audience


def audiences(seats: int) -> tuple[Audience, ...]:
    """Give everybody from whom something can be hidden: every seat, then the public. A referee knows all."""
    return (*(seat_audience(Seat(seat)) for seat in range(seats)), PUBLIC)


def revealed(game: AnyGame, before: Any, after: Any, audience: Audience) -> tuple[str, ...]:
    """Name the facts that this audience could not know before and knows now."""
    was = game.hidden(before, audience)
    still = game.hidden(after, audience)
    if was == still:
        return ()
    unknown = set(still)
    return tuple(name for name in was if name not in unknown)


def revealed_along(game: AnyGame, states: Iterable[Any], audience: Audience) -> tuple[str, ...]:
    """Name what comes to light on the way through states, one event between two of them.

    Step by step, because within a move a card can be shown and shuffled back.
    """
    names: dict[str, None] = {}
    for before, after in pairwise(states):
        if before is not None:
            names.update(dict.fromkeys(revealed(game, before, after, audience)))
    return tuple(names)

"""What a move reveals: facts that were hidden from an audience before the move and are known to it afterwards.

A game names the facts that it hides (`Game.hidden`). What a move reveals is computed from these names and never declared by
hand for a kind of event.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from engine.kernel.game import AnyGame
from engine.kernel.seats import PUBLIC, Audience, Seat, seat_audience


def audiences(seats: int) -> tuple[Audience, ...]:
    """Return every audience from which something can be hidden: every seat, then the public. A referee knows everything."""
    return (*(seat_audience(Seat(seat)) for seat in range(seats)), PUBLIC)


def revealed(game: AnyGame, before: Any, after: Any, audience: Audience) -> tuple[str, ...]:
    """Return the names of the facts that this audience could not know before and knows now."""
    was = game.hidden(before, audience)
    still = game.hidden(after, audience)
    if was == still:
        return ()
    unknown = set(still)
    return tuple(name for name in was if name not in unknown)


def revealed_along(game: AnyGame, states: Iterable[Any], audience: Audience) -> tuple[str, ...]:
    """Return the names of the facts revealed along a sequence of states with one event between two of them.

    Each step is checked, because within a move a card can be shown and then shuffled back.
    """
    names: dict[str, None] = {}
    for before, after in pairwise(states):
        if before is not None:
            names.update(dict.fromkeys(revealed(game, before, after, audience)))
    return tuple(names)

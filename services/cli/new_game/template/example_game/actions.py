"""What a seat may ask for, in the imperative. The `tag` is the permanent name in requests and logs.

Limits of a field are checked when an action is read; whether it is allowed now, the rules decide.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from engine.interface import Action

from example_game.box import MAX_PLACED, Bowl, Pebbles

_placed: Final = msgspec.Meta(ge=0, le=MAX_PLACED)


class Place(Action, frozen=True, kw_only=True, tag="place"):
    """The player secretly places pebbles, split over the bowls (§2)."""

    left: Annotated[int, _placed]
    """Pebbles for the left bowl."""
    middle: Annotated[int, _placed]
    """Pebbles for the middle bowl."""
    right: Annotated[int, _placed]
    """Pebbles for the right bowl."""

    def __repr__(self) -> str:
        """Return no secret: what an action holds can end up in a log file."""
        return "Place(<hidden>)"

    @property
    def pebbles(self) -> Pebbles:
        """What is placed."""
        return Pebbles(left=self.left, middle=self.middle, right=self.right)


class Tip(Action, frozen=True, kw_only=True, tag="tip"):
    """The player tips a bowl, and the pebbles in it leave the game (§4)."""

    bowl: Bowl
    """The bowl that is tipped."""


class Keep(Action, frozen=True, kw_only=True, tag="keep"):
    """The player tips no bowl (§4)."""


GameAction = Place | Tip | Keep

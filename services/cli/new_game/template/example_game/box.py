"""What is in the box: names, counts and limits, each with its paragraph. Numbers stand here and nowhere else.

A block that begins with `§` is a paragraph of the rules. Players can read it, and `rule` fields name it.
`foldtable check-game example_game --build` collects these blocks in `text/paragraphs.json`.

§1 What the game consists of. There are three bowls (left, middle and right), a die, six favour cards (two for each
bowl) and 12 pebbles for each of 2 to 5 players. Every player is dealt a favour card, which stays secret until the
end; the other cards stay in the box unseen. The options say how many rounds are played, 2 to 6.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

import msgspec


class Bowl(StrEnum):
    """A bowl, and the favour cards for it (§1)."""

    LEFT = "left"
    """The left bowl."""
    MIDDLE = "middle"
    """The middle bowl."""
    RIGHT = "right"
    """The right bowl."""


SEAT_COUNTS: Final = (2, 3, 4, 5)
MAX_SEATS: Final = max(SEAT_COUNTS)
PEBBLES: Final = 12
"""§1 Pebbles of each player."""
FAVOURS: Final = (Bowl.LEFT, Bowl.LEFT, Bowl.MIDDLE, Bowl.MIDDLE, Bowl.RIGHT, Bowl.RIGHT)
"""§1 The favour cards."""
MAX_PLACED: Final = 4
"""§2 Pebbles that a player may place in a round."""
DIE: Final = 6
"""§3 Faces of the die."""
BOWL_OF_PIPS: Final = {
    1: Bowl.LEFT,
    2: Bowl.LEFT,
    3: Bowl.MIDDLE,
    4: Bowl.MIDDLE,
    5: Bowl.RIGHT,
    6: Bowl.RIGHT,
}
"""§3 The bowl that each face chooses."""
LEAST_ROUNDS: Final = 2
ROUNDS: Final = 3
MAX_ROUNDS: Final = 6

_pebbles: Final = msgspec.Meta(ge=0, le=PEBBLES)


class Pebbles(msgspec.Struct, frozen=True, kw_only=True):
    """A number of pebbles for each bowl."""

    left: Annotated[int, _pebbles] = 0
    """Pebbles for the left bowl."""
    middle: Annotated[int, _pebbles] = 0
    """Pebbles for the middle bowl."""
    right: Annotated[int, _pebbles] = 0
    """Pebbles for the right bowl."""

    @property
    def total(self) -> int:
        """The pebbles in all three bowls."""
        return self.left + self.middle + self.right

    def of(self, bowl: Bowl) -> int:
        """Return the pebbles for one bowl."""
        return {Bowl.LEFT: self.left, Bowl.MIDDLE: self.middle, Bowl.RIGHT: self.right}[bowl]

    def __add__(self, other: Pebbles) -> Pebbles:
        """Return both together."""
        return Pebbles(
            left=self.left + other.left, middle=self.middle + other.middle, right=self.right + other.right
        )

    def without(self, bowl: Bowl) -> Pebbles:
        """Return the same with none for one bowl."""
        left, middle, right = (0 if each is bowl else self.of(each) for each in Bowl)
        return Pebbles(left=left, middle=middle, right=right)


class Components(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the box for front ends: static, public, the same for every match (§1)."""

    bowls: tuple[Bowl, ...]
    """The bowls, from left to right."""
    favours: tuple[Bowl, ...]
    """The favour cards, by the bowl that each names."""
    pebbles: int
    """How many pebbles each player has."""
    most_placed: int
    """How many pebbles a player may place in a round (§2)."""
    bowl_of_pips: tuple[Bowl, ...]
    """The bowl that each face of the die chooses, from 1 on (§3)."""


COMPONENTS: Final = Components(
    bowls=tuple(Bowl),
    favours=FAVOURS,
    pebbles=PEBBLES,
    most_placed=MAX_PLACED,
    bowl_of_pips=tuple(BOWL_OF_PIPS.values()),
)

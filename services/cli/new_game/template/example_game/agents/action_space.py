"""Actions as numbers, for machine learning: tipping has an index for each action, placing is spelled with three.

The first index of a placement says how many pebbles go to the left bowl, the second how many to the middle one, the third
how many to the right one. Each legal action has exactly one such word.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from engine.interface import Choices, LegalActions, Listed, Word, name_of

from example_game.actions import GameAction, Keep, Place, Tip
from example_game.box import MAX_PLACED, Bowl
from example_game.options import GameOptions
from example_game.templates import GameTemplate
from example_game.view import GameView

_NUMBERS: Final = MAX_PLACED + 1
"""Indices for each bowl: 0 to 4 pebbles."""
_PARTS: Final = tuple(range(len(Bowl) * _NUMBERS))
_LISTED: Final[tuple[GameAction, ...]] = (*(Tip(bowl=bowl) for bowl in Bowl), Keep())


class Placements:
    """§2 All ways to place up to a number of pebbles."""

    def __init__(self, most: int) -> None:
        """`most` is the limit of the template."""
        self._most = most

    def following(self, begun: Word, /) -> Sequence[int]:
        """Return every index that can follow."""
        if len(begun) == len(Bowl):
            return ()
        left = self._most - sum(index % _NUMBERS for index in begun)
        first = len(begun) * _NUMBERS
        return range(first, first + left + 1)

    def action(self, word: Word, /) -> Place | None:
        """Return the action of a complete word."""
        if len(word) != len(Bowl):
            return None
        left, middle, right = (index % _NUMBERS for index in word)
        return Place(left=left, middle=middle, right=right)


class GameActions:
    """The numbering, the same for all options and seats."""

    @property
    def names(self) -> Sequence[str]:
        """Return the meaning of each index."""
        placed = [f"place({bowl}={number})" for bowl in Bowl for number in range(_NUMBERS)]
        return [*placed, *map(name_of, _LISTED)]

    @property
    def parts(self) -> Sequence[int]:
        """Return the indices that spell words."""
        return _PARTS

    def choices(self, legal: LegalActions[GameAction, GameTemplate], _view: GameView, /) -> Choices:
        """Return the words of the legal actions."""
        for template in legal.templates:
            return Placements(template.most)
        return Listed({_listed(action): action for action in legal.actions})

    def word(self, action: GameAction, _view: GameView, /) -> Word:
        """Return the word of a legal action."""
        if isinstance(action, Place):
            return tuple(number * _NUMBERS + action.pebbles.of(bowl) for number, bowl in enumerate(Bowl))
        return _listed(action)


def _listed(action: GameAction) -> Word:
    return (len(_PARTS) + _LISTED.index(action),)


@cache
def action_space(_options: GameOptions, _seats: int) -> GameActions:
    """Return the numbering for such a match."""
    return GameActions()

"""Actions as numbers: one index each, except for payments and fights, which are sequences of indices.

A payment is one index for each good, in the order of kinds, then an end index. A fight is the same with its tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, Final

from engine.al_rashid.actions import AlRashidAction, Fight, Pay
from engine.al_rashid.agents.every_action import every_action
from engine.al_rashid.box.components import (
    COLOURS,
    GOODS,
    NO_TILES,
    TILE_VALUES,
    bag_of,
    goods_of,
    squad_of,
    tiles_of,
)
from engine.al_rashid.box.goods import payments
from engine.al_rashid.options import AlRashidOptions
from engine.al_rashid.templates import FightTemplate, PayTemplate
from engine.al_rashid.view import AlRashidView
from engine.kernel.action_space import Both, Choices, Listed, Word, name_of
from engine.kernel.legal import LegalActions

_TILES: Final = tuple(f"{colour} {value}" for colour in COLOURS for value in TILE_VALUES)


class Squads:
    """§9.2 All squads of at least one tile."""

    def __init__(self, template: FightTemplate, first: int) -> None:
        lying = {colour.value for colour in template.colours}
        owned = tiles_of(template.owned)
        self._owned = [n if _TILES[kind].split()[0] in lying else 0 for kind, n in enumerate(owned)]
        self._first = first
        self._stop = first + len(_TILES)

    def following(self, begun: Word, /) -> Sequence[int]:
        kinds = [index - self._first for index in begun]
        if not all(0 <= kind < len(_TILES) for kind in kinds):
            return ()
        last = kinds[-1] if kinds else 0
        left = [self._first + n for n in range(last, len(_TILES)) if kinds.count(n) < self._owned[n]]
        return [*left, self._stop] if begun else left

    def action(self, word: Word, /) -> Fight | None:
        if len(word) < 2 or word[-1] != self._stop:
            return None
        return Fight(tiles=squad_of(_counted(word[:-1], self._first, NO_TILES)))


class AlRashidActionSpace:
    """The numbering of actions; it is the same for every number of seats."""

    def __init__(self) -> None:
        self._all = tuple(every_action())
        self._index: dict[AlRashidAction, Word] = {action: (index,) for index, action in enumerate(self._all)}
        self._first_good = len(self._all)
        self._first_tile = self._first_good + len(GOODS) + 1
        self._end = self._first_tile + len(_TILES) + 1

    @cached_property
    def names(self) -> Sequence[str]:
        return [
            *(name_of(action) for action in self._all),
            *(f"pay: 1 {good}" for good in GOODS),
            "pay: done",
            *(f"fight: {tile}" for tile in _TILES),
            "fight: done",
        ]

    @property
    def parts(self) -> Sequence[int]:
        return range(self._first_good, self._end)

    def choices(self, legal: LegalActions[AlRashidAction, Any], view: AlRashidView, /) -> Choices:
        for template in legal.templates:
            if isinstance(template, PayTemplate):
                bags = payments(bag_of(template.owned), template.total, template.keep)
                bought = (Pay(goods=goods_of(bag)) for bag in bags)
                return Listed({self.word(action, view): action for action in bought})
            others = {self._index[each]: each for each in legal.actions}
            return Both(Listed(others), Squads(template, self._first_tile))
        return Listed({self.word(action, view): action for action in legal.actions})

    def word(self, action: AlRashidAction, _view: AlRashidView, /) -> Word:
        match action:
            case Pay():
                return _spelled(bag_of(action.goods), self._first_good)
            case Fight():
                return _spelled(tiles_of(action.tiles), self._first_tile)
            case _:
                return self._index[action]


@cache
def action_space(_options: AlRashidOptions, _seats: int) -> AlRashidActionSpace:
    """Return the numbering of a match's actions."""
    return AlRashidActionSpace()


def _spelled(counts: tuple[int, ...], first: int) -> Word:
    """Return one index for each good or tile, in the order of kinds, then the end index."""
    each = [first + kind for kind, count in enumerate(counts) for _ in range(count)]
    return (*each, first + len(counts))


def _counted(word: Word, first: int, nothing: tuple[int, ...]) -> tuple[int, ...]:
    counts = list(nothing)
    for index in word:
        counts[index - first] += 1
    return tuple(counts)

"""Actions as numbers: one index each, except programs and points in the water, which are spelled as several.

A program is five cards, one after the other; a point on the expert side is four squares, each within the one before. A stone
of the expert side is named by its position among the stones on the board, so that the numbering never grows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import combinations
from typing import Any, Final

from msgspec.structs import replace

from engine.kernel.action_space import Choices, Listed, Word, name_of
from engine.kernel.legal import LegalActions
from engine.kernel.seats import Seat
from engine.river_dragons.actions import (
    ChoosePlank,
    Jump,
    LayPlank,
    PlaceStone,
    PlaceStoneAt,
    RemovePlank,
    RemoveStone,
    RiverDragonsAction,
    Step,
    SubmitProgram,
)
from engine.river_dragons.box.board import ISLAND_PAIRS, ISLAND_STONES
from engine.river_dragons.box.components import (
    DRAGON_TARGET,
    PLANK_SIZES,
    STONE_COUNT,
    Card,
    Place,
    PlankId,
    SupportId,
    Variant,
    plank_id,
)
from engine.river_dragons.box.sites import VILLAGES
from engine.river_dragons.cells import ACROSS, CELLS, STEPS, cells_of, open_cells, square_of
from engine.river_dragons.options import RiverDragonsOptions
from engine.river_dragons.templates import ProgramTemplate, StoneTemplate
from engine.river_dragons.view import RiverDragonsView

CARDS: Final = tuple(Card)
STONE_SLOTS: Final = tuple(SupportId(f"S{number:02}") for number in range(1, STONE_COUNT + 1))
"""The expert side's stones on the board, in the order they were placed."""
Names = Mapping[str, SupportId]
"""New names of the expert side's stones, by their present names."""


def stones_of(variant: Variant) -> tuple[SupportId, ...]:
    """Return the names of all stones there can be."""
    return tuple(ISLAND_STONES) if variant is Variant.ISLANDS else STONE_SLOTS


def pairs_of(variant: Variant) -> tuple[PlankId, ...]:
    """Return every pair of supports that a plank can ever join; on the expert side a stone can be anywhere."""
    if variant is Variant.ISLANDS:
        return tuple(sorted(ISLAND_PAIRS.by_id))
    villages = [village.id for village in VILLAGES]
    named = [plank_id(a, b) for a, b in combinations((*STONE_SLOTS, *villages), 2)]
    return tuple(pair for pair in named if not all(end in villages for end in ends(pair)))


def ends(plank: str) -> tuple[SupportId, SupportId]:
    """Return the two supports that name a plank."""
    a, _, b = plank.partition("~")
    return SupportId(a), SupportId(b)


def slots_of(view: RiverDragonsView) -> dict[str, SupportId]:
    """Return a slot for each stone of the expert side, by its position among those on the board; empty on the island side."""
    if view.variant is Variant.ISLANDS:
        return {}
    return {stone.id: slot for stone, slot in zip(view.stones, STONE_SLOTS, strict=False)}


def place_named(place: str, names: Names) -> Place:
    """Rename the stones in a place: a support, or a plank between two."""
    if "~" not in place:
        return Place(names.get(place, place))
    a, b = ends(place)
    return plank_id(names.get(a, a), names.get(b, b))


class Programs:
    """§5 All ordered choices of different cards, with a limited number of dragons."""

    def __init__(self, template: ProgramTemplate, first: int) -> None:
        self._template = template
        self._first = first

    def following(self, begun: Word, /) -> Sequence[int]:
        if len(begun) >= self._template.slots:
            return ()
        cards = self._cards(begun)
        dragons = sum(card in DRAGON_TARGET for card in cards)
        return sorted(
            self._first + CARDS.index(card)
            for card in self._template.cards
            if card not in cards and (card not in DRAGON_TARGET or dragons < self._template.max_dragons)
        )

    def action(self, word: Word, /) -> SubmitProgram | None:
        return SubmitProgram(cards=self._cards(word)) if len(word) == self._template.slots else None

    def _cards(self, word: Word) -> tuple[Card, ...]:
        return tuple(CARDS[index - self._first] for index in word)


class Points:
    """§9 All points of the region."""

    def __init__(self, template: StoneTemplate, first: int) -> None:
        self._region = template.region
        self._first = first

    def following(self, begun: Word, /) -> Sequence[int]:
        if len(begun) >= STEPS:
            return ()
        return [self._first + cell for cell in open_cells(self._region, self._cells(begun))]

    def action(self, word: Word, /) -> PlaceStoneAt | None:
        if len(word) != STEPS:
            return None
        point = square_of(self._cells(word))
        return PlaceStoneAt(x=point.x, y=point.y)

    def _cells(self, word: Word) -> tuple[int, ...]:
        return tuple(index - self._first for index in word)


class RiverDragonsActionSpace:
    """The numbering depends on the side of the board and on the number of seats, because jumps name a seat."""

    def __init__(self, variant: Variant, seats: int) -> None:
        self._all = tuple(_every_action(variant, seats))
        self._index: dict[RiverDragonsAction, Word] = {
            action: (index,) for index, action in enumerate(self._all)
        }
        self._first_card = len(self._all)
        self._first_cell = self._first_card + len(CARDS)
        self._cells = CELLS if variant is Variant.EXPERT else 0

    @cached_property
    def names(self) -> Sequence[str]:
        names = [name_of(action) for action in self._all]
        names += [f"program: {card}" for card in CARDS]
        return [*names, *(f"stone: row {n // ACROSS}, column {n % ACROSS}" for n in range(self._cells))]

    @property
    def parts(self) -> Sequence[int]:
        return range(self._first_card, self._first_cell + self._cells)

    def choices(self, legal: LegalActions[RiverDragonsAction, Any], view: RiverDragonsView, /) -> Choices:
        for template in legal.templates:
            if isinstance(template, ProgramTemplate):
                return Programs(template, self._first_card)
            return Points(template, self._first_cell)
        names = slots_of(view)
        return Listed({self._index[_renamed(action, names)]: action for action in legal.actions})

    def word(self, action: RiverDragonsAction, view: RiverDragonsView, /) -> Word:
        match action:
            case SubmitProgram():
                return tuple(self._first_card + CARDS.index(card) for card in action.cards)
            case PlaceStoneAt():
                return tuple(self._first_cell + cell for cell in cells_of(action.x, action.y))
            case _:
                return self._index[_renamed(action, slots_of(view))]


@cache
def action_space(options: RiverDragonsOptions, seats: int) -> RiverDragonsActionSpace:
    """Return the numbering of a match's actions."""
    return RiverDragonsActionSpace(options.variant, seats)


def _renamed(action: RiverDragonsAction, names: Names) -> RiverDragonsAction:
    """Name the stones of the expert side by their slots."""
    if not names:
        return action
    match action:
        case LayPlank():
            return replace(action, a=names.get(action.a, action.a), b=names.get(action.b, action.b))
        case RemovePlank():
            return replace(action, plank=place_named(action.plank, names))
        case RemoveStone():
            return replace(action, support=names[action.support])
        case Step() | Jump():
            return replace(action, to=place_named(action.to, names))
        case _:
            return action


def _every_action(variant: Variant, seats: int) -> Iterator[RiverDragonsAction]:
    """§11 Return every action that is one index, in an order that is never changed."""
    pairs, stones = pairs_of(variant), stones_of(variant)
    places = (*(Place(village.id) for village in VILLAGES), *pairs)
    if variant is Variant.ISLANDS:
        yield from (PlaceStone(island=island) for island in ISLAND_STONES)
    yield from (ChoosePlank(size=size) for size in PLANK_SIZES)
    for pair in pairs:
        a, b = ends(pair)
        yield LayPlank(a=a, b=b)
    yield from (RemovePlank(plank=pair) for pair in pairs)
    yield from (RemoveStone(support=stone) for stone in stones)
    yield from (Step(to=place) for place in places)
    yield from (Jump(over=Seat(seat), to=place) for seat in range(seats) for place in places)

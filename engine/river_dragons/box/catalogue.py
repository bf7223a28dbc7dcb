"""The box and the board for front ends: static, public, the same for every match."""

from __future__ import annotations

from typing import Final

import msgspec

from engine.river_dragons.box.components import (
    ACTION_CARDS,
    CARD_PARTS,
    COLOURS_IN_PLAY,
    DRAGON_TARGET,
    MAX_DRAGONS,
    MIN_OVERLAP,
    PLANK_LENGTHS,
    PLANK_SIZES,
    PLANK_WIDTH,
    PLANKS_PER_SUPPORT,
    PROGRAM_SLOTS,
    RESERVE_COLOURS,
    ROUND_LIMIT,
    STONE_COUNT,
    STONE_RADIUS,
    STONE_TO_STONE,
    STONE_TO_VILLAGE_EDGE,
    STONE_TO_WATER_EDGE,
    Card,
    Colour,
    hand_of,
)
from engine.river_dragons.box.sites import (
    ISLANDS,
    VIEW_BOX,
    VILLAGES,
    WATER,
    Box,
    IslandSite,
    Point,
    VillageSite,
)


class CardKind(msgspec.Struct, frozen=True, kw_only=True):
    """§1 One kind of card."""

    card: Card
    copies: int
    """In the whole box; a hand holds at most one."""
    parts: int
    """How many times its action is done; 0 for a dragon."""
    target: Colour | None = None
    """A dragon's colour."""


class PlankKind(msgspec.Struct, frozen=True, kw_only=True):
    """One size of plank; there is one plank of it in each colour."""

    size: int
    """The size, 1 to 6."""
    length: int
    """How long a plank of this size is, in board units."""


class TableSetup(msgspec.Struct, frozen=True, kw_only=True):
    """§3 One row of the setup table."""

    seats: int
    colours: tuple[Colour, ...]
    """By seat."""
    hand_size: int


class Measures(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes to draw with, in board units (§14).

    A plank fits between two supports if the distance of their centres is at most its length plus both radii, less twice
    `plank_overlap`.
    """

    stone_radius: int
    """The radius of a stone."""
    plank_width: int
    """How wide a plank is."""
    plank_overlap: int
    """How far a plank must lie on each of its supports."""
    planks: tuple[PlankKind, ...]
    """The sizes of planks, from the shortest to the longest."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Every number a player has to know."""

    stones: int
    """§1"""
    program_slots: int
    """§5"""
    program_dragons: int
    """§5"""
    planks_per_support: int
    """§7.2"""
    reserve_colours: int
    """§7.3"""
    rounds: int
    """§8 [R23]"""
    expert_stone_to_water_edge: int
    """§9, like the next two from the centre of the stone [F3]."""
    expert_stone_to_village_edge: int
    expert_stone_to_stone: int


class Components(msgspec.Struct, frozen=True, kw_only=True):
    """§1, §2, §3, §14"""

    view_box: Box
    water: tuple[Point, ...]
    villages: tuple[VillageSite, ...]
    """§2 The ring, clockwise from the left."""
    islands: tuple[IslandSite, ...]
    """Not on the expert side."""
    measures: Measures
    cards: tuple[CardKind, ...]
    setups: tuple[TableSetup, ...]
    limits: Limits


MEASURES: Final = Measures(
    stone_radius=STONE_RADIUS,
    plank_width=PLANK_WIDTH,
    plank_overlap=MIN_OVERLAP,
    planks=tuple(PlankKind(size=size, length=PLANK_LENGTHS[size]) for size in PLANK_SIZES),
)


def _cards() -> tuple[CardKind, ...]:
    """§1 13 cards for each of six colours: one of every action, one dragon for every other colour."""
    actions = (CardKind(card=card, copies=len(Colour), parts=CARD_PARTS[card]) for card in ACTION_CARDS)
    dragons = (
        CardKind(card=card, copies=len(Colour) - 1, parts=0, target=target)
        for card, target in DRAGON_TARGET.items()
    )
    return (*actions, *dragons)


COMPONENTS: Final = Components(
    view_box=VIEW_BOX,
    water=WATER,
    villages=VILLAGES,
    islands=ISLANDS,
    measures=MEASURES,
    cards=_cards(),
    setups=tuple(
        TableSetup(seats=seats, colours=colours, hand_size=len(hand_of(colours[0], colours)))
        for seats, colours in COLOURS_IN_PLAY.items()
    ),
    limits=Limits(
        stones=STONE_COUNT,
        program_slots=PROGRAM_SLOTS,
        program_dragons=MAX_DRAGONS,
        planks_per_support=PLANKS_PER_SUPPORT,
        reserve_colours=RESERVE_COLOURS,
        rounds=ROUND_LIMIT,
        expert_stone_to_water_edge=STONE_TO_WATER_EDGE,
        expert_stone_to_village_edge=STONE_TO_VILLAGE_EDGE,
        expert_stone_to_stone=STONE_TO_STONE,
    ),
)

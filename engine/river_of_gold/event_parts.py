"""What events are made of: reasons, and the parts that several events share with each other or with the state."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from engine.kernel.seats import Seat
from engine.river_of_gold.box.components import Good, Region
from engine.river_of_gold.box.ids import BuildingId, CustomerId, ShoreId


class Direction(StrEnum):
    """§3.1 Which way favor turns the die."""

    UP = "up"
    DOWN = "down"


class Step(StrEnum):
    """What is still to happen in a turn, one after another; a step may open choices, which are settled before the next."""

    VISITOR_REWARDS = "visitor_rewards"
    """§5.2"""
    OWNER_REWARDS = "owner_rewards"
    """§5.3"""
    JOURNEY = "journey"
    """§5.4 The bonus and the merchants."""
    END_TILE = "end_tile"
    """§5.4 The tile in the end slot is discarded."""
    REFILL = "refill"
    """§4.5"""
    AFTER_SAIL = "after_sail"
    """§5.5"""
    ABILITY = "ability"
    """§6.3"""
    DRAW = "draw"
    """§6.4"""
    MASTERIES = "masteries"
    """§3.3"""
    CLOSING = "closing"
    """[A7] The last exchanges of the turn."""
    EMPEROR = "emperor"
    """§8.2"""
    TRIGGER = "trigger"
    """§8.3"""
    ROLL = "roll"
    """§3.4"""
    NEXT_TURN = "next_turn"


class JourneyBonus(StrEnum):
    """§5.4 What a completed journey brings, in the order the player likes [A5]."""

    KOKU_OR_GOOD = "koku_or_good"
    MERCHANT_1 = "merchant_1"
    MERCHANT_2 = "merchant_2"
    MERCHANT_3 = "merchant_3"
    MERCHANT_4 = "merchant_4"
    MERCHANT_5 = "merchant_5"
    MERCHANT_6 = "merchant_6"


class ChoiceKind(StrEnum):
    """§11.1, §11.2 What is chosen in the middle of a move."""

    GOOD = "good"
    """Which good is gained."""
    DISCARD = "discard"
    """§6.4 Which card of the hand is discarded."""
    ROYAL_SHIP = "royal_ship"
    """§10.5 Which ship becomes the royal one."""
    MARKER = "marker"
    """§10.4 Where a monk's marker goes."""


class ChoiceSource(StrEnum):
    """Where a choice comes from."""

    VISITOR = "visitor"
    """§5.2"""
    OWNER = "owner"
    """§5.3"""
    TRACK = "track"
    """§4.6 Space 18 of an influence track."""
    DELIVERY = "delivery"
    """§6.3, §6.4"""


class InfluenceSource(StrEnum):
    """What moves a marker on an influence track."""

    BUILDING_BONUS = "building_bonus"
    """§4.4"""
    VISITOR = "visitor"
    OWNER = "owner"
    DELIVERY = "delivery"
    MERCHANT = "merchant"
    """`merchant_1`"""
    NOBLE = "noble"
    """`noble_3`"""


class VpSource(StrEnum):
    """What gives victory points while the match goes on."""

    VISITOR_REWARDS = "visitor_rewards"
    OWNER_REWARDS = "owner_rewards"
    TRACKS = "tracks"
    MASTERIES = "masteries"
    MERCHANTS = "merchants"
    NOBLES = "nobles"
    PATRON = "patron"
    END_TRIGGER = "end_trigger"


class EndReason(StrEnum):
    """How a match ends."""

    LAST_TURNS_PLAYED = "LAST_TURNS_PLAYED"
    """§8.3"""
    LAST_PLAYER_LEFT = "LAST_PLAYER_LEFT"


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A choice that one seat has to make before the move goes on."""

    seat: Seat
    kind: ChoiceKind
    source: ChoiceSource
    shore: ShoreId | None = None
    """The visited space it comes from."""
    region: Region | None = None
    """The track it comes from."""
    customer: CustomerId | None = None
    """The delivered customer it comes from; `noble_1` where a printed good may be another one."""


class Gains(msgspec.Struct, frozen=True, kw_only=True):
    """What was really gained, after every cap (§1.4)."""

    koku: int = 0
    silk: int = 0
    rice: int = 0
    porcelain: int = 0
    favor: int = 0
    vp: int = 0


class PlacedBuilding(msgspec.Struct, frozen=True, kw_only=True):
    """A tile on a shore space."""

    shore: ShoreId
    building: BuildingId


class Stack(msgspec.Struct, frozen=True, kw_only=True):
    """[A13] An era's stack: its visible top and how many tiles it has, the top included."""

    top: BuildingId | None
    left: int


class PointLine(msgspec.Struct, frozen=True, kw_only=True):
    """§8.5 Points from one source."""

    source: str
    """Stable: `region_1`, `elder_1`, `customers`, a card, or what gave VP during the match."""
    rule: str
    count: int
    """What was counted: influence, cards, goods, koku, buildings; the VP themselves if nothing else is counted."""
    points: int


class SeatScore(msgspec.Struct, frozen=True, kw_only=True):
    """§8.6 One seat's result; `score` is the sum of the lines."""

    seat: Seat
    rank: int
    score: int
    favor: int
    """[A41] The favor held when final scoring starts; it breaks ties."""
    lines: tuple[PointLine, ...]


def good_gains(good: Good, number: int = 1) -> Gains:
    """Return gains of one kind of good."""
    match good:
        case Good.SILK:
            return Gains(silk=number)
        case Good.RICE:
            return Gains(rice=number)
        case Good.PORCELAIN:
            return Gains(porcelain=number)

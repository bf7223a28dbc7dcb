"""What events are made of: reasons, and the parts that several events share with each other or with the state."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from engine.kernel.seats import Seat
from engine.river_of_gold.box.components import Good, Region
from engine.river_of_gold.box.ids import BuildingId, CustomerId, ShoreId


class Direction(StrEnum):
    """Which way favor turns the die (§3.1)."""

    UP = "up"
    """The die turns to the next higher face; after 6 comes 1."""
    DOWN = "down"
    """The die turns to the next lower face; after 1 comes 6."""


class Step(StrEnum):
    """What is still to happen in a turn, one step after another. A step may open choices, which are made before the next one begins."""

    VISITOR_REWARDS = "visitor_rewards"
    """The player gets the visitor rewards (§5.2)."""
    OWNER_REWARDS = "owner_rewards"
    """The owners of the visited buildings get their rewards (§5.3)."""
    JOURNEY = "journey"
    """The player gets the bonus of the journey and uses merchants (§5.4)."""
    END_TILE = "end_tile"
    """The tile in the end slot is discarded (§5.4)."""
    REFILL = "refill"
    """The row slides and is refilled (§4.5)."""
    AFTER_SAIL = "after_sail"
    """Nobles and patrons work after the sail (§5.5)."""
    ABILITY = "ability"
    """The ability of the delivered customer works (§6.3)."""
    DRAW = "draw"
    """The player draws customers and discards one (§6.4)."""
    MASTERIES = "masteries"
    """The player claims masteries (§3.3)."""
    CLOSING = "closing"
    """The player may exchange once more in this turn [A7]."""
    EMPEROR = "emperor"
    """The Emperor visits (§8.2)."""
    TRIGGER = "trigger"
    """The end is triggered (§8.3)."""
    ROLL = "roll"
    """The player rolls the die for the next own turn (§3.4)."""
    NEXT_TURN = "next_turn"
    """The turn of the next player begins."""


class JourneyBonus(StrEnum):
    """What a completed journey brings (§5.4) [A5]."""

    KOKU_OR_GOOD = "koku_or_good"
    """The player takes 3 koku or 1 good."""
    MERCHANT_1 = "merchant_1"
    """The player gets 1 influence in each region with an own building."""
    MERCHANT_2 = "merchant_2"
    """The player gets 1 VP for each delivered customer."""
    MERCHANT_3 = "merchant_3"
    """The player takes a good of choice."""
    MERCHANT_4 = "merchant_4"
    """The player may sell any number of goods for 5 koku each."""
    MERCHANT_5 = "merchant_5"
    """The player gets 1 favor."""
    MERCHANT_6 = "merchant_6"
    """The player gets 3 koku."""


class ChoiceKind(StrEnum):
    """What is chosen in the middle of a move (§11.1, §11.2)."""

    GOOD = "good"
    """The player chooses which good to gain."""
    DISCARD = "discard"
    """The player chooses which card of the hand to discard (§6.4)."""
    ROYAL_SHIP = "royal_ship"
    """The player chooses which ship becomes the royal one (§10.5)."""
    MARKER = "marker"
    """The player chooses where a monk's marker goes (§10.4)."""


class ChoiceSource(StrEnum):
    """What a choice comes from."""

    VISITOR = "visitor"
    """It comes from a visitor reward (§5.2)."""
    OWNER = "owner"
    """It comes from an owner reward (§5.3)."""
    TRACK = "track"
    """It comes from space 18 of an influence track (§4.6)."""
    DELIVERY = "delivery"
    """It comes from a delivery (§6.3, §6.4)."""


class InfluenceSource(StrEnum):
    """What moves a marker on an influence track."""

    BUILDING_BONUS = "building_bonus"
    """The bonus of a tile that was built (§4.4)."""
    VISITOR = "visitor"
    """A visitor reward (§5.2)."""
    OWNER = "owner"
    """An owner reward (§5.3)."""
    DELIVERY = "delivery"
    """A delivery (§6.3)."""
    MERCHANT = "merchant"
    """`merchant_1` after a journey (§10.3)."""
    NOBLE = "noble"
    """`noble_3` after a sail of the royal ship (§5.5)."""


class VpSource(StrEnum):
    """What gives victory points while the match goes on."""

    VISITOR_REWARDS = "visitor_rewards"
    """Visitor rewards (§5.2)."""
    OWNER_REWARDS = "owner_rewards"
    """Owner rewards (§5.3)."""
    TRACKS = "tracks"
    """Spaces 13 and 18 of the influence tracks (§4.6)."""
    MASTERIES = "masteries"
    """Claimed masteries (§7)."""
    MERCHANTS = "merchants"
    """`merchant_2` after journeys (§10.3)."""
    NOBLES = "nobles"
    """`noble_4` and `noble_6` after sails of the royal ship (§10.5)."""
    PATRON = "patron"
    """The clan patron (§9)."""
    END_TRIGGER = "end_trigger"
    """Triggering the end (§8.3)."""


class EndReason(StrEnum):
    """What ends a match."""

    LAST_TURNS_PLAYED = "LAST_TURNS_PLAYED"
    """The last turns after the end trigger were played (§8.3)."""
    LAST_PLAYER_LEFT = "LAST_PLAYER_LEFT"
    """All players but one have left [F8]."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A choice that one seat has to make before the move goes on."""

    seat: Seat
    """The seat that chooses, counted from 0."""
    kind: ChoiceKind
    """What is chosen."""
    source: ChoiceSource
    """What the choice comes from."""
    shore: ShoreId | None = None
    """The visited shore space that it comes from; absent if it comes from something else."""
    region: Region | None = None
    """The region of the track that it comes from, 1 to 6; absent if it comes from something else."""
    customer: CustomerId | None = None
    """The delivered customer that it comes from; `noble_1` if a printed good may be another one. Absent if no customer brings
    it."""


class Gains(msgspec.Struct, frozen=True, kw_only=True):
    """What a player really gains, after every cap (§1.4). What is left out is 0."""

    koku: int = 0
    """How many koku the player gains."""
    silk: int = 0
    """How many silk the player gains."""
    rice: int = 0
    """How many rice the player gains."""
    porcelain: int = 0
    """How many porcelain the player gains."""
    favor: int = 0
    """How much divine favor the player gains."""
    vp: int = 0
    """How many victory points the player gains."""


class PlacedBuilding(msgspec.Struct, frozen=True, kw_only=True):
    """A building tile on a shore space."""

    shore: ShoreId
    """The id of the shore space."""
    building: BuildingId
    """The id of the tile."""


class Stack(msgspec.Struct, frozen=True, kw_only=True):
    """The stack of one era: the tile on top, which everybody sees, and how many tiles there are [A13]."""

    top: BuildingId | None
    """The tile on top; absent if the stack is empty."""
    left: int
    """How many tiles the stack has, the one on top included."""


class PointLine(msgspec.Struct, frozen=True, kw_only=True):
    """The victory points from one source (§8.5)."""

    source: str
    """What gives the points: `region_1`, `elder_1`, `customers`, a customer card, or what gave points during the match, such as
    `visitor_rewards`. These names never change."""
    rule: str
    """The paragraph of the rules that gives them, such as `8.5`."""
    count: int
    """How much was counted: influence, cards, goods, koku or buildings; the points themselves if nothing else was counted."""
    points: int
    """The victory points of this line."""


class SeatScore(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's final result (§8.6)."""

    seat: Seat
    rank: int
    """The rank of the seat; 1 is best, and seats with equal points and equal favor share a rank."""
    score: int
    """The victory points of the seat, the sum of all lines."""
    favor: int
    """How much favor the seat held when the final scoring began; it breaks ties [A41]."""
    lines: tuple[PointLine, ...]
    """Where the points come from, one line for each source."""


def good_gains(good: Good, number: int = 1) -> Gains:
    """Return gains of one kind of good."""
    match good:
        case Good.SILK:
            return Gains(silk=number)
        case Good.RICE:
            return Gains(rice=number)
        case Good.PORCELAIN:
            return Gains(porcelain=number)

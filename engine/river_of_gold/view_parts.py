"""What a view is made of."""

from __future__ import annotations

import msgspec

from engine.kernel.seats import Seat
from engine.river_of_gold.box.components import BuildingSet, Clan, Face, Goods, Region, ShipId
from engine.river_of_gold.box.customers import Ongoing
from engine.river_of_gold.box.ids import (
    BuildingId,
    CustomerId,
    MasteryId,
    PatronId,
    RegionTileId,
    RiverId,
    ShoreId,
)
from engine.river_of_gold.event_parts import JourneyBonus, VpSource


class ShoreView(msgspec.Struct, frozen=True, kw_only=True):
    """A shore space (§1.1)."""

    id: ShoreId
    """The id of the shore space."""
    region: Region
    """The region of the space, 1 to 6."""
    building: BuildingId | None
    """The building on the space; absent if it is empty."""
    markers: tuple[Seat, ...]
    """The seats that own the building, in the order in which they placed their markers; a seat with both markers is listed
    twice. Empty on neutral buildings (§1.6)."""
    cost: int | None
    """How many koku are printed on the space; absent where nobody can build (§4.2)."""
    your_cost: int | None
    """How many koku the viewing seat would pay, with the discount of an artisan. Absent if the space is taken, or if the viewer
    has no seat (§4.2)."""


class ShipView(msgspec.Struct, frozen=True, kw_only=True):
    """A ship on the river."""

    seat: Seat
    """The seat that the ship belongs to, counted from 0."""
    ship: ShipId
    """The ship, named after the space where it began (§2.5)."""
    royal: bool
    """Whether it is the royal ship (§10.5)."""


class RiverView(msgspec.Struct, frozen=True, kw_only=True):
    """A river space (§1.2)."""

    id: RiverId
    """The id of the river space."""
    ships: tuple[ShipView, ...]
    """The ships on the space."""


class RegionView(msgspec.Struct, frozen=True, kw_only=True):
    """A region, its influence track, and what it is worth at the end (§1.1)."""

    region: Region
    """The number of the region, 1 to 6."""
    tile: RegionTileId
    """The scoring tile of the region (§2.2)."""
    values: tuple[int, ...]
    """How many points the first, the second and the third rank get, with this number of players (§8.5)."""
    influence: tuple[int, ...]
    """The space on which each seat's marker is, 0 to 18, in order of seats (§4.6)."""
    artisans: tuple[Seat, ...]
    """The seats that pay 2 koku less for building here (§10.1)."""
    elders: tuple[Seat, ...]
    """The seats that get twice the points of the scoring tile (§10.2)."""


class RowSlotView(msgspec.Struct, frozen=True, kw_only=True):
    """A slot of the building row (§2.3)."""

    slot: int
    """The number of the slot; slot 1 is the start, slot 4 the end."""
    building: BuildingId | None
    """The tile in the slot; absent if it is empty."""
    favor: int
    """How much favor a player gains for building the tile of this slot (§4.3)."""


class StackView(msgspec.Struct, frozen=True, kw_only=True):
    """The stack of building tiles of one era [A13]."""

    era: BuildingSet
    """The era of the stack."""
    top: BuildingId | None
    """The tile on top, which everybody sees; absent if the stack is empty."""
    left: int
    """How many tiles the stack has, the one on top included."""


class MasterySlotView(msgspec.Struct, frozen=True, kw_only=True):
    """A slot of a mastery (§7.2)."""

    vp: int
    """How many victory points the slot brings."""
    seat: Seat | None
    """The seat that has claimed the slot, counted from 0; absent while it is free."""


class MasteryView(msgspec.Struct, frozen=True, kw_only=True):
    """A mastery that is in play (§7.1)."""

    mastery: MasteryId
    """The mastery."""
    slots: tuple[MasterySlotView, ...]
    """Its slots, the highest value first (§7.2)."""


class DeliveredView(msgspec.Struct, frozen=True, kw_only=True):
    """A customer that the player has delivered to (§6.3)."""

    customer: CustomerId
    """The customer card."""
    ongoing: Ongoing | None
    """What the customer does from now on; absent for elders, and for players who have left."""


class PointsView(msgspec.Struct, frozen=True, kw_only=True):
    """The victory points that a player has so far from one source."""

    source: VpSource
    """What gave the points."""
    vp: int
    """How many victory points it gave."""


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One player: the clan board, and what lies in front of the player."""

    seat: Seat
    place: int
    """The place of the player in the turn order, counted from 1 (§2.5)."""
    clan: Clan | None
    """The clan of the player; absent while it is not known yet."""
    patron: PatronId | None
    """The patron of the player; absent if there is none, or not yet."""
    koku: int
    """How many koku the player holds, 25 at most (§1.4)."""
    goods: Goods
    """The goods that the player holds, 6 of each kind at most (§1.4)."""
    favor: int
    """How much divine favor the player holds; the sun on the clan board (§1.3)."""
    favor_limit: int
    """How much divine favor the player can hold; the moon on the clan board (§1.4)."""
    vp: int
    """How many victory points the player has so far."""
    points: tuple[PointsView, ...]
    """Where the victory points so far come from; sources that gave none are left out."""
    die: Face | None
    """The face of the player's die, 1 to 6, for the current turn or the next one; absent before the first roll."""
    influence: tuple[int, ...]
    """The space of the player's marker on each track, 0 to 18, from region 1 on (§4.6)."""
    hand_size: int
    """How many cards the player has in the hand; everybody sees this."""
    hand: tuple[CustomerId, ...]
    """The cards in the hand, for their owner and a referee. Empty for everybody else, whatever `hand_size` says."""
    delivered: tuple[DeliveredView, ...]
    """The customers that the player has delivered to, in this order."""
    buildings: tuple[ShoreId, ...]
    """The shore spaces where the player's own buildings stand (§1.7)."""
    royal_ship: ShipId | None
    """Which of the player's ships is the royal one; absent if none is (§10.5)."""
    last_turn: bool
    """Whether the player's last turn is still to come, with no other after it (§8.3)."""
    left: bool
    """Whether the player has left the match for good [F8]."""


class VoyageView(msgspec.Struct, frozen=True, kw_only=True):
    """The sail of this turn (§5)."""

    ship: ShipId
    """The ship that has sailed."""
    royal: bool
    """Whether it is the royal ship (§10.5)."""
    river: RiverId
    """The river space where the ship ended."""
    bonuses: tuple[JourneyBonus, ...]
    """What a completed journey still brings, in any order; empty if nothing is left (§5.4)."""

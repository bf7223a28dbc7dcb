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
    """§1.1 A shore space."""

    id: ShoreId
    region: Region
    building: BuildingId | None
    """Absent for an empty space."""
    markers: tuple[Seat, ...]
    """§1.6 Owners, the first-placed first; one seat twice has both markers. Empty on neutral buildings."""
    cost: int | None
    """§4.2 Printed koku cost; absent where nobody can build."""
    your_cost: int | None
    """§4.2 What the viewing seat would pay, artisan's discount included; absent on a taken space and for a viewer without a seat."""


class ShipView(msgspec.Struct, frozen=True, kw_only=True):
    """A ship on the river."""

    seat: Seat
    ship: ShipId
    royal: bool


class RiverView(msgspec.Struct, frozen=True, kw_only=True):
    """§1.2 A river space."""

    id: RiverId
    ships: tuple[ShipView, ...]


class RegionView(msgspec.Struct, frozen=True, kw_only=True):
    """§1.1 A region: its track and what it is worth at the end."""

    region: Region
    tile: RegionTileId
    values: tuple[int, ...]
    """§8.5 VP for the first, the second and the third, with this number of players."""
    influence: tuple[int, ...]
    """§4.6 Every seat's space on the track, 0 to 18, in order of seats."""
    artisans: tuple[Seat, ...]
    """§10.1 Whose builds cost 2 koku less here."""
    elders: tuple[Seat, ...]
    """§10.2 Whose tile VP are doubled here."""


class RowSlotView(msgspec.Struct, frozen=True, kw_only=True):
    """§2.3 A slot of the building row."""

    slot: int
    """1 is the start slot, 4 the end slot."""
    building: BuildingId | None
    """Absent for an empty slot."""
    favor: int
    """§4.3 Gained for building from this slot."""


class StackView(msgspec.Struct, frozen=True, kw_only=True):
    """[A13] A stack of building tiles."""

    era: BuildingSet
    top: BuildingId | None
    """Absent if the stack is empty."""
    left: int
    """The number of tiles, the top included."""


class MasterySlotView(msgspec.Struct, frozen=True, kw_only=True):
    """§7.2"""

    vp: int
    seat: Seat | None
    """Who has claimed it; absent while it is free."""


class MasteryView(msgspec.Struct, frozen=True, kw_only=True):
    """§7.1 A mastery in play."""

    mastery: MasteryId
    slots: tuple[MasterySlotView, ...]


class DeliveredView(msgspec.Struct, frozen=True, kw_only=True):
    """§6.3 A delivered customer."""

    customer: CustomerId
    ongoing: Ongoing | None
    """The ability that is active from now on; elders have none."""


class PointsView(msgspec.Struct, frozen=True, kw_only=True):
    """VP so far from one source."""

    source: VpSource
    vp: int


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One player's clan board, and what lies in front of the player."""

    seat: Seat
    place: int
    """§2.5 In the turn order, counted from 1."""
    clan: Clan | None
    patron: PatronId | None
    koku: int
    goods: Goods
    favor: int
    """§1.3 The sun."""
    favor_limit: int
    """§1.3 The moon."""
    vp: int
    points: tuple[PointsView, ...]
    """Where the VP so far come from; sources without any are left out."""
    die: Face | None
    """The roll for the next turn, or for the current one."""
    influence: tuple[int, ...]
    """§4.6 From region 1 on."""
    hand_size: int
    hand: tuple[CustomerId, ...]
    """The cards, for their owner and a referee; empty for everybody else, whatever `hand_size` says."""
    delivered: tuple[DeliveredView, ...]
    """In the order of delivery."""
    buildings: tuple[ShoreId, ...]
    """§1.7 Where the player's own buildings stand."""
    royal_ship: ShipId | None
    """§10.5 Which ship is the royal one."""
    last_turn: bool
    """§8.3 Whether the player's last turn is still to come."""
    left: bool


class VoyageView(msgspec.Struct, frozen=True, kw_only=True):
    """§5 The sail of this turn."""

    ship: ShipId
    royal: bool
    river: RiverId
    """Where it ended."""
    bonuses: tuple[JourneyBonus, ...]
    """§5.4 Still to be resolved, in any order."""

"""Events of what players do and gain: favor and exchanges, builds, sails, deliveries, and every reward that follows."""

from __future__ import annotations

from engine.kernel.records import Event
from engine.kernel.seats import Seat
from engine.river_of_gold.box.components import Good, Goods, Region, ShipId
from engine.river_of_gold.box.ids import BuildingId, CustomerId, MasteryId, PatronId, RiverId, ShoreId
from engine.river_of_gold.event_parts import ChoiceSource, Direction, Gains, InfluenceSource, JourneyBonus


class FavorSpent(Event, frozen=True, kw_only=True, tag="favor_spent"):
    """§3.1"""

    seat: Seat
    favor: int
    """Paid."""
    direction: Direction
    face: int
    """The face the die shows now."""


class GoodsExchanged(Event, frozen=True, kw_only=True, tag="goods_exchanged"):
    """§3.4"""

    seat: Seat
    given: Good
    number: int
    """How many goods were given."""
    taken: Good


class KokuExchanged(Event, frozen=True, kw_only=True, tag="koku_exchanged"):
    """§3.4"""

    seat: Seat
    koku: int
    """Given."""
    favor: int
    """Taken."""


class BuildingBuilt(Event, frozen=True, kw_only=True, tag="building_built"):
    """§4.1 to §4.4 The tile left its slot of the row and has the player's marker; influence follows."""

    seat: Seat
    shore: ShoreId
    building: BuildingId
    slot: int
    """The slot of the row; 1 is the start slot."""
    koku: int
    """Paid."""
    favor: int
    """§4.3 Gained for the end slot."""


class ShipSailed(Event, frozen=True, kw_only=True, tag="ship_sailed"):
    """§5.1"""

    seat: Seat
    ship: ShipId
    royal: bool
    distance: int
    from_space: RiverId
    to_space: RiverId
    completed: bool
    """[A3] Whether a journey was completed on the way."""


class CustomerDelivered(Event, frozen=True, kw_only=True, tag="customer_delivered"):
    """§6.1 to §6.3"""

    seat: Seat
    customer: CustomerId
    paid: Goods


class InfluenceGained(Event, frozen=True, kw_only=True, tag="influence_gained"):
    """§4.6 A marker has moved on a track; rewards of the spaces reached or passed follow."""

    seat: Seat
    region: Region
    from_space: int
    to_space: int
    source: InfluenceSource
    shore: ShoreId | None = None
    """The building it comes from."""
    customer: CustomerId | None = None
    """The customer it comes from."""


class TrackRewarded(Event, frozen=True, kw_only=True, tag="track_rewarded"):
    """§4.6"""

    seat: Seat
    region: Region
    space: int
    gains: Gains


class VisitorRewarded(Event, frozen=True, kw_only=True, tag="visitor_rewarded"):
    """§5.2 For the sailing player; influence, cards and goods of choice are recorded by separate events."""

    seat: Seat
    shore: ShoreId
    building: BuildingId | None
    """Absent for an empty space."""
    gains: Gains


class OwnerRewarded(Event, frozen=True, kw_only=True, tag="owner_rewarded"):
    """§5.3, §8.2 For one marker on a building."""

    seat: Seat
    shore: ShoreId
    building: BuildingId
    gains: Gains
    emperor: bool
    """§8.2 Whether the Emperor's visit brought it."""


class GoodChosen(Event, frozen=True, kw_only=True, tag="good_chosen"):
    """§11 The answer to a choice of a good."""

    seat: Seat
    good: Good
    source: ChoiceSource
    shore: ShoreId | None = None
    region: Region | None = None


class JourneyCompleted(Event, frozen=True, kw_only=True, tag="journey_completed"):
    """§5.4"""

    seat: Seat
    bonuses: tuple[JourneyBonus, ...]
    """To be resolved in any order."""


class JourneyRewarded(Event, frozen=True, kw_only=True, tag="journey_rewarded"):
    """§5.4 3 koku or 1 good."""

    seat: Seat
    gains: Gains


class MerchantUsed(Event, frozen=True, kw_only=True, tag="merchant_used"):
    """§10.3 The influence of `merchant_1` is recorded by separate events."""

    seat: Seat
    customer: CustomerId
    sold: Goods
    """The goods sold by `merchant_4`."""
    gains: Gains


class BonusesLapsed(Event, frozen=True, kw_only=True, tag="bonuses_lapsed"):
    """§11.3 The remaining bonuses of a journey lapsed."""

    seat: Seat
    bonuses: tuple[JourneyBonus, ...]


class NobleRewarded(Event, frozen=True, kw_only=True, tag="noble_rewarded"):
    """§5.5 `noble_4`, `noble_6`"""

    seat: Seat
    customer: CustomerId
    vp: int


class PatronRewarded(Event, frozen=True, kw_only=True, tag="patron_rewarded"):
    """§9"""

    seat: Seat
    patron: PatronId
    vp: int


class MonkRewarded(Event, frozen=True, kw_only=True, tag="monk_rewarded"):
    """§10.4 The favor limit rises first [A6]."""

    seat: Seat
    customer: CustomerId
    favor_limit: int
    """The limit now."""
    favor: int
    """Gained."""


class RoyalShipLaunched(Event, frozen=True, kw_only=True, tag="royal_ship_launched"):
    """§10.5 The royal ship replaced this ship, in its space."""

    seat: Seat
    ship: ShipId


class MarkerPlaced(Event, frozen=True, kw_only=True, tag="marker_placed"):
    """§10.4 A second marker."""

    seat: Seat
    shore: ShoreId
    building: BuildingId
    customer: CustomerId
    """The monk."""


class MasteryClaimed(Event, frozen=True, kw_only=True, tag="mastery_claimed"):
    """§7.1"""

    seat: Seat
    mastery: MasteryId
    vp: int

"""Events of what players do and gain: favor and exchanges, builds, sails, deliveries, and every reward that follows."""

from __future__ import annotations

from engine.kernel.records import Event
from engine.kernel.seats import Seat
from engine.river_of_gold.box.components import Good, Goods, Region, ShipId
from engine.river_of_gold.box.ids import BuildingId, CustomerId, MasteryId, PatronId, RiverId, ShoreId
from engine.river_of_gold.event_parts import ChoiceSource, Direction, Gains, InfluenceSource, JourneyBonus


class FavorSpent(Event, frozen=True, kw_only=True, tag="favor_spent"):
    """A player pays favor to turn the die (§3.1)."""

    seat: Seat
    favor: int
    """How much favor the player pays."""
    direction: Direction
    """Which way the die is turned."""
    face: int
    """The face that the die shows now, 1 to 6."""


class GoodsExchanged(Event, frozen=True, kw_only=True, tag="goods_exchanged"):
    """A player gives goods of one kind for a good of another (§3.4)."""

    seat: Seat
    given: Good
    """The kind of the goods that the player gives."""
    number: int
    """How many goods the player gives."""
    taken: Good
    """The kind of the good that the player takes."""


class KokuExchanged(Event, frozen=True, kw_only=True, tag="koku_exchanged"):
    """A player gives koku for favor (§3.4)."""

    seat: Seat
    koku: int
    """How many koku the player gives."""
    favor: int
    """How much favor the player takes."""


class BuildingBuilt(Event, frozen=True, kw_only=True, tag="building_built"):
    """A player builds: the tile leaves the row, lies on its shore space and has the player's marker.

    The influence of the tile follows (§4.1 to §4.4).

    The influence of the tile follows (§4.1 to §4.4).
    """

    seat: Seat
    shore: ShoreId
    """The id of the shore space."""
    building: BuildingId
    """The id of the tile."""
    slot: int
    """The slot of the row that the tile leaves, 1 to 4; slot 1 is the start, slot 4 the end."""
    koku: int
    """How many koku the player pays."""
    favor: int
    """How much favor the player gains for building from the end slot; 0 otherwise (§4.3)."""


class ShipSailed(Event, frozen=True, kw_only=True, tag="ship_sailed"):
    """A player's ship sails (§5.1)."""

    seat: Seat
    ship: ShipId
    """The ship that sails."""
    royal: bool
    """Whether it is the royal ship (§10.5)."""
    distance: int
    """How many spaces the ship moves."""
    from_space: RiverId
    """The river space that the ship leaves."""
    to_space: RiverId
    """The river space where the ship ends."""
    completed: bool
    """Whether the ship completes a journey on the way [A3]."""


class CustomerDelivered(Event, frozen=True, kw_only=True, tag="customer_delivered"):
    """A player delivers to a customer: the card leaves the hand and lies open before the player (§6.1 to §6.3)."""

    seat: Seat
    customer: CustomerId
    """The customer card."""
    paid: Goods
    """The goods that the player pays."""


class InfluenceGained(Event, frozen=True, kw_only=True, tag="influence_gained"):
    """A marker moves on an influence track. The rewards of the spaces that it reaches or passes follow (§4.6)."""

    seat: Seat
    region: Region
    """The region of the track, 1 to 6."""
    from_space: int
    """The space of the track that the marker leaves, 0 to 18."""
    to_space: int
    """The space of the track where the marker ends, 0 to 18."""
    source: InfluenceSource
    """What moves the marker."""
    shore: ShoreId | None = None
    """The shore space of the building that moves it; absent if no building does."""
    customer: CustomerId | None = None
    """The customer who moves it; absent if no customer does."""


class TrackRewarded(Event, frozen=True, kw_only=True, tag="track_rewarded"):
    """A player gets the reward of a space on an influence track; a good of choice follows as a choice (§4.6)."""

    seat: Seat
    region: Region
    """The region of the track, 1 to 6."""
    space: int
    """The space of the track, 1 to 18."""
    gains: Gains
    """What the player really gains, after every cap (§1.4)."""


class VisitorRewarded(Event, frozen=True, kw_only=True, tag="visitor_rewarded"):
    """The player who sails gets the reward of one visited shore space.

    Influence, cards and goods of choice are events of their own (§5.2).

    Influence, cards and goods of choice are events of their own (§5.2).
    """

    seat: Seat
    shore: ShoreId
    """The id of the visited shore space."""
    building: BuildingId | None
    """The id of the building there; absent for an empty space."""
    gains: Gains
    """What the player really gains, after every cap (§1.4)."""


class OwnerRewarded(Event, frozen=True, kw_only=True, tag="owner_rewarded"):
    """An owner gets the owner reward of a building, for one marker (§5.3, §8.2)."""

    seat: Seat
    """The seat of the owner, counted from 0."""
    shore: ShoreId
    """The id of the shore space."""
    building: BuildingId
    """The id of the building."""
    gains: Gains
    """What the owner really gains, after every cap (§1.4)."""
    emperor: bool
    """Whether the Emperor's visit brings it, and not a sail (§8.2)."""


class GoodChosen(Event, frozen=True, kw_only=True, tag="good_chosen"):
    """A player answers a choice of a good and gains it (§11)."""

    seat: Seat
    good: Good
    """The kind of good that the player gains."""
    source: ChoiceSource
    """What the choice came from."""
    shore: ShoreId | None = None
    """The visited shore space that it came from; absent if it came from something else."""
    region: Region | None = None
    """The region of the track that it came from, 1 to 6; absent if it came from something else."""


class JourneyCompleted(Event, frozen=True, kw_only=True, tag="journey_completed"):
    """A player's ship has completed a journey (§5.4)."""

    seat: Seat
    bonuses: tuple[JourneyBonus, ...]
    """What the journey brings, which the player takes in any order."""


class JourneyRewarded(Event, frozen=True, kw_only=True, tag="journey_rewarded"):
    """A player takes 3 koku or 1 good for a completed journey (§5.4)."""

    seat: Seat
    gains: Gains
    """What the player really gains, after every cap (§1.4)."""


class MerchantUsed(Event, frozen=True, kw_only=True, tag="merchant_used"):
    """A player uses a merchant for a completed journey. The influence of `merchant_1` follows in events of its own (§10.3)."""

    seat: Seat
    customer: CustomerId
    """The merchant's card."""
    sold: Goods
    """The goods that the player sells with `merchant_4`; none with the others."""
    gains: Gains
    """What the player really gains, after every cap (§1.4)."""


class BonusesLapsed(Event, frozen=True, kw_only=True, tag="bonuses_lapsed"):
    """The remaining bonuses of a journey are lost (§11.3) [F4] [F12]."""

    seat: Seat
    bonuses: tuple[JourneyBonus, ...]
    """The bonuses that are lost."""


class NobleRewarded(Event, frozen=True, kw_only=True, tag="noble_rewarded"):
    """A noble scores after a sail of the royal ship: `noble_4` or `noble_6` (§5.5)."""

    seat: Seat
    customer: CustomerId
    """The noble's card."""
    vp: int
    """How many victory points the player gains."""


class PatronRewarded(Event, frozen=True, kw_only=True, tag="patron_rewarded"):
    """A player's patron scores (§9)."""

    seat: Seat
    patron: PatronId
    """The patron."""
    vp: int
    """How many victory points the player gains."""


class MonkRewarded(Event, frozen=True, kw_only=True, tag="monk_rewarded"):
    """A monk raises the player's favor limit and then brings favor (§10.4) [A6]."""

    seat: Seat
    customer: CustomerId
    """The monk's card."""
    favor_limit: int
    """How much favor the player can hold now."""
    favor: int
    """How much favor the player gains, after the limit."""


class RoyalShipLaunched(Event, frozen=True, kw_only=True, tag="royal_ship_launched"):
    """The royal ship replaces one of a player's ships, on the same river space (§10.5)."""

    seat: Seat
    ship: ShipId
    """The ship that is the royal ship now."""


class MarkerPlaced(Event, frozen=True, kw_only=True, tag="marker_placed"):
    """A player puts a second marker on a building, for a monk (§10.4)."""

    seat: Seat
    shore: ShoreId
    """The id of the shore space."""
    building: BuildingId
    """The id of the building."""
    customer: CustomerId
    """The monk's card."""


class MasteryClaimed(Event, frozen=True, kw_only=True, tag="mastery_claimed"):
    """A player claims a mastery (§7.1)."""

    seat: Seat
    mastery: MasteryId
    """The mastery."""
    vp: int
    """How many victory points the player gains (§7.2)."""

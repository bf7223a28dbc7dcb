"""What happened: facts with final numbers, enough to fold the state, and to animate it without knowing the rules.

Here are the setup, the course of turns and the end; gain_events.py has what players do and gain.
`RiverOfGoldEvent` is the union.
"""

from __future__ import annotations

from engine.kernel.records import Event
from engine.kernel.seats import Seat
from engine.river_of_gold.box.components import BuildingSet, Clan, Goods, PatronMode
from engine.river_of_gold.box.ids import BuildingId, CustomerId, MasteryId, PatronId, RegionTileId, RiverId
from engine.river_of_gold.event_parts import (
    Choice,
    ChoiceKind,
    EndReason,
    PlacedBuilding,
    SeatScore,
    Stack,
    Step,
)
from engine.river_of_gold.gain_events import (
    BonusesLapsed,
    BuildingBuilt,
    CustomerDelivered,
    FavorSpent,
    GoodChosen,
    GoodsExchanged,
    InfluenceGained,
    JourneyCompleted,
    JourneyRewarded,
    KokuExchanged,
    MarkerPlaced,
    MasteryClaimed,
    MerchantUsed,
    MonkRewarded,
    NobleRewarded,
    OwnerRewarded,
    PatronRewarded,
    RoyalShipLaunched,
    ShipSailed,
    TrackRewarded,
    VisitorRewarded,
)


class MatchStarted(Event, frozen=True, kw_only=True, tag="match_started", omit_defaults=True):
    """§2.1 to §2.3, §2.5 The setup of the match without the players' own pieces."""

    order: tuple[Seat, ...]
    """Clockwise from the first player."""
    patrons: PatronMode
    offers: tuple[PatronId, ...]
    """§9.1 The patrons that lie open in a draft."""
    clans: tuple[Clan, ...]
    """By seat; empty in a draft."""
    buildings: tuple[PlacedBuilding, ...]
    """§2.1 Imperial markets and starting tiles."""
    region_tiles: tuple[RegionTileId, ...]
    """From region 1 on."""
    masteries: tuple[MasteryId, ...]
    row: tuple[BuildingId, ...]
    """From the start slot to the end slot."""
    era_1: Stack
    era_2: Stack
    rules_version: str | None = None
    """The version of the rules the match is played by; None for the first one."""


class PatronChosen(Event, frozen=True, kw_only=True, tag="patron_chosen"):
    """§9.1, §9.2"""

    seat: Seat
    patron: PatronId
    clan: Clan


class SeatSetUp(Event, frozen=True, kw_only=True, tag="seat_set_up"):
    """§2.5, §2.6 What a player starts with, and where the two setup rolls have moved the ships."""

    seat: Seat
    clan: Clan
    patron: PatronId | None
    koku: int
    goods: Goods
    favor: int
    favor_limit: int
    upstream_roll: int
    midstream_roll: int
    upstream: RiverId
    midstream: RiverId


class CustomerDrawn(Event, frozen=True, kw_only=True, tag="customer_drawn"):
    """§2.6, §6.4 One card from the deck into a hand."""

    seat: Seat
    customer: CustomerId | None = None
    """Absent for everybody but the owner of the hand."""

    def __repr__(self) -> str:
        """Return the event without the card, which only the owner of the hand may see."""
        return f"CustomerDrawn(seat={self.seat}, customer=<hidden>)"


class DeckReshuffled(Event, frozen=True, kw_only=True, tag="deck_reshuffled"):
    """[A11] The discards become the new deck."""

    customers: tuple[CustomerId, ...]


class CustomerDiscarded(Event, frozen=True, kw_only=True, tag="customer_discarded"):
    """§6.4 A card was discarded from a hand, face up [A12]."""

    seat: Seat
    customer: CustomerId


class DieRolled(Event, frozen=True, kw_only=True, tag="die_rolled"):
    """§2.7, §3.4 The die was rolled for the seat's next turn."""

    seat: Seat
    face: int


class DieSet(Event, frozen=True, kw_only=True, tag="die_set"):
    """[A23] Kakita Ryoku set the die instead of rolling it."""

    seat: Seat
    face: int
    favor: int
    """Paid."""


class TurnStarted(Event, frozen=True, kw_only=True, tag="turn_started"):
    """§3"""

    seat: Seat
    turn: int
    """Counted from 1, over all players."""


class StepStarted(Event, frozen=True, kw_only=True, tag="step_started"):
    """The move goes on with this step."""

    seat: Seat
    step: Step


class ChoiceOpened(Event, frozen=True, kw_only=True, tag="choice_opened"):
    """§11 Something must be chosen before the next step."""

    choice: Choice


class ChoiceLapsed(Event, frozen=True, kw_only=True, tag="choice_lapsed"):
    """§11.3 A choice lapsed, because every option would have gained nothing."""

    seat: Seat
    kind: ChoiceKind


class TileDiscarded(Event, frozen=True, kw_only=True, tag="tile_discarded"):
    """§5.4 The tile in the end slot is removed from the game."""

    building: BuildingId
    slot: int


class RowRefilled(Event, frozen=True, kw_only=True, tag="row_refilled"):
    """§4.5 The row has slid; a tile has entered the start slot, if there was one."""

    building: BuildingId | None
    era: BuildingSet | None
    """The era of the tile that entered."""
    stack: Stack | None
    """The stack of this era after the refill."""
    emptied: bool
    """Whether it was the era's last tile: at the end of the turn the Emperor visits (Era 1), or the end is triggered (Era 2)."""


class TurnClosed(Event, frozen=True, kw_only=True, tag="turn_closed"):
    """§3.4 The player has finished the turn; the steps of its end follow."""

    seat: Seat


class EmperorVisited(Event, frozen=True, kw_only=True, tag="emperor_visited"):
    """§8.2 Owner rewards of every owned building follow."""


class EndTriggered(Event, frozen=True, kw_only=True, tag="end_triggered"):
    """§8.3"""

    seat: Seat
    vp: int
    last_turns: tuple[Seat, ...]
    """Who plays one more turn, in this order."""


class LastExchangesOpened(Event, frozen=True, kw_only=True, tag="last_exchanges_opened"):
    """[F11] The last turn is over; these seats may exchange once more before the final scoring."""

    seats: tuple[Seat, ...]
    """In the order they are asked."""


class LastExchangesClosed(Event, frozen=True, kw_only=True, tag="last_exchanges_closed"):
    """[F11] The seat exchanges nothing more in this match: it declined, or there is nothing left to exchange."""

    seat: Seat


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat_left"):
    """[F8] A player left for good: markers and ships are removed, the hand is discarded, delivered cards stay with the seat."""

    seat: Seat
    customers: tuple[CustomerId, ...]
    """The hand, now discarded face up."""


class MatchEnded(Event, frozen=True, kw_only=True, tag="match_ended"):
    """§8.5, §8.6"""

    reason: EndReason
    scores: tuple[SeatScore, ...]
    """In order of seats."""


RiverOfGoldEvent = (
    MatchStarted
    | PatronChosen
    | SeatSetUp
    | CustomerDrawn
    | DeckReshuffled
    | CustomerDiscarded
    | DieRolled
    | DieSet
    | TurnStarted
    | FavorSpent
    | GoodsExchanged
    | KokuExchanged
    | BuildingBuilt
    | ShipSailed
    | CustomerDelivered
    | StepStarted
    | ChoiceOpened
    | ChoiceLapsed
    | InfluenceGained
    | TrackRewarded
    | VisitorRewarded
    | OwnerRewarded
    | GoodChosen
    | JourneyCompleted
    | JourneyRewarded
    | MerchantUsed
    | BonusesLapsed
    | NobleRewarded
    | PatronRewarded
    | MonkRewarded
    | RoyalShipLaunched
    | MarkerPlaced
    | TileDiscarded
    | RowRefilled
    | MasteryClaimed
    | TurnClosed
    | EmperorVisited
    | EndTriggered
    | SeatLeft
    | MatchEnded
    | LastExchangesOpened
    | LastExchangesClosed
)

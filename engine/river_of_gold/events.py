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
    """The match begins: the board is laid out, before anything that a player gets (§2.1 to §2.3, §2.5)."""

    order: tuple[Seat, ...]
    """All seats in turn order, clockwise from the first player."""
    patrons: PatronMode
    """How patrons are given out."""
    offers: tuple[PatronId, ...]
    """The patrons that lie open in a draft; empty without a draft (§9.1)."""
    clans: tuple[Clan, ...]
    """The clan of each seat, in order of seats; empty in a draft, where the patron brings the clan."""
    buildings: tuple[PlacedBuilding, ...]
    """The imperial markets and the starting tiles, with the shore spaces where they lie (§2.1)."""
    region_tiles: tuple[RegionTileId, ...]
    """The scoring tile of each region, from region 1 on (§2.2)."""
    masteries: tuple[MasteryId, ...]
    """The masteries that are in play (§2.2)."""
    row: tuple[BuildingId, ...]
    """The tiles of the building row, from the start slot to the end slot (§2.3)."""
    era_1: Stack
    """The stack of era 1, after the row was filled."""
    era_2: Stack
    """The stack of era 2."""
    rules_version: str | None = None
    """The version of the rules by which the match is played; absent for the first one, 1.0.0."""


class PatronChosen(Event, frozen=True, kw_only=True, tag="patron_chosen"):
    """A player takes a patron (§9.1, §9.2)."""

    seat: Seat
    patron: PatronId
    """The patron."""
    clan: Clan
    """The clan of the patron, which is now the player's."""


class SeatSetUp(Event, frozen=True, kw_only=True, tag="seat_set_up"):
    """A player gets what a player starts with, and the two ships make their first moves (§2.5, §2.6)."""

    seat: Seat
    clan: Clan
    """The clan of the player."""
    patron: PatronId | None
    """The patron of the player; absent if the match is played without patrons."""
    koku: int
    """How many koku the player starts with."""
    goods: Goods
    """The goods that the player starts with."""
    favor: int
    """How much divine favor the player starts with."""
    favor_limit: int
    """How much divine favor the player can hold (§1.4)."""
    upstream_roll: int
    """The roll that moved the upstream ship, 1 to 6."""
    midstream_roll: int
    """The roll that moved the midstream ship, 1 to 6."""
    upstream: RiverId
    """The river space where the upstream ship is now."""
    midstream: RiverId
    """The river space where the midstream ship is now."""


class CustomerDrawn(Event, frozen=True, kw_only=True, tag="customer_drawn"):
    """A player draws one card from the deck into the hand (§2.6, §6.4)."""

    seat: Seat
    customer: CustomerId | None = None
    """The customer card. Present only for the owner of the hand and a referee."""

    def __repr__(self) -> str:
        """Return the event without the card, which only the owner of the hand may see."""
        return f"CustomerDrawn(seat={self.seat}, customer=<hidden>)"


class DeckReshuffled(Event, frozen=True, kw_only=True, tag="deck_reshuffled"):
    """The discards become the new deck [A11]."""

    customers: tuple[CustomerId, ...]
    """The cards that are in the deck now; they have no order."""


class CustomerDiscarded(Event, frozen=True, kw_only=True, tag="customer_discarded"):
    """A player discards a card of the hand, face up (§6.4) [A12]."""

    seat: Seat
    customer: CustomerId
    """The customer card that is discarded."""


class DieRolled(Event, frozen=True, kw_only=True, tag="die_rolled"):
    """A player rolls the die for the next own turn (§2.7, §3.4)."""

    seat: Seat
    face: int
    """The face that the die shows, 1 to 6."""


class DieSet(Event, frozen=True, kw_only=True, tag="die_set"):
    """The player of Kakita Ryoku sets the die instead of rolling it [A23]."""

    seat: Seat
    face: int
    """The face that the die shows, 1 to 6."""
    favor: int
    """How much favor the player pays for it."""


class TurnStarted(Event, frozen=True, kw_only=True, tag="turn_started"):
    """A player's turn begins (§3)."""

    seat: Seat
    turn: int
    """The number of the turn, counted from 1 over all players."""


class StepStarted(Event, frozen=True, kw_only=True, tag="step_started"):
    """The turn goes on with this step."""

    seat: Seat
    step: Step
    """The step that begins."""


class ChoiceOpened(Event, frozen=True, kw_only=True, tag="choice_opened"):
    """Something must be chosen before the next step (§11)."""

    choice: Choice
    """What is to be chosen, and by whom."""


class ChoiceLapsed(Event, frozen=True, kw_only=True, tag="choice_lapsed"):
    """A choice is skipped, because every option would gain nothing (§11.3)."""

    seat: Seat
    kind: ChoiceKind
    """What would have been chosen."""


class TileDiscarded(Event, frozen=True, kw_only=True, tag="tile_discarded"):
    """The tile in the end slot of the row leaves the game (§5.4)."""

    building: BuildingId
    """The id of the tile."""
    slot: int
    """The slot that it leaves, 1 to 4; slot 1 is the start, slot 4 the end."""


class RowRefilled(Event, frozen=True, kw_only=True, tag="row_refilled"):
    """The tiles of the row slide, and a tile enters the start slot if one is left (§4.5)."""

    building: BuildingId | None
    """The id of the tile that enters; absent if none does."""
    era: BuildingSet | None
    """The era of the tile that enters; absent if none does."""
    stack: Stack | None
    """The stack of this era after that; absent if no tile enters."""
    emptied: bool
    """Whether it is the era's last tile: at the end of the turn the Emperor visits (era 1), or the end is triggered (era 2)."""


class TurnClosed(Event, frozen=True, kw_only=True, tag="turn_closed"):
    """A player has finished the turn; the steps of its end follow (§3.4)."""

    seat: Seat


class EmperorVisited(Event, frozen=True, kw_only=True, tag="emperor_visited"):
    """The Emperor visits: the owner rewards of every owned building follow (§8.2)."""


class EndTriggered(Event, frozen=True, kw_only=True, tag="end_triggered"):
    """A player triggers the end of the match (§8.3)."""

    seat: Seat
    vp: int
    """How many victory points the player gains for it; 0 if the player has left [F8]."""
    last_turns: tuple[Seat, ...]
    """The seats that play one more turn, in this order."""


class LastExchangesOpened(Event, frozen=True, kw_only=True, tag="last_exchanges_opened"):
    """The last turn is over, and some seats may exchange once more before the final scoring [F11]."""

    seats: tuple[Seat, ...]
    """The seats that may exchange, in the order in which they are asked."""


class LastExchangesClosed(Event, frozen=True, kw_only=True, tag="last_exchanges_closed"):
    """A seat exchanges nothing more in this match, because it declines or has nothing left to exchange [F11]."""

    seat: Seat


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat_left"):
    """A player leaves for good: markers and ships are removed, the hand is discarded, delivered cards stay with the seat [F8]."""

    seat: Seat
    customers: tuple[CustomerId, ...]
    """The cards of the hand, which are discarded face up."""


class MatchEnded(Event, frozen=True, kw_only=True, tag="match_ended"):
    """The match is over and scored (§8.5, §8.6)."""

    reason: EndReason
    """What ended the match."""
    scores: tuple[SeatScore, ...]
    """The result of every seat, in order of seats."""


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

"""What river_of_gold calls its actions, events and views: written by `make docs` from the OpenAPI document, not by hand."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class BonusesLapsed(TypedDict):
    """The remaining bonuses of a journey are lost (§11.3) [F4] [F12]."""

    bonuses: list[JourneyBonus]
    """The bonuses that are lost."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["bonuses_lapsed"]
    """Which kind it is."""


class Build(TypedDict):
    """The player puts a tile of the row on an empty shore space (§4)."""

    building: BuildingId
    """The id of the tile, one of those in the building row (§4.3)."""
    shore: ShoreId
    """The id of the shore space, in the region of the die (§4.1)."""
    type: Literal["build"]
    """Which kind it is."""


class BuildSpace(TypedDict):
    """An empty shore space where the seat may build now and can pay for it (§4.1, §4.2)."""

    cost: int
    """How many koku the seat would pay, with the discount of an artisan."""
    shore: ShoreId
    """The id of the shore space."""


class BuildTemplate(TypedDict):
    """The builds that are legal: each of the buildings on each of the spaces (§4). No longer sent: builds
    are listed.
    """

    buildings: list[BuildingId]
    """The tiles of the row, from the start slot on (§4.3)."""
    spaces: list[BuildSpace]
    """The shore spaces where the seat may build now."""
    type: Literal["build"]
    """Which kind it is."""


class BuildingBuilt(TypedDict):
    """A player builds: the tile leaves the row, lies on its shore space and has the player's marker. The
    influence of the tile follows (§4.1 to §4.4).
    """

    building: BuildingId
    """The id of the tile."""
    favor: int
    """How much favor the player gains for building from the end slot; 0 otherwise (§4.3)."""
    koku: int
    """How many koku the player pays."""
    seat: int
    """The seat this is about, counted from 0."""
    shore: ShoreId
    """The id of the shore space."""
    slot: int
    """The slot of the row that the tile leaves, 1 to 4; slot 1 is the start, slot 4 the end."""
    type: Literal["building_built"]
    """Which kind it is."""


class Choice(TypedDict):
    """A choice that one seat has to make before the move goes on."""

    customer: NotRequired[CustomerId | None]
    """The delivered customer that it comes from; `noble_1` if a printed good may be another one. Absent if
    no customer brings it.
    """
    kind: ChoiceKind
    """What is chosen."""
    region: NotRequired[int | None]
    """The region of the track that it comes from, 1 to 6; absent if it comes from something else."""
    seat: int
    """The seat that chooses, counted from 0."""
    shore: NotRequired[ShoreId | None]
    """The visited shore space that it comes from; absent if it comes from something else."""
    source: ChoiceSource
    """What the choice comes from."""


class ChoiceLapsed(TypedDict):
    """A choice is skipped, because every option would gain nothing (§11.3)."""

    kind: ChoiceKind
    """What would have been chosen."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["choice_lapsed"]
    """Which kind it is."""


class ChoiceOpened(TypedDict):
    """Something must be chosen before the next step (§11)."""

    choice: Choice
    """What is to be chosen, and by whom."""
    type: Literal["choice_opened"]
    """Which kind it is."""


class ChooseGood(TypedDict):
    """The player answers the open choice of a good (§11.1, §11.2)."""

    good: Good
    """The kind of good that the player gains; not one that is at its cap (§1.4)."""
    type: Literal["choose_good"]
    """Which kind it is."""


class ChoosePatron(TypedDict):
    """The player takes one of the patrons that are offered; in the draft its clan comes with it (§9.1,
    §9.2).
    """

    patron: PatronId
    """The patron that the player takes, one of those in `offers` of the view."""
    type: Literal["choose_patron"]
    """Which kind it is."""


class ChooseRoyalShip(TypedDict):
    """The player replaces one of the own ships by the royal ship, which stays on its space (§10.5)."""

    ship: ShipId
    """The ship that becomes the royal ship."""
    type: Literal["choose_royal_ship"]
    """Which kind it is."""


class CustomerDelivered(TypedDict):
    """A player delivers to a customer: the card leaves the hand and lies open before the player (§6.1 to
    §6.3).
    """

    customer: CustomerId
    """The customer card."""
    paid: Goods
    """The goods that the player pays."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["customer_delivered"]
    """Which kind it is."""


class CustomerDiscarded(TypedDict):
    """A player discards a card of the hand, face up (§6.4) [A12]."""

    customer: CustomerId
    """The customer card that is discarded."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["customer_discarded"]
    """Which kind it is."""


class CustomerDrawn(TypedDict):
    """A player draws one card from the deck into the hand (§2.6, §6.4)."""

    customer: NotRequired[CustomerId | None]
    """The customer card. Present only for the owner of the hand and a referee."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["customer_drawn"]
    """Which kind it is."""


class DeckReshuffled(TypedDict):
    """The discards become the new deck [A11]."""

    customers: list[CustomerId]
    """The cards that are in the deck now; they have no order."""
    type: Literal["deck_reshuffled"]
    """Which kind it is."""


class DeclineExchange(TypedDict):
    """The player exchanges nothing more before the final scoring [F11], or lets the remaining bonuses of a
    journey lapse [F12].
    """

    type: Literal["decline_exchange"]
    """Which kind it is."""


class Deliver(TypedDict):
    """The player delivers to a customer of the hand (§6)."""

    customer: CustomerId
    """The customer card to deliver to, one of the hand in the region of the die (§6.1)."""
    type: Literal["deliver"]
    """Which kind it is."""


class DeliveredView(TypedDict):
    """A customer that the player has delivered to (§6.3)."""

    customer: CustomerId
    """The customer card."""
    ongoing: Ongoing | None
    """What the customer does from now on; absent for elders, and for players who have left."""


class DieRolled(TypedDict):
    """A player rolls the die for the next own turn (§2.7, §3.4)."""

    face: int
    """The face that the die shows, 1 to 6."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["die_rolled"]
    """Which kind it is."""


class DieSet(TypedDict):
    """The player of Kakita Ryoku sets the die instead of rolling it [A23]."""

    face: int
    """The face that the die shows, 1 to 6."""
    favor: int
    """How much favor the player pays for it."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["die_set"]
    """Which kind it is."""


class DiscardCustomer(TypedDict):
    """The player discards a card of the hand, face up (§6.4)."""

    customer: CustomerId
    """The customer card that is discarded."""
    type: Literal["discard_customer"]
    """Which kind it is."""


class EmperorVisited(TypedDict):
    """The Emperor visits: the owner rewards of every owned building follow (§8.2)."""

    type: Literal["emperor_visited"]
    """Which kind it is."""


class EndTriggered(TypedDict):
    """A player triggers the end of the match (§8.3)."""

    last_turns: list[int]
    """The seats that play one more turn, in this order."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["end_triggered"]
    """Which kind it is."""
    vp: int
    """How many victory points the player gains for it; 0 if the player has left [F8]."""


class EndTurn(TypedDict):
    """The player exchanges nothing more in this turn and ends it (§3.4)."""

    type: Literal["end_turn"]
    """Which kind it is."""


class ExchangeGoods(TypedDict):
    """The player gives 2 goods of one kind and takes 1 of another (§3.4)."""

    give: Good
    """The kind of the 2 goods that the player gives."""
    take: Good
    """The kind of the good that the player takes; another one, and not one that is at its cap (§1.4)."""
    type: Literal["exchange_goods"]
    """Which kind it is."""


class ExchangeKoku(TypedDict):
    """The player gives 5 koku and takes 1 favor (§3.4)."""

    type: Literal["exchange_koku"]
    """Which kind it is."""


class FavorSpent(TypedDict):
    """A player pays favor to turn the die (§3.1)."""

    direction: Direction
    """Which way the die is turned."""
    face: int
    """The face that the die shows now, 1 to 6."""
    favor: int
    """How much favor the player pays."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["favor_spent"]
    """Which kind it is."""


class Gains(TypedDict):
    """What a player really gains, after every cap (§1.4). What is left out is 0."""

    favor: NotRequired[int]
    """How much divine favor the player gains."""
    koku: NotRequired[int]
    """How many koku the player gains."""
    porcelain: NotRequired[int]
    """How many porcelain the player gains."""
    rice: NotRequired[int]
    """How many rice the player gains."""
    silk: NotRequired[int]
    """How many silk the player gains."""
    vp: NotRequired[int]
    """How many victory points the player gains."""


class GoodChosen(TypedDict):
    """A player answers a choice of a good and gains it (§11)."""

    good: Good
    """The kind of good that the player gains."""
    region: NotRequired[int | None]
    """The region of the track that it came from, 1 to 6; absent if it came from something else."""
    seat: int
    """The seat this is about, counted from 0."""
    shore: NotRequired[ShoreId | None]
    """The visited shore space that it came from; absent if it came from something else."""
    source: ChoiceSource
    """What the choice came from."""
    type: Literal["good_chosen"]
    """Which kind it is."""


class Goods(TypedDict):
    """How many goods of each kind there are. A kind that is left out is 0."""

    porcelain: NotRequired[int]
    """How many porcelain there are."""
    rice: NotRequired[int]
    """How many rice there are."""
    silk: NotRequired[int]
    """How many silk there are."""


class GoodsExchanged(TypedDict):
    """A player gives goods of one kind for a good of another (§3.4)."""

    given: Good
    """The kind of the goods that the player gives."""
    number: int
    """How many goods the player gives."""
    seat: int
    """The seat this is about, counted from 0."""
    taken: Good
    """The kind of the good that the player takes."""
    type: Literal["goods_exchanged"]
    """Which kind it is."""


class InfluenceGained(TypedDict):
    """A marker moves on an influence track. The rewards of the spaces that it reaches or passes follow
    (§4.6).
    """

    customer: NotRequired[CustomerId | None]
    """The customer who moves it; absent if no customer does."""
    from_space: int
    """The space of the track that the marker leaves, 0 to 18."""
    region: int
    """The region of the track, 1 to 6."""
    seat: int
    """The seat this is about, counted from 0."""
    shore: NotRequired[ShoreId | None]
    """The shore space of the building that moves it; absent if no building does."""
    source: InfluenceSource
    """What moves the marker."""
    to_space: int
    """The space of the track where the marker ends, 0 to 18."""
    type: Literal["influence_gained"]
    """Which kind it is."""


class JourneyCompleted(TypedDict):
    """A player's ship has completed a journey (§5.4)."""

    bonuses: list[JourneyBonus]
    """What the journey brings, which the player takes in any order."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["journey_completed"]
    """Which kind it is."""


class JourneyRewarded(TypedDict):
    """A player takes 3 koku or 1 good for a completed journey (§5.4)."""

    gains: Gains
    """What the player really gains, after every cap (§1.4)."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["journey_rewarded"]
    """Which kind it is."""


class KokuExchanged(TypedDict):
    """A player gives koku for favor (§3.4)."""

    favor: int
    """How much favor the player takes."""
    koku: int
    """How many koku the player gives."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["koku_exchanged"]
    """Which kind it is."""


class LastExchangesClosed(TypedDict):
    """A seat exchanges nothing more in this match, because it declines or has nothing left to exchange
    [F11].
    """

    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["last_exchanges_closed"]
    """Which kind it is."""


class LastExchangesOpened(TypedDict):
    """The last turn is over, and some seats may exchange once more before the final scoring [F11]."""

    seats: list[int]
    """The seats that may exchange, in the order in which they are asked."""
    type: Literal["last_exchanges_opened"]
    """Which kind it is."""


class MarkerPlaced(TypedDict):
    """A player puts a second marker on a building, for a monk (§10.4)."""

    building: BuildingId
    """The id of the building."""
    customer: CustomerId
    """The monk's card."""
    seat: int
    """The seat this is about, counted from 0."""
    shore: ShoreId
    """The id of the shore space."""
    type: Literal["marker_placed"]
    """Which kind it is."""


class MasteryClaimed(TypedDict):
    """A player claims a mastery (§7.1)."""

    mastery: MasteryId
    """The mastery."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["mastery_claimed"]
    """Which kind it is."""
    vp: int
    """How many victory points the player gains (§7.2)."""


class MasterySlotView(TypedDict):
    """A slot of a mastery (§7.2)."""

    seat: int | None
    """The seat that has claimed the slot, counted from 0; absent while it is free."""
    vp: int
    """How many victory points the slot brings."""


class MasteryView(TypedDict):
    """A mastery that is in play (§7.1)."""

    mastery: MasteryId
    """The mastery."""
    slots: list[MasterySlotView]
    """Its slots, the highest value first (§7.2)."""


class MatchEnded(TypedDict):
    """The match is over and scored (§8.5, §8.6)."""

    reason: EndReason
    """What ended the match."""
    scores: list[SeatScore]
    """The result of every seat, in order of seats."""
    type: Literal["match_ended"]
    """Which kind it is."""


class MatchStarted(TypedDict):
    """The match begins: the board is laid out, before anything that a player gets (§2.1 to §2.3, §2.5)."""

    buildings: list[PlacedBuilding]
    """The imperial markets and the starting tiles, with the shore spaces where they lie (§2.1)."""
    clans: list[Clan]
    """The clan of each seat, in order of seats; empty in a draft, where the patron brings the clan."""
    era_1: Stack
    """The stack of era 1, after the row was filled."""
    era_2: Stack
    """The stack of era 2."""
    masteries: list[MasteryId]
    """The masteries that are in play (§2.2)."""
    offers: list[PatronId]
    """The patrons that lie open in a draft; empty without a draft (§9.1)."""
    order: list[int]
    """All seats in turn order, clockwise from the first player."""
    patrons: PatronMode
    """How patrons are given out."""
    region_tiles: list[RegionTileId]
    """The scoring tile of each region, from region 1 on (§2.2)."""
    row: list[BuildingId]
    """The tiles of the building row, from the start slot to the end slot (§2.3)."""
    rules_version: NotRequired[str | None]
    """The version of the rules by which the match is played; absent for the first one, 1.0.0."""
    type: Literal["match_started"]
    """Which kind it is."""


class MerchantUsed(TypedDict):
    """A player uses a merchant for a completed journey. The influence of `merchant_1` follows in events of
    its own (§10.3).
    """

    customer: CustomerId
    """The merchant's card."""
    gains: Gains
    """What the player really gains, after every cap (§1.4)."""
    seat: int
    """The seat this is about, counted from 0."""
    sold: Goods
    """The goods that the player sells with `merchant_4`; none with the others."""
    type: Literal["merchant_used"]
    """Which kind it is."""


class MonkRewarded(TypedDict):
    """A monk raises the player's favor limit and then brings favor (§10.4) [A6]."""

    customer: CustomerId
    """The monk's card."""
    favor: int
    """How much favor the player gains, after the limit."""
    favor_limit: int
    """How much favor the player can hold now."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["monk_rewarded"]
    """Which kind it is."""


class NobleRewarded(TypedDict):
    """A noble scores after a sail of the royal ship: `noble_4` or `noble_6` (§5.5)."""

    customer: CustomerId
    """The noble's card."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["noble_rewarded"]
    """Which kind it is."""
    vp: int
    """How many victory points the player gains."""


class Outcome(TypedDict):
    """The end of a match. `reason` is a stable code of the game; no winners means a draw."""

    reason: str
    """Stable code of the game for how it ended, such as "DESTINATION_REACHED"; `ABORTED` if the match was
    aborted.
    """
    results: list[SeatResult]
    """Every seat's result, in order of seats. None if the match was aborted."""
    rule: str
    """Paragraph of the rules by which it ended, such as "7.2" (the list of paragraphs says what it says)."""
    winners: list[int]
    """The winning seats. None: a draw, or no result."""


class OwnerRewarded(TypedDict):
    """An owner gets the owner reward of a building, for one marker (§5.3, §8.2)."""

    building: BuildingId
    """The id of the building."""
    emperor: bool
    """Whether the Emperor's visit brings it, and not a sail (§8.2)."""
    gains: Gains
    """What the owner really gains, after every cap (§1.4)."""
    seat: int
    """The seat of the owner, counted from 0."""
    shore: ShoreId
    """The id of the shore space."""
    type: Literal["owner_rewarded"]
    """Which kind it is."""


class PatronChosen(TypedDict):
    """A player takes a patron (§9.1, §9.2)."""

    clan: Clan
    """The clan of the patron, which is now the player's."""
    patron: PatronId
    """The patron that the player takes."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["patron_chosen"]
    """Which kind it is."""


class PatronRewarded(TypedDict):
    """A player's patron scores (§9)."""

    patron: PatronId
    """The patron that scores."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["patron_rewarded"]
    """Which kind it is."""
    vp: int
    """How many victory points the player gains."""


class Pending(TypedDict):
    """An open decision of one seat. It is public: everybody may know which seats must act, and what they
    must decide.
    """

    decision: str
    """Stable name of the kind of decision, such as "program"."""
    id: str
    """Identifies this decision within its match."""
    rule: str
    """Paragraph of the rules that asks for it, such as "7.2" (the list of paragraphs says what it says)."""
    seat: int
    """The seat that must decide, counted from 0."""
    simultaneous: NotRequired[bool]
    """Several seats decide secretly at the same time, so their answers do not conflict with each other."""


class PlaceMarker(TypedDict):
    """The player puts the second marker on a building, for a monk (§10.4)."""

    shore: ShoreId
    """The id of the shore space where the building stands."""
    type: Literal["place_marker"]
    """Which kind it is."""


class PlacedBuilding(TypedDict):
    """A building tile on a shore space."""

    building: BuildingId
    """The id of the tile."""
    shore: ShoreId
    """The id of the shore space."""


class PointLine(TypedDict):
    """The victory points from one source (§8.5)."""

    count: int
    """How much was counted: influence, cards, goods, koku or buildings; the points themselves if nothing
    else was counted.
    """
    points: int
    """The victory points of this line."""
    rule: str
    """The paragraph of the rules that gives them, such as `8.5`."""
    source: str
    """What gives the points: `region_1`, `elder_1`, `customers`, a customer card, or what gave points
    during the match, such as `visitor_rewards`. These names never change.
    """


class PointsView(TypedDict):
    """The victory points that a player has so far from one source."""

    source: VpSource
    """What gave the points."""
    vp: int
    """How many victory points it gave."""


class RegionView(TypedDict):
    """A region, its influence track, and what it is worth at the end (§1.1)."""

    artisans: list[int]
    """The seats that pay 2 koku less for building here (§10.1)."""
    elders: list[int]
    """The seats that get twice the points of the scoring tile (§10.2)."""
    influence: list[int]
    """The space on which each seat's marker is, 0 to 18, in order of seats (§4.6)."""
    region: int
    """The number of the region, 1 to 6."""
    tile: RegionTileId
    """The scoring tile of the region (§2.2)."""
    values: list[int]
    """How many points the first, the second and the third rank get, with this number of players (§8.5)."""


class RiverOfGoldOptions(TypedDict):
    """What is chosen before a match begins. The number of players is not an option: it is the number of
    seats.
    """

    clans: NotRequired[list[Clan]]
    """The clan of each seat, in order of seats; empty if they are dealt at random. Always empty with a
    draft, where the patron brings the clan (§2.5) [F13].
    """
    patrons: NotRequired[PatronMode]
    """Whether the match is played with clan patrons, and how they are given out (§9)."""


class RiverOfGoldView(TypedDict):
    """The match as an audience sees it."""

    active: int | None
    """The seat whose turn it is; absent before the first turn and after the last."""
    choices: list[Choice]
    """The open choices; the first one is to be made now (§11.3)."""
    deck_size: int
    """How many cards are left in the customer deck."""
    delivering: CustomerId | None
    """The customer delivered to in this turn; absent if none was (§6.3)."""
    discarded_customers: list[CustomerId]
    """The discarded customer cards, in the order in which they came; they lie face up [A12]."""
    discarded_tiles: list[BuildingId]
    """The tiles that journeys have discarded from the row (§5.4)."""
    emperor_due: bool
    """Whether the Emperor visits at the end of this turn (§8.2)."""
    emperor_visited: bool
    """Whether the Emperor has visited (§8.2)."""
    end_due: bool
    """Whether the end is triggered at the end of this turn (§8.3)."""
    end_triggered: bool
    """Whether the end was triggered, so that last turns are played (§8.3)."""
    last_turns: list[int]
    """The seats that still have a last turn to begin, in this order; also empty before the end is
    triggered (§8.3).
    """
    masteries: list[MasteryView]
    """The masteries that are in play."""
    merchants: list[int]
    """The seats that have a marker on the merchant space: they have delivered to a merchant, so that
    journeys bring them more (§10.3).
    """
    offers: list[PatronId]
    """The patrons that the next seat to choose may take; empty if none is to be chosen (§9)."""
    order: list[int]
    """All seats in turn order, clockwise from the first player (§2.5)."""
    outcome: Outcome | None
    """How the match ended, with every line of the scores; absent while it is played (§8.5)."""
    patrons: PatronMode
    """How patrons are given out."""
    pending: list[Pending]
    """The decisions that the match waits for, with the paragraphs that ask for them."""
    regions: list[RegionView]
    """The six regions, from region 1 on."""
    river: list[RiverView]
    """The fourteen river spaces, in the order of a journey."""
    row: list[RowSlotView]
    """The four slots of the building row, from the start slot to the end slot (§2.3)."""
    seats: list[SeatView]
    """The players, in order of seats."""
    shores: list[ShoreView]
    """The thirty shore spaces, in order of their ids."""
    stacks: list[StackView]
    """The stacks of era 1 and era 2, in this order [A13]."""
    stage: Stage
    """Where the match is."""
    steps: list[Step]
    """What is still to happen in this turn, in this order; empty while the action is still to be chosen."""
    to_come: list[int]
    """Before the first turn the seats that still choose a patron or roll the first die, in this order.
    After the last turn the seats that may still exchange before the final scoring [F11].
    """
    turn: int
    """The number of the turn, counted from 1 over all players; 0 before the first (§3)."""
    voyage: VoyageView | None
    """The sail of this turn; absent if no ship has sailed in it (§5)."""


class RiverView(TypedDict):
    """A river space (§1.2)."""

    id: RiverId
    """The id of the river space."""
    ships: list[ShipView]
    """The ships on the space."""


class RollDie(TypedDict):
    """The player of Kakita Ryoku rolls the die as everybody else does (§3.4)."""

    type: Literal["roll_die"]
    """Which kind it is."""


class RowRefilled(TypedDict):
    """The tiles of the row slide, and a tile enters the start slot if one is left (§4.5)."""

    building: BuildingId | None
    """The id of the tile that enters; absent if none does."""
    emptied: bool
    """Whether it is the era's last tile: at the end of the turn the Emperor visits (era 1), or the end is
    triggered (era 2).
    """
    era: BuildingSet | None
    """The era of the tile that enters; absent if none does."""
    stack: Stack | None
    """The stack of this era after that; absent if no tile enters."""
    type: Literal["row_refilled"]
    """Which kind it is."""


class RowSlotView(TypedDict):
    """A slot of the building row (§2.3)."""

    building: BuildingId | None
    """The tile in the slot; absent if it is empty."""
    favor: int
    """How much favor a player gains for building the tile of this slot (§4.3)."""
    slot: int
    """The number of the slot; slot 1 is the start, slot 4 the end."""


class RoyalShipLaunched(TypedDict):
    """The royal ship replaces one of a player's ships, on the same river space (§10.5)."""

    seat: int
    """The seat this is about, counted from 0."""
    ship: ShipId
    """The ship that is the royal ship now."""
    type: Literal["royal_ship_launched"]
    """Which kind it is."""


class Sail(TypedDict):
    """The player moves one of the own ships downstream (§5.1)."""

    distance: int
    """How many spaces the ship moves: the face of the die. With `noble_5` the royal ship may use the face
    above or below [A18].
    """
    ship: ShipId
    """The ship that sails."""
    type: Literal["sail"]
    """Which kind it is."""


class ScoreLine(TypedDict):
    """Points from one source. `reason` is a stable code of the game, `rule` its paragraph."""

    points: int
    """The points, which may be negative."""
    reason: str
    """Stable code of the game for the source of the points."""
    rule: str
    """Paragraph of the rules that gives the points, such as "7.2" (the list of paragraphs says what it
    says).
    """


class SeatLeft(TypedDict):
    """A player leaves for good: markers and ships are removed, the hand is discarded, delivered cards stay
    with the seat [F8].
    """

    customers: list[CustomerId]
    """The cards of the hand, which are discarded face up."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["seat_left"]
    """Which kind it is."""


class SeatResult(TypedDict):
    """One seat's result. `rank` 1 is best; tied seats share a rank. `score` is the sum of `breakdown`, or
    None without points.
    """

    breakdown: NotRequired[list[ScoreLine]]
    """Where the points come from."""
    rank: int
    """The rank of the seat. 1 is the best; seats that are tied share a rank."""
    score: NotRequired[int | None]
    """The sum of the breakdown. Absent in a game without points."""
    seat: int
    """The seat, counted from 0."""


class SeatScore(TypedDict):
    """A seat's final result (§8.6)."""

    favor: int
    """How much favor the seat held when the final scoring began; it breaks ties [A41]."""
    lines: list[PointLine]
    """Where the points come from, one line for each source."""
    rank: int
    """The rank of the seat; 1 is best, and seats with equal points and equal favor share a rank."""
    score: int
    """The victory points of the seat, the sum of all lines."""
    seat: int
    """The seat this is about, counted from 0."""


class SeatSetUp(TypedDict):
    """A player gets what a player starts with, and the two ships make their first moves (§2.5, §2.6)."""

    clan: Clan
    """The clan of the player."""
    favor: int
    """How much divine favor the player starts with."""
    favor_limit: int
    """How much divine favor the player can hold (§1.4)."""
    goods: Goods
    """The goods that the player starts with."""
    koku: int
    """How many koku the player starts with."""
    midstream: RiverId
    """The river space where the midstream ship is now."""
    midstream_roll: int
    """The roll that moved the midstream ship, 1 to 6."""
    patron: PatronId | None
    """The patron of the player; absent if the match is played without patrons."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["seat_set_up"]
    """Which kind it is."""
    upstream: RiverId
    """The river space where the upstream ship is now."""
    upstream_roll: int
    """The roll that moved the upstream ship, 1 to 6."""


class SeatView(TypedDict):
    """One player: the clan board, and what lies in front of the player."""

    buildings: list[ShoreId]
    """The shore spaces where the player's own buildings stand (§1.7)."""
    clan: Clan | None
    """The clan of the player; absent while it is not known yet."""
    delivered: list[DeliveredView]
    """The customers that the player has delivered to, in this order."""
    die: int | None
    """The face of the player's die, 1 to 6, for the current turn or the next one; absent before the first
    roll.
    """
    favor: int
    """How much divine favor the player holds; the sun on the clan board (§1.3)."""
    favor_limit: int
    """How much divine favor the player can hold; the moon on the clan board (§1.4)."""
    goods: Goods
    """The goods that the player holds, 6 of each kind at most (§1.4)."""
    hand: list[CustomerId]
    """The cards in the hand, for their owner and a referee. Empty for everybody else, whatever `hand_size`
    says.
    """
    hand_size: int
    """How many cards the player has in the hand; everybody sees this."""
    influence: list[int]
    """The space of the player's marker on each track, 0 to 18, from region 1 on (§4.6)."""
    koku: int
    """How many koku the player holds, 25 at most (§1.4)."""
    last_turn: bool
    """Whether the player's last turn is still to come, with no other after it (§8.3)."""
    left: bool
    """Whether the player has left the match for good [F8]."""
    patron: PatronId | None
    """The patron of the player; absent if there is none, or not yet."""
    place: int
    """The place of the player in the turn order, counted from 1 (§2.5)."""
    points: list[PointsView]
    """Where the victory points so far come from; sources that gave none are left out."""
    royal_ship: ShipId | None
    """Which of the player's ships is the royal one; absent if none is (§10.5)."""
    seat: int
    """The seat this is about, counted from 0."""
    vp: int
    """How many victory points the player has so far."""


class SellGoods(TypedDict):
    """The player uses `merchant_4` for a completed journey and sells goods for 5 koku each; selling none
    is allowed (§10.3).
    """

    porcelain: NotRequired[int]
    """How many porcelain the player sells."""
    rice: NotRequired[int]
    """How many rice the player sells."""
    silk: NotRequired[int]
    """How many silk the player sells."""
    type: Literal["sell_goods"]
    """Which kind it is."""


class SellGoodsTemplate(TypedDict):
    """The sales that are legal: any goods within `owned`, at most `most` together; none is legal too
    (§10.3).
    """

    koku_each: int
    """How many koku each good brings."""
    most: int
    """How many goods can be sold at most, so that each of them earns something [F5]."""
    owned: Goods
    """The goods that the seat has."""
    type: Literal["sell_goods"]
    """Which kind it is."""


class SetDie(TypedDict):
    """The player of Kakita Ryoku pays 1 favor and sets the die instead of rolling it (§9) [A23]."""

    face: int
    """The face that the die shows then, 1 to 6."""
    type: Literal["set_die"]
    """Which kind it is."""


class ShipSailed(TypedDict):
    """A player's ship sails (§5.1)."""

    completed: bool
    """Whether the ship completes a journey on the way [A3]."""
    distance: int
    """How many spaces the ship moves."""
    from_space: RiverId
    """The river space that the ship leaves."""
    royal: bool
    """Whether it is the royal ship (§10.5)."""
    seat: int
    """The seat this is about, counted from 0."""
    ship: ShipId
    """The ship that sails."""
    to_space: RiverId
    """The river space where the ship ends."""
    type: Literal["ship_sailed"]
    """Which kind it is."""


class ShipView(TypedDict):
    """A ship on the river."""

    royal: bool
    """Whether it is the royal ship (§10.5)."""
    seat: int
    """The seat that the ship belongs to, counted from 0."""
    ship: ShipId
    """The ship, named after the space where it began (§2.5)."""


class ShoreView(TypedDict):
    """A shore space (§1.1)."""

    building: BuildingId | None
    """The building on the space; absent if it is empty."""
    cost: int | None
    """How many koku are printed on the space; absent where nobody can build (§4.2)."""
    id: ShoreId
    """The id of the shore space."""
    markers: list[int]
    """The seats that own the building, in the order in which they placed their markers; a seat with both
    markers is listed twice. Empty on neutral buildings (§1.6).
    """
    region: int
    """The region of the space, 1 to 6."""
    your_cost: int | None
    """How many koku the viewing seat would pay, with the discount of an artisan. Absent if the space is
    taken, or if the viewer has no seat (§4.2).
    """


class SpendFavor(TypedDict):
    """The player pays 1 favor to turn the die by one face; 6 and 1 are neighbours (§3.1)."""

    direction: Direction
    """Which way the die is turned."""
    type: Literal["spend_favor"]
    """Which kind it is."""


class Stack(TypedDict):
    """The stack of one era: the tile on top, which everybody sees, and how many tiles there are [A13]."""

    left: int
    """How many tiles the stack has, the one on top included."""
    top: BuildingId | None
    """The tile on top; absent if the stack is empty."""


class StackView(TypedDict):
    """The stack of building tiles of one era [A13]."""

    era: BuildingSet
    """The era of the stack."""
    left: int
    """How many tiles the stack has, the one on top included."""
    top: BuildingId | None
    """The tile on top, which everybody sees; absent if the stack is empty."""


class StepStarted(TypedDict):
    """The turn goes on with this step."""

    seat: int
    """The seat this is about, counted from 0."""
    step: Step
    """The step that begins."""
    type: Literal["step_started"]
    """Which kind it is."""


class TakeJourneyBonus(TypedDict):
    """The player takes the bonus of a completed journey: 3 koku or 1 good (§5.4)."""

    good: NotRequired[Good | None]
    """The kind of good that the player takes; absent for 3 koku."""
    type: Literal["take_journey_bonus"]
    """Which kind it is."""


class TileDiscarded(TypedDict):
    """The tile in the end slot of the row leaves the game (§5.4)."""

    building: BuildingId
    """The id of the tile."""
    slot: int
    """The slot that it leaves, 1 to 4; slot 1 is the start, slot 4 the end."""
    type: Literal["tile_discarded"]
    """Which kind it is."""


class TrackRewarded(TypedDict):
    """A player gets the reward of a space on an influence track; a good of choice follows as a choice
    (§4.6).
    """

    gains: Gains
    """What the player really gains, after every cap (§1.4)."""
    region: int
    """The region of the track, 1 to 6."""
    seat: int
    """The seat this is about, counted from 0."""
    space: int
    """The space of the track, 1 to 18."""
    type: Literal["track_rewarded"]
    """Which kind it is."""


class TurnClosed(TypedDict):
    """A player has finished the turn; the steps of its end follow (§3.4)."""

    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["turn_closed"]
    """Which kind it is."""


class TurnStarted(TypedDict):
    """A player's turn begins (§3)."""

    seat: int
    """The seat this is about, counted from 0."""
    turn: int
    """The number of the turn, counted from 1 over all players."""
    type: Literal["turn_started"]
    """Which kind it is."""


class UseMerchant(TypedDict):
    """The player uses a merchant for a completed journey now; `merchant_4` is used by `sell_goods` (§5.4,
    §10.3).
    """

    customer: CustomerId
    """The merchant's card."""
    good: NotRequired[Good | None]
    """The good of choice of `merchant_3`; absent for the others."""
    type: Literal["use_merchant"]
    """Which kind it is."""


class VisitorRewarded(TypedDict):
    """The player who sails gets the reward of one visited shore space. Influence, cards and goods of
    choice are events of their own (§5.2).
    """

    building: BuildingId | None
    """The id of the building there; absent for an empty space."""
    gains: Gains
    """What the player really gains, after every cap (§1.4)."""
    seat: int
    """The seat this is about, counted from 0."""
    shore: ShoreId
    """The id of the visited shore space."""
    type: Literal["visitor_rewarded"]
    """Which kind it is."""


class VoyageView(TypedDict):
    """The sail of this turn (§5)."""

    bonuses: list[JourneyBonus]
    """What a completed journey still brings, in any order; empty if nothing is left (§5.4)."""
    river: RiverId
    """The river space where the ship ended."""
    royal: bool
    """Whether it is the royal ship (§10.5)."""
    ship: ShipId
    """The ship that has sailed."""


Action = (
    ChoosePatron
    | SpendFavor
    | ExchangeGoods
    | ExchangeKoku
    | Build
    | Sail
    | Deliver
    | ChooseGood
    | DiscardCustomer
    | ChooseRoyalShip
    | PlaceMarker
    | TakeJourneyBonus
    | UseMerchant
    | SellGoods
    | EndTurn
    | RollDie
    | SetDie
    | DeclineExchange
)
"""What a seat asks the server to do for its open decision."""


BuildingId = Literal[
    "era1_manor_1",
    "era1_manor_2",
    "era1_manor_3",
    "era1_manor_4",
    "era1_manor_5",
    "era1_manor_6",
    "era1_market_1",
    "era1_market_2",
    "era1_market_3",
    "era1_market_4",
    "era1_market_5",
    "era1_market_6",
    "era1_port_1",
    "era1_port_2",
    "era1_port_3",
    "era1_port_4",
    "era1_port_5",
    "era1_port_6",
    "era1_shrine_1",
    "era1_shrine_2",
    "era1_shrine_3",
    "era1_shrine_4",
    "era1_shrine_5",
    "era1_shrine_6",
    "era2_manor_1",
    "era2_manor_2",
    "era2_manor_3",
    "era2_manor_4",
    "era2_market_1",
    "era2_market_2",
    "era2_market_3",
    "era2_market_4",
    "era2_port_1",
    "era2_port_2",
    "era2_port_3",
    "era2_port_4",
    "era2_shrine_1",
    "era2_shrine_2",
    "era2_shrine_3",
    "era2_shrine_4",
    "imperial_market_porcelain",
    "imperial_market_rice",
    "imperial_market_silk",
    "start_manor_1",
    "start_manor_2",
    "start_port_1",
    "start_port_2",
    "start_shrine_1",
    "start_shrine_2",
]
"""The building tiles: two eras, the starting tiles, and the imperial markets (§2.1)."""


BuildingSet = Literal["era_1", "era_2", "imperial_market", "starting"]
"""Where a building comes from (§2.1)."""


ChoiceKind = Literal["discard", "good", "marker", "royal_ship"]
"""What is chosen in the middle of a move (§11.1, §11.2)."""


ChoiceSource = Literal["delivery", "owner", "track", "visitor"]
"""What a choice comes from."""


Clan = Literal["crab", "crane", "mantis", "scorpion"]
"""The clans (§2.5)."""


CustomerId = Literal[
    "artisan_1",
    "artisan_2",
    "artisan_3",
    "artisan_4",
    "artisan_5",
    "artisan_6",
    "elder_1",
    "elder_2",
    "elder_3",
    "elder_4",
    "elder_5",
    "elder_6",
    "merchant_1",
    "merchant_2",
    "merchant_3",
    "merchant_4",
    "merchant_5",
    "merchant_6",
    "monk_1",
    "monk_2",
    "monk_3",
    "monk_4",
    "monk_5",
    "monk_6",
    "noble_1",
    "noble_2",
    "noble_3",
    "noble_4",
    "noble_5",
    "noble_6",
]
"""The customer cards; the number in the id is the region (§10)."""


Direction = Literal["down", "up"]
"""Which way favor turns the die (§3.1)."""


EndReason = Literal["LAST_PLAYER_LEFT", "LAST_TURNS_PLAYED"]
"""What ends a match."""


Event = (
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
"""Something that happened in the match."""


Good = Literal["porcelain", "rice", "silk"]
"""The kinds of goods (§1.3)."""


InfluenceSource = Literal["building_bonus", "delivery", "merchant", "noble", "owner", "visitor"]
"""What moves a marker on an influence track."""


JourneyBonus = Literal[
    "koku_or_good", "merchant_1", "merchant_2", "merchant_3", "merchant_4", "merchant_5", "merchant_6"
]
"""What a completed journey brings (§5.4) [A5]."""


MasteryId = Literal[
    "mastery_air", "mastery_courts", "mastery_earth", "mastery_fire", "mastery_void", "mastery_water"
]
"""The masteries and their conditions (§7.3)."""


Ongoing = Literal[
    "build_discount",
    "journey_favor",
    "journey_good",
    "journey_influence",
    "journey_koku",
    "journey_sale",
    "journey_vp",
    "marked_building",
    "royal_die",
    "royal_empty_spaces",
    "royal_influence",
    "royal_market_goods",
    "royal_opponent_vp",
    "royal_own_vp",
]
"""What a delivered customer does from now on (§10)."""


Options = RiverOfGoldOptions
"""What is chosen before a match begins. The number of players is not an option: it is the number of
seats.
"""


PatronId = Literal[
    "patron_bayushi_kachiko",
    "patron_daidoji_uji",
    "patron_kaiu_shihobu",
    "patron_kakita_ryoku",
    "patron_kudaka",
    "patron_shosuro_hyobu",
    "patron_yasuki_taka",
    "patron_yoritomo",
]
"""The clan patrons (§9)."""


PatronMode = Literal["choice_of_two", "draft", "none"]
"""How clan patrons are given out (§9)."""


RegionTileId = Literal[
    "region_tile_1", "region_tile_2", "region_tile_3", "region_tile_4", "region_tile_5", "region_tile_6"
]
"""The scoring tiles of the regions; the view says what each is worth (§8.5)."""


RiverId = Literal[
    "river_01",
    "river_02",
    "river_03",
    "river_04",
    "river_05",
    "river_06",
    "river_07",
    "river_08",
    "river_09",
    "river_10",
    "river_11",
    "river_12",
    "river_13",
    "river_14",
]
"""The river spaces, in the order of a journey (§1.2)."""


ShipId = Literal["midstream", "upstream"]
"""The two ships of a player, named after the spaces where they began (§2.5)."""


ShoreId = Literal[
    "shore_01",
    "shore_02",
    "shore_03",
    "shore_04",
    "shore_05",
    "shore_06",
    "shore_07",
    "shore_08",
    "shore_09",
    "shore_10",
    "shore_11",
    "shore_12",
    "shore_13",
    "shore_14",
    "shore_15",
    "shore_16",
    "shore_17",
    "shore_18",
    "shore_19",
    "shore_20",
    "shore_21",
    "shore_22",
    "shore_23",
    "shore_24",
    "shore_25",
    "shore_26",
    "shore_27",
    "shore_28",
    "shore_29",
    "shore_30",
]
"""The shore spaces: `shore_01` to `shore_05` are in region 1, `shore_06` to `shore_10` in region 2,
and so on (§1.1).
"""


Stage = Literal["ended", "first_dice", "last_exchanges", "patrons", "turns"]
"""Where a match is."""


Step = Literal[
    "ability",
    "after_sail",
    "closing",
    "draw",
    "emperor",
    "end_tile",
    "journey",
    "masteries",
    "next_turn",
    "owner_rewards",
    "refill",
    "roll",
    "trigger",
    "visitor_rewards",
]
"""What is still to happen in a turn, one step after another. A step may open choices, which are made
before the next one begins.
"""


Template = BuildTemplate | SellGoodsTemplate
"""A set of legal actions that can be too large to list."""


View = RiverOfGoldView
"""The match as an audience sees it."""


VpSource = Literal[
    "end_trigger", "masteries", "merchants", "nobles", "owner_rewards", "patron", "tracks", "visitor_rewards"
]
"""What gives victory points while the match goes on."""

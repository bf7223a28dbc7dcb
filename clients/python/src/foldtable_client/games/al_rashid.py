"""What al_rashid calls its actions, events and views: written by `make docs` from the OpenAPI document, not by hand."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class AlRashidOptions(TypedDict):
    """Al-Rashid has no options: the number of players is the number of seats, and the rulebook has no
    variants.
    """


class AlRashidView(TypedDict):
    """The match as an audience sees it."""

    activated: bool
    """Whether the seat whose own turn it is has activated an office (§5.3)."""
    area_named: bool
    """Whether the seat whose own turn it is has resolved an area (§5.3)."""
    crises: list[str]
    """The ids of the crisis tiles drawn so far, beginning with that of the setup (§11.3)."""
    negotiating: str | None
    """The id of the territory that the Negotiator looks at; absent if nobody negotiates now (§10.2)."""
    next_order: list[int]
    """The turn order from the next round on; empty if it stays (§5.8)."""
    order: list[int]
    """All seats that still play, in turn order (§1.5)."""
    outcome: Outcome | None
    """How the match ended; absent while it is played (§12)."""
    palaces: list[PalaceView]
    """The six palaces, in the order of the board."""
    pending: list[Pending]
    """The decisions that the match waits for, with the paragraphs that ask for them."""
    round: int
    """The number of the round within the turn, counted from 1; 0 before its first round (§5.2)."""
    scene: SceneView | None
    """The area that is being resolved; absent if none is (§5.3)."""
    seats: list[SeatView]
    """The players, in order of seats."""
    stacks: StacksView
    """The mercenary tiles that are in nobody's hand and on no territory (§13.1)."""
    stage: Stage
    """Where in the turn the match is."""
    territories: list[TerritoryView]
    """The seven territories, in the order of the board."""
    to_come: list[int]
    """The seats that are still to draw a first mercenary, to hold back, or to take an own turn in this
    round, in this order.
    """
    turn: int
    """The number of the turn, 1 to 5; 0 during the setup (§3.1)."""
    turn_of: int | None
    """The seat whose own turn it is; absent outside own turns (§5.3)."""


class AreaClosed(TypedDict):
    """An area is done for this turn (§5.6)."""

    area: str
    """The id of the area. It holds no pieces now and is not resolved again in this turn."""
    type: Literal["area_closed"]
    """Which kind it is."""


class AreaOpened(TypedDict):
    """A seat names an area, which is resolved now; its ranks are fixed from here on (§5.3)."""

    acting: list[int]
    """The seats that act, in order of ranks: in a palace the visitors, at most three (§5.7); on a
    territory all who take part in the battle or the trade.
    """
    area: str
    """The id of the area."""
    ranking: list[RankedStack]
    """All players who are ranked in the area, the highest rank first."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["area_opened"]
    """Which kind it is."""


class BattleWon(TypedDict):
    """A player removes the last tile of a territory and wins the battle (§9.3)."""

    seat: int
    """The seat this is about, counted from 0."""
    spoils: int
    """How many goods the winner may take from the supply, one for each Raider (§9.5)."""
    territory: str
    """The id of the territory."""
    type: Literal["battle_won"]
    """Which kind it is."""


class ChooseFavors(TypedDict):
    """The player names the two different favors of the Impostor, in the order in which they are done
    (§10.2).
    """

    first: Favor
    """The favor that is done first; not the Favorite's."""
    second: Favor
    """The favor that is done second: not the first one again, and not the Favorite's."""
    type: Literal["choose_favors"]
    """Which kind it is."""


class ChooseStack(TypedDict):
    """The player draws the first mercenary from the stack of this colour (§2.9)."""

    colour: Colour
    """The colour of the stack; the tile that is drawn goes into the player's hand."""
    type: Literal["choose_stack"]
    """Which kind it is."""


class ColoursNamed(TypedDict):
    """A player names the colours of mercenaries, which are drawn when the visit has been declared in full
    [R14].
    """

    blue: int
    """How many tiles will be drawn from the blue stack."""
    red: int
    """How many tiles will be drawn from the red stack."""
    seat: int
    """The seat this is about, counted from 0."""
    source: VisitStep
    """The step of the visit that draws them."""
    type: Literal["colours_named"]
    """Which kind it is."""


class ConversionDeclined(TypedDict):
    """The Alchemist converts nothing, because the player declines or no sage can be converted (§10.2)."""

    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["conversion_declined"]
    """Which kind it is."""


class ConvertSage(TypedDict):
    """The player turns a sage into a merchant with the Alchemist [R29]."""

    area: NotRequired[str | None]
    """The id of the area where the sage stands; absent for a sage in the reserve."""
    type: Literal["convert_sage"]
    """Which kind it is."""


class CrisisDrawn(TypedDict):
    """A crisis tile is drawn, and mercenaries are laid on territories, face down (§2.8, §11.3)."""

    crisis: str
    """The id of the crisis tile."""
    tiles: list[PlacedTile]
    """The tiles that are laid down, in this order. A colour whose stack and discards are empty gives none
    (§11.5).
    """
    type: Literal["crisis_drawn"]
    """Which kind it is."""


class DeclareAudience(TypedDict):
    """The player says what a visit to Al-Rashid consists of: benevolence, an office, or both (§8.2)."""

    benevolence: NotRequired[Good | None]
    """The good that the player takes with the benevolence; absent if the player does not take benevolence
    (§8.3).
    """
    note: NotRequired[bool]
    """Whether the player spends a credit note on the office (§6.6)."""
    office: NotRequired[str | None]
    """The id of the office that the player buys, one that is still for sale at Al-Rashid; absent if none
    is bought (§8.4).
    """
    type: Literal["declare_audience"]
    """Which kind it is."""


class DeclareVisit(TypedDict):
    """The player says what a visit to a guild's palace consists of: at most two of service, office and
    favor (§7.2).
    """

    favor: NotRequired[Favor | None]
    """The favor that the player uses: that of the palace, or at the Spies the one that the Favorite
    copies. Absent if none is used (§7.7).
    """
    note: NotRequired[bool]
    """Whether the player spends a credit note on the office (§6.6)."""
    office: NotRequired[str | None]
    """The id of the office that the player buys, one that is still for sale in this palace; absent if none
    is bought (§7.4).
    """
    service: NotRequired[bool]
    """Whether the player uses the palace's service, at the cost of the player's rank (§7.5)."""
    type: Literal["declare_visit"]
    """Which kind it is."""


class Decline(TypedDict):
    """The player does not use the optional effect that is offered (§13.6)."""

    type: Literal["decline"]
    """Which kind it is."""


class DishonorTaken(TypedDict):
    """A player takes dishonor markers (§12.4)."""

    markers: int
    """How many markers the player takes. Each costs 2 points at the end."""
    seat: int
    """The seat this is about, counted from 0."""
    source: str
    """What the player takes them for: `flee` (§9.2), the id of the palace (§7.3, §8.1), or the id of an
    office.
    """
    type: Literal["dishonor_taken"]
    """Which kind it is."""


class DrawnTile(TypedDict):
    """A mercenary tile that was drawn into a hand; its value is absent for everybody else."""

    colour: Colour
    """The colour of the tile, which everybody sees (§13.1)."""
    value: NotRequired[int | None]
    """The value of the tile: 2, 3 or 4. Present only for the owner of the hand and a referee (§13.2)."""


class EndTurn(TypedDict):
    """The player ends the own turn without activating an office (§5.3)."""

    type: Literal["end_turn"]
    """Which kind it is."""


class FamilyView(TypedDict):
    """How many pashas, merchants and sages there are (§1.2)."""

    merchants: int
    """How many merchants there are; a family has at most 4."""
    pashas: int
    """How many pashas there are; a family has at most 3."""
    sages: int
    """How many sages there are; a family has at most 6."""


class FavorsChosen(TypedDict):
    """A player chooses the two favors of the Impostor (§10.2)."""

    first: Favor
    """The favor that is done first."""
    seat: int
    """The seat this is about, counted from 0."""
    second: Favor
    """The favor that is done second."""
    type: Literal["favors_chosen"]
    """Which kind it is."""


class Fight(TypedDict):
    """The player fights for the territory and discards these own tiles (§9.2)."""

    tiles: Squad
    """The tiles that are discarded: at least one, and only of colours that lie on the territory now. All
    of them are lost, whether they win or not (§9.3).
    """
    type: Literal["fight"]
    """Which kind it is."""


class FightTemplate(TypedDict):
    """The fights that are legal: at least one tile, all of them within `owned` (§9.2)."""

    bonus: int
    """What the fighter's Strategists add to each tile (§9.3)."""
    colours: list[Colour]
    """The colours that lie on the territory now."""
    listed: bool
    """Always false: fights that are listed as actions have no template."""
    owned: Squad
    """The fighter's tiles of the colours that lie on the territory."""
    type: Literal["fight"]
    """Which kind it is."""


class Flee(TypedDict):
    """The player gives up the territory, takes two dishonor, and takes the pieces back (§9.2)."""

    type: Literal["flee"]
    """Which kind it is."""


class Fought(TypedDict):
    """A player fights: the player's tiles are discarded, and those of the territory that they beat (§9.3)."""

    beaten: list[PlacedTile]
    """The territory's tiles that are discarded."""
    blue_strength: int
    """The same for the blue tiles."""
    red_strength: int
    """The sum of the values of the player's red tiles, with 1 more for each tile and each Strategist. It
    must exceed the sum of the territory's red tiles.
    """
    remaining: int
    """How many tiles are left on the territory."""
    seat: int
    """The seat this is about, counted from 0."""
    spent: Squad
    """The player's tiles that are discarded."""
    territory: str
    """The id of the territory."""
    type: Literal["fought"]
    """Which kind it is."""


class GiveGood(TypedDict):
    """The player gives the General a good for a mercenary of the named colour (§7.7)."""

    colour: Colour
    """The colour of the stack from which the mercenary is drawn."""
    give: Good
    """The kind of the good that goes to the supply."""
    type: Literal["give_good"]
    """Which kind it is."""


class GoodGiven(TypedDict):
    """A player gives a good to the General for a mercenary, which is drawn when the visit has been
    declared in full (§7.7).
    """

    colour: Colour
    """The colour of the mercenary."""
    good: Good
    """The kind of the good that goes to the supply."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["good_given"]
    """Which kind it is."""


class Goods(TypedDict):
    """How many goods of each kind there are. A kind that is left out is 0."""

    hardwood: NotRequired[int]
    """How many hardwood there are (a common good)."""
    metals: NotRequired[int]
    """How many metals there are (a common good)."""
    pottery: NotRequired[int]
    """How many pottery there are (a common good)."""
    silk: NotRequired[int]
    """How many silk there are (a rare good)."""
    spices: NotRequired[int]
    """How many spices there are (a rare good)."""


class GoodsGained(TypedDict):
    """A player takes goods from the supply."""

    goods: Goods
    """The goods that the player takes."""
    seat: int
    """The seat this is about, counted from 0."""
    source: str
    """What gives them: the id of an office, or the name of a step of the visit such as `benevolence`."""
    type: Literal["goods_gained"]
    """Which kind it is."""


class GoodsPaid(TypedDict):
    """A visitor pays for the declared visit (§6.1)."""

    goods: Goods
    """The goods that are paid."""
    seat: int
    """The seat this is about, counted from 0."""
    total: int
    """What the visit costs. Value beyond it is lost (§6.5)."""
    type: Literal["goods_paid"]
    """Which kind it is."""
    value: int
    """What the goods are worth (§6.3)."""


class GoodsSwapped(TypedDict):
    """A player gives goods to the supply and takes others from it."""

    given: Goods
    """The goods that the player gives."""
    seat: int
    """The seat this is about, counted from 0."""
    source: str
    """What allows the swap: the id of an office, or the name of a step of the visit such as `vizier`."""
    taken: Goods
    """The goods that the player takes."""
    type: Literal["goods_swapped"]
    """Which kind it is."""


class HandView(TypedDict):
    """The mercenary tiles in a player's hand (§13.1)."""

    blue: int
    """How many blue tiles the hand has."""
    red: int
    """How many red tiles the hand has."""
    tiles: NotRequired[Squad | None]
    """The tiles with their values. Present only for the owner of the hand and a referee (§13.2)."""


class HoldBack(TypedDict):
    """The player keeps a pasha or a merchant to place it after all other pieces (§4.1)."""

    piece: Piece
    """The kind of piece, a pasha or a merchant of the player's reserve. One action holds back one piece,
    for one Diplomat.
    """
    type: Literal["hold_back"]
    """Which kind it is."""


class HoldingDeclined(TypedDict):
    """A player does not use a Diplomat in this turn (§4.1) [R2]."""

    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["holding_declined"]
    """Which kind it is."""


class InfluenceGained(TypedDict):
    """A player takes influence markers (§12.4)."""

    markers: int
    """How many markers the player takes. Each scores 1 point at the end, but all together 5 at most."""
    seat: int
    """The seat this is about, counted from 0."""
    source: str
    """What gives them: the id of an office, or the name of a step of the visit such as `qadi`."""
    type: Literal["influence_gained"]
    """Which kind it is."""


class Manoeuvres(TypedDict):
    """How many Plotters and Informers a seat may still use (§5.1)."""

    informers: int
    """How many pieces the seat may move between territories, one for each Informer."""
    plotters: int
    """How many pieces the seat may move between palaces, one for each Plotter."""
    seat: int
    """The seat this is about, counted from 0."""


class ManoeuvresEnded(TypedDict):
    """A seat uses no further Plotter or Informer in this turn (§5.1)."""

    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["manoeuvres_ended"]
    """Which kind it is."""


class MatchEnded(TypedDict):
    """The match is over and scored (§12)."""

    reason: EndReason
    """What ended the match."""
    scores: list[SeatScore]
    """The result of every seat, in order of seats."""
    type: Literal["match_ended"]
    """Which kind it is."""


class MatchStarted(TypedDict):
    """The match begins: the board is filled and everybody gets goods and pieces (§2.1 to §2.7)."""

    offices: list[OfficeStock]
    """How many tiles of each office are for sale (§2.4)."""
    order: list[int]
    """All seats in turn order, the first one first (§2.6)."""
    rules_version: NotRequired[str | None]
    """The version of the rules by which the match is played; absent for the first one, 1.0.0."""
    seats: list[SeatSetup]
    """What each seat begins with, in order of seats."""
    stacks: Squad
    """All mercenary tiles of both stacks. They have no order: which tile comes is decided when it is drawn
    (§2.3).
    """
    territories: list[TerritoryStock]
    """What lies on each territory (§2.2)."""
    type: Literal["match_started"]
    """Which kind it is."""


class MercenariesDrawn(TypedDict):
    """A player draws mercenary tiles into the hand: fewer than wanted if a stack and its discards have run
    out [R31].
    """

    seat: int
    """The seat this is about, counted from 0."""
    tiles: list[DrawnTile]
    """The tiles, in the order in which they were drawn."""
    type: Literal["mercenaries_drawn"]
    """Which kind it is."""


class MercenaryRemoved(TypedDict):
    """The Negotiator removes a tile from a territory for an own tile. Both are discarded, and so everybody
    sees them (§10.2).
    """

    colour: Colour
    """The colour of both tiles."""
    own_value: int
    """The value of the player's tile: 2, 3 or 4."""
    seat: int
    """The seat this is about, counted from 0."""
    territory: str
    """The id of the territory where the tile lay."""
    tile: int
    """The number that the tile had on the board."""
    type: Literal["mercenary_removed"]
    """Which kind it is."""
    value: int
    """The value of the tile from the territory: 2, 3 or 4."""


class MercenaryView(TypedDict):
    """A mercenary tile on a territory."""

    colour: Colour
    """The colour of the tile, which everybody sees (§13.1)."""
    face_up: bool
    """Whether the tile lies face up, so that everybody sees its value (§9.1)."""
    id: int
    """The number of the tile on the board; no number is used twice in a match."""
    value: NotRequired[int | None]
    """The value of the tile: 2, 3 or 4. Absent for an audience that does not know it: the tile is face
    down, and this seat has not looked at it (§13.2).
    """


class MovePiece(TypedDict):
    """The player moves one piece on the board: with a Plotter between palaces, with an Informer between
    territories (§5.1), or by a spy move between territories (§7.6).
    """

    from_area: str
    """The id of the area that the piece leaves."""
    piece: Piece
    """The kind of piece; a single one moves, not the whole stack."""
    to_area: str
    """The id of the area that the piece enters; it must be able to (§4.4)."""
    type: Literal["move_piece"]
    """Which kind it is."""


class NameColours(TypedDict):
    """The player names how many mercenaries are drawn from each stack [R14]."""

    blue: int
    """How many tiles are drawn from the blue stack, 0 or more. Red and blue together are as many as the
    effect draws.
    """
    red: int
    """How many tiles are drawn from the red stack, 0 or more."""
    type: Literal["name_colours"]
    """Which kind it is."""


class NegotiationEnded(TypedDict):
    """The player of the Negotiator removes nothing (§10.2)."""

    seat: int
    """The seat this is about, counted from 0."""
    territory: str
    """The id of the territory that the player looked at."""
    type: Literal["negotiation_ended"]
    """Which kind it is."""


class NotesGained(TypedDict):
    """A player takes credit notes from the supply [R17]."""

    notes: int
    """How many credit notes the player takes."""
    seat: int
    """The seat this is about, counted from 0."""
    source: str
    """What gives them: the id of an office, or the name of a step of the visit such as `court_scholar`."""
    type: Literal["notes_gained"]
    """Which kind it is."""


class OfficeAcquired(TypedDict):
    """A visitor gets an office from the palace (§7.4)."""

    note: bool
    """Whether a credit note was spent on it (§6.6)."""
    office: str
    """The id of the office."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["office_acquired"]
    """Which kind it is."""


class OfficeForSale(TypedDict):
    """An office of a palace, and how many tiles of it can still be bought (§2.4)."""

    copies: int
    """How many tiles are left: 0, 1 or 2."""
    cost: int
    """The printed cost, which goods must be worth (§6.1)."""
    kind: OfficeKind
    """When the office does something."""
    office: str
    """The id of the office."""


class OfficeStock(TypedDict):
    """How many tiles of one office are for sale (§2.4)."""

    copies: int
    """How many tiles of the office there are: 1 or 2, depending on the number of players."""
    office: str
    """The id of the office."""


class OfficeUsed(TypedDict):
    """A player activates an office; it is face down until the upkeep (§5.3)."""

    office: str
    """The id of the office."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["office_used"]
    """Which kind it is."""


class OfficesRefreshed(TypedDict):
    """In the upkeep all offices that were used are turned face up (§11.2)."""

    type: Literal["offices_refreshed"]
    """Which kind it is."""


class OrderChanged(TypedDict):
    """Benevolence changes the turn order from the next round on (§8.3, §5.8)."""

    order: list[int]
    """All seats that still play, in the new order."""
    type: Literal["order_changed"]
    """Which kind it is."""


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


class OwnTurnEnded(TypedDict):
    """A seat's own turn is over, and the next seat in the order follows (§5.3)."""

    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["own_turn_ended"]
    """Which kind it is."""


class OwnTurnStarted(TypedDict):
    """A seat's own turn begins. Earlier seats in the order that have no piece on the board are skipped
    (§5.3).
    """

    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["own_turn_started"]
    """Which kind it is."""


class OwnedOffice(TypedDict):
    """An office that a player owns (§7.4)."""

    kind: OfficeKind
    """When the office does something."""
    office: str
    """The id of the office."""
    used: bool
    """Whether the office was activated in this turn, so that it is face down until the upkeep (§5.3)."""


class PalaceView(TypedDict):
    """One of the six palaces (§1.1)."""

    id: str
    """The id of the palace, as actions name it; it never changes."""
    name: str
    """The name of the palace, for people."""
    offices: list[OfficeForSale]
    """The offices that belong to this palace, with the tiles that are still for sale (§2.4)."""
    resolved: bool
    """Whether the palace was resolved in this turn; false while it is being resolved (§5.6)."""
    stacks: list[StackView]
    """The pieces in the palace, by slot from left to right (§1.7)."""


class Pay(TypedDict):
    """The player pays for the declared visit with exactly these goods (§6.4)."""

    goods: Goods
    """The goods that are paid. They must be worth the total at least (§6.3), and none of them may be one
    that could be left out [R9]; see `PayTemplate`.
    """
    type: Literal["pay"]
    """Which kind it is."""


class PayTemplate(TypedDict):
    """The payments that are legal: all goods within `owned` that are worth at least `total` and contain no
    good that could be left out (§6.4) [R9]. At least `keep` goods must be left after the payment
    (§7.7).
    """

    bags: list[PricedBag]
    """Always empty: payments that are listed as actions have no template."""
    cheapest: PricedBag
    """A legal payment of the least value; among equal ones one with the fewest goods, then with the fewest
    rare goods.
    """
    keep: int
    """How many goods must be left after the payment, for a favor that gives one away: 0 or 1."""
    listed: bool
    """Always false: payments that are listed as actions have no template."""
    owned: Goods
    """The goods that the payer has."""
    total: int
    """What the payment must be worth at least (§6.1, §6.3)."""
    type: Literal["pay"]
    """Which kind it is."""


class Peek(TypedDict):
    """The player uses a spy move to look at the face-down mercenaries of a territory (§7.6)."""

    territory: str
    """The id of the territory. Everybody learns which one it is, but only the player sees the values
    (§13.2).
    """
    type: Literal["peek"]
    """Which kind it is."""


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


class PieceGained(TypedDict):
    """A player gets a piece: it goes from the box to the reserve (§7.5)."""

    piece: Piece
    """The kind of piece."""
    seat: int
    """The seat this is about, counted from 0."""
    source: str
    """What gives it: the id of an office, or `training`."""
    type: Literal["piece_gained"]
    """Which kind it is."""


class PieceHeld(TypedDict):
    """A player keeps a piece to place it after all other pieces (§4.1)."""

    piece: Piece
    """The kind of piece, a pasha or a merchant. It is out of the reserve until the held pieces are placed
    (§4.3).
    """
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["piece_held"]
    """Which kind it is."""


class PieceMoved(TypedDict):
    """A piece goes from one area to another (§5.1, §7.6)."""

    by: MoveMeans
    """What allows the move."""
    from_area: str
    """The id of the area that the piece leaves. If it was the last of its player there, the slot is given
    up (§4.6).
    """
    piece: Piece
    """The kind of piece."""
    seat: int
    """The seat this is about, counted from 0."""
    to_area: str
    """The id of the area that the piece enters."""
    type: Literal["piece_moved"]
    """Which kind it is."""


class PiecePlaced(TypedDict):
    """A player puts a piece on an area (§4.2, §4.3)."""

    area: str
    """The id of the area. If the player had no piece there, the piece takes the next free slot (§4.6)."""
    held: bool
    """Whether the piece had been held back (§4.1)."""
    piece: Piece
    """The kind of piece."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["piece_placed"]
    """Which kind it is."""


class PiecesTakenBack(TypedDict):
    """A player's pieces in an area go back to the reserve (§5.6)."""

    area: str
    """The id of the area that they leave."""
    merchants: int
    """How many merchants go back."""
    pashas: int
    """How many pashas go back."""
    reason: BackReason
    """Why they go back."""
    sages: int
    """How many sages go back."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["pieces_taken_back"]
    """Which kind it is."""


class PlacePiece(TypedDict):
    """The player puts one piece on an area (§4.2, §4.3)."""

    area: str
    """The id of the palace or territory; the piece must be able to enter it (§4.4)."""
    piece: Piece
    """The kind of piece: from the reserve, or one that was held back once only held pieces are left
    (§4.3).
    """
    type: Literal["place_piece"]
    """Which kind it is."""


class PlacedTile(TypedDict):
    """A mercenary tile on a territory; its value is absent for an audience that does not know it."""

    colour: Colour
    """The colour of the tile, which everybody sees (§13.1)."""
    id: int
    """The number of the tile on the board; no number is used twice in a match."""
    territory: str
    """The id of the territory where the tile lies."""
    value: NotRequired[int | None]
    """The value of the tile: 2, 3 or 4. Absent for an audience that does not know it (§13.2)."""


class PointLine(TypedDict):
    """The points from one source (§12)."""

    count: int
    """How many things were counted, such as pashas, markers, or what an office counts; 1 for an office
    that scores the points printed on it.
    """
    points: int
    """The points of this line; they may be negative."""
    rule: str
    """The paragraph of the rules that gives them, such as `12.1`."""
    source: str
    """What gives the points: `pashas`, `merchants`, `sages`, `influence`, `dishonor`, or the id of an
    office.
    """


class PricedBag(TypedDict):
    """Goods, and what they are worth together (§6.3)."""

    goods: Goods
    """The goods, in any mix."""
    value: int
    """What they are worth. A set of 1, 2, 3, 4 or 5 different goods is worth 1, 3, 6, 10 or 15."""


class RankedStack(TypedDict):
    """A player's rank in an area, and the pieces it comes from (§1.8)."""

    dominance: int
    """The dominance value of the pieces: 5 for a pasha, 3 for a merchant, 1 for a sage (§1.6)."""
    merchants: int
    """How many merchants the player has there: 0 or 1, and 0 beside a pasha (§4.5)."""
    pashas: int
    """How many pashas the player has there: 0 or 1 (§4.5)."""
    rank: int
    """The rank of the player; 1 is the highest."""
    sages: int
    """How many sages the player has there."""
    seat: int
    """The seat this is about, counted from 0."""


class RemoveMercenary(TypedDict):
    """The player of the Negotiator discards an own tile and thereby the named tile, which has the same
    colour (§10.2) [R28].
    """

    own_value: int
    """The value of the own tile that is discarded: 2, 3 or 4. Its colour is that of the named tile."""
    tile: int
    """The number of the tile on the territory, the `id` that the view and `TerritoryPeeked` give it."""
    type: Literal["remove_mercenary"]
    """Which kind it is."""


class ResolutionStarted(TypedDict):
    """All pieces are placed, and the resolution phase begins (§5.1)."""

    manoeuvres: list[Manoeuvres]
    """The seats that may move pieces now, in turn order; a seat without a Plotter or an Informer is not
    listed.
    """
    type: Literal["resolution_started"]
    """Which kind it is."""


class ResolveArea(TypedDict):
    """The player names the area to be resolved, which is the mandatory part of an own turn (§5.3)."""

    area: str
    """The id of an area with at least one piece, anybody's, that was not resolved in this turn yet (§5.6)."""
    type: Literal["resolve_area"]
    """Which kind it is."""


class RoundStarted(TypedDict):
    """A round begins, in which every seat with a piece on the board takes one own turn (§5.2)."""

    order: list[int]
    """All seats that still play, in turn order (§1.5)."""
    round: int
    """The number of the round within the turn, counted from 1."""
    type: Literal["round_started"]
    """Which kind it is."""


class SageConverted(TypedDict):
    """A player's sage becomes a merchant [R29]."""

    area: str | None
    """The id of the area where the sage stood; absent for a sage in the reserve."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["sage_converted"]
    """Which kind it is."""


class SceneView(TypedDict):
    """The area that is being resolved (§5.3)."""

    area: str
    """The id of the area."""
    benevolence: list[int]
    """The seats that have taken benevolence so far (§8.3)."""
    part: Part
    """How far the area is resolved."""
    ranking: list[RankedStack]
    """The ranks as they were when the area was named, the highest first."""
    spoils: int
    """How many goods the winner may still take from the supply (§9.5)."""
    spy_moves: list[int]
    """During the visits to the Spies the seats that have taken the service; after them the seats whose
    moves are still to come, one entry for each move (§7.6).
    """
    to_act: list[int]
    """The seats that are still to visit, to fight or to trade, in this order."""
    visit: VisitView | None
    """The visit that is being carried out; absent if none is."""
    winner: int | None
    """The seat that has won the battle; absent if nobody has (§9.3)."""


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
    """A player leaves for good: pieces go to the box, goods and notes to the supply, tiles to the
    discards; the offices stay with the seat [F8].
    """

    seat: int
    """The seat this is about, counted from 0."""
    tiles: Squad
    """The tiles of the player's hand, which are discarded now, so that everybody sees them."""
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
    """A seat's final result (§12)."""

    lines: list[PointLine]
    """Where the points come from, one line for each source."""
    rank: int
    """The rank of the seat; 1 is best, and equal scores share a rank [R32]."""
    score: int
    """The points of the seat, the sum of all lines; they may be negative."""
    seat: int
    """The seat this is about, counted from 0."""


class SeatSetup(TypedDict):
    """What one seat begins with (§2.5, §2.7)."""

    goods: Goods
    """The goods of the seat, which depend on its place in the turn order (§2.7)."""
    merchants: int
    """How many merchants are in the reserve: 1 (§2.5)."""
    pashas: int
    """How many pashas are in the reserve: 1 (§2.5)."""
    sages: int
    """How many sages are in the reserve: 1 (§2.5)."""
    seat: int
    """The seat this is about, counted from 0."""


class SeatView(TypedDict):
    """One player."""

    dishonor: int
    """How many dishonor markers the player has (§12.4)."""
    family: FamilyView
    """All pieces that the player owns, on the board or off it (§1.2)."""
    goods: Goods
    """The goods that the player has; everybody sees them (§13.1)."""
    hand: HandView
    """The mercenary tiles in the player's hand; only some audiences see their values (§13.2)."""
    held: FamilyView
    """The player's pieces that are held back (§4.1)."""
    influence: int
    """How many influence markers the player has (§12.4)."""
    left: bool
    """Whether the player has left the match for good; the offices stay with the seat [F8]."""
    notes: int
    """How many credit notes the player has."""
    offices: list[OwnedOffice]
    """The offices that the player owns, in the order in which they were acquired."""
    reserve: FamilyView
    """The player's pieces that are off the board, without those that are held back (§1.2)."""
    seat: int
    """The seat this is about, counted from 0."""


class SpyMoveWaived(TypedDict):
    """A player does not use a spy move [R16]."""

    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["spy_move_waived"]
    """Which kind it is."""


class SpyMovesStarted(TypedDict):
    """All visits to the Spies are done, and the moves of those who took the service begin (§7.6)."""

    moves: list[int]
    """The seats in the order of their moves; a seat is listed once for each of its moves."""
    type: Literal["spy_moves_started"]
    """Which kind it is."""


class Squad(TypedDict):
    """How many mercenary tiles there are of each colour and value. A kind that is left out is 0."""

    blue_2: NotRequired[int]
    """How many blue tiles of value 2 there are."""
    blue_3: NotRequired[int]
    """How many blue tiles of value 3 there are."""
    blue_4: NotRequired[int]
    """How many blue tiles of value 4 there are."""
    red_2: NotRequired[int]
    """How many red tiles of value 2 there are."""
    red_3: NotRequired[int]
    """How many red tiles of value 3 there are."""
    red_4: NotRequired[int]
    """How many red tiles of value 4 there are."""


class StackRebuilt(TypedDict):
    """The discarded tiles of a colour are shuffled and become its stack, which was empty (§11.5)."""

    colour: Colour
    """The colour of the stack."""
    tiles: Squad
    """The tiles that are in the stack now; they have no order."""
    type: Literal["stack_rebuilt"]
    """Which kind it is."""


class StackView(TypedDict):
    """A player's pieces in an area (§4.7)."""

    dominance: int
    """The dominance value of the pieces: 5 for a pasha, 3 for a merchant, 1 for a sage (§1.6)."""
    merchants: int
    """How many merchants the player has there: 0 or 1, and 0 beside a pasha (§4.5)."""
    pashas: int
    """How many pashas the player has there: 0 or 1 (§4.5)."""
    rank: int | None
    """The rank that the player would have if the area were resolved now; 1 is the highest. Absent at Al-
    Rashid without a pasha (§1.8) [R20].
    """
    sages: int
    """How many sages the player has there."""
    seat: int
    """The seat this is about, counted from 0."""
    slot: int
    """The place of the stack among those in the area, counted from 1, from left to right (§1.7)."""


class StacksView(TypedDict):
    """The mercenary tiles that are in nobody's hand and on no territory (§13.1)."""

    blue: int
    """How many tiles are left in the blue stack."""
    discards: Squad
    """The tiles that were discarded, which everybody sees (§13.1)."""
    red: int
    """How many tiles are left in the red stack."""
    tiles: NotRequired[Squad | None]
    """The tiles of both stacks with their values; they have no order. Present only for a referee."""


class SwapGood(TypedDict):
    """The player swaps a good with the Vizier for one of another kind (§7.7)."""

    give: Good
    """The kind of the good that goes to the supply."""
    take: Good
    """The kind of the good that comes from the supply; not the one that is given."""
    type: Literal["swap_good"]
    """Which kind it is."""


class TakeAll(TypedDict):
    """The player, who has trade rank 1, takes all goods of one kind from the territory (§9.7)."""

    good: Good
    """The kind of goods; the player takes every good of it that lies there."""
    type: Literal["take_all"]
    """Which kind it is."""


class TakeGoods(TypedDict):
    """The player takes two goods of choice for the Quartermaster (§10.2)."""

    goods: Goods
    """The two goods that come from the supply, of one kind or of two."""
    type: Literal["take_goods"]
    """Which kind it is."""


class TakeItems(TypedDict):
    """The player takes items from the territory: up to three at trade rank 1, two at rank 2, one at rank
    3. A credit note is an item (§9.7).
    """

    goods: Goods
    """The goods that the player takes from the territory, in any mix; empty if the player takes no goods."""
    note: NotRequired[bool]
    """Whether the player takes the credit note that lies there. It counts as one of the items."""
    type: Literal["take_items"]
    """Which kind it is."""


class TakeSpoil(TypedDict):
    """The player of the Raider takes one good of a kind that is printed on the territory (§9.5)."""

    good: Good
    """The kind of the good, which comes from the supply."""
    type: Literal["take_spoil"]
    """Which kind it is."""


class TerritoriesRefilled(TypedDict):
    """In the upkeep the territories get back what is printed on them (§11.1)."""

    territories: list[TerritoryStock]
    """What lies on each territory now."""
    type: Literal["territories_refilled"]
    """Which kind it is."""


class TerritoryPeeked(TypedDict):
    """A player looks at the face-down tiles of a territory. Everybody learns which territory, but only the
    player sees the values (§7.6, §10.2, §13.2).
    """

    seat: int
    """The seat this is about, counted from 0."""
    source: str
    """What allows it: `spy_moves`, or the id of the office."""
    territory: str
    """The id of the territory."""
    tiles: list[PlacedTile]
    """The tiles that lie there face down."""
    type: Literal["territory_peeked"]
    """Which kind it is."""


class TerritoryStock(TypedDict):
    """What lies on one territory (§2.2)."""

    goods: Goods
    """The goods that lie there: those printed on the territory."""
    notes: int
    """How many credit notes lie there: 0 or 1."""
    territory: str
    """The id of the territory."""


class TerritoryView(TypedDict):
    """One of the seven territories (§1.1)."""

    goods: Goods
    """The goods that lie there now."""
    id: str
    """The id of the territory, as actions name it; it never changes."""
    mercenaries: list[MercenaryView]
    """The mercenary tiles that lie there, in the order in which they came."""
    name: str
    """The name of the territory, for people."""
    notes: int
    """How many credit notes lie there now."""
    printed: Goods
    """The goods that are printed on the territory, to which every upkeep refills it (§11.1)."""
    resolved: bool
    """Whether the territory was resolved in this turn; false while it is being resolved (§5.6)."""
    stacks: list[StackView]
    """The pieces on the territory, by slot from left to right (§1.7)."""


class TilesRevealed(TypedDict):
    """The mercenaries of a territory are turned face up (§9.1)."""

    territory: str
    """The id of the territory."""
    tiles: list[PlacedTile]
    """All tiles that lie there, now with their values."""
    type: Literal["tiles_revealed"]
    """Which kind it is."""


class TradeStarted(TypedDict):
    """The trade on a territory begins (§9.6)."""

    territory: str
    """The id of the territory."""
    traders: list[int]
    """The seats that trade, in order of their trade ranks, at most three."""
    type: Literal["trade_started"]
    """Which kind it is."""


class Traded(TypedDict):
    """A player takes what the player wants from the territory (§9.7)."""

    goods: Goods
    """The goods that the player takes."""
    notes: int
    """How many credit notes the player takes: 0 or 1."""
    seat: int
    """The seat this is about, counted from 0."""
    territory: str
    """The id of the territory."""
    type: Literal["traded"]
    """Which kind it is."""


class TurnStarted(TypedDict):
    """A turn begins with its placement phase (§3.1)."""

    diplomats: list[int]
    """The seats that may hold a piece back, in this order; a seat is listed once for each of its Diplomats
    (§4.1).
    """
    order: list[int]
    """All seats that still play, in turn order (§1.5)."""
    turn: int
    """The number of the turn, 1 to 5."""
    type: Literal["turn_started"]
    """Which kind it is."""


class UseImporter(TypedDict):
    """The player activates an importer and takes one good of its kind (§10.2)."""

    office: str
    """The id of the importer, which decides the kind of good."""
    type: Literal["use_importer"]
    """Which kind it is."""


class UseNegotiator(TypedDict):
    """The player activates the Negotiator and looks at the mercenaries of a territory; what to remove is
    asked next (§10.2).
    """

    territory: str
    """The id of the territory; everybody learns which one it is."""
    type: Literal["use_negotiator"]
    """Which kind it is."""


class UseRecruiter(TypedDict):
    """The player activates the Recruiter and draws one mercenary (§10.2)."""

    colour: Colour
    """The colour of the stack to draw from."""
    type: Literal["use_recruiter"]
    """Which kind it is."""


class UseSmuggler(TypedDict):
    """The player activates the Smuggler: gives one good and takes one of another kind (§10.2)."""

    give: Good
    """The kind of the good that goes to the supply."""
    take: Good
    """The kind of the good that comes from the supply; not the one that is given."""
    type: Literal["use_smuggler"]
    """Which kind it is."""


class UseTrader(TypedDict):
    """The player activates the Trader: gives one common good and takes one of each other common kind
    (§10.2).
    """

    give: Good
    """The kind of the good that goes to the supply: hardwood, pottery or metals (§1.4)."""
    type: Literal["use_trader"]
    """Which kind it is."""


class VisitDeclared(TypedDict):
    """A visitor says what the visit consists of; it is paid and carried out next (§7.2, §8.2)."""

    area: str
    """The id of the palace."""
    benevolence: Good | None
    """The good that is taken with the benevolence of Al-Rashid; absent if it is not taken (§8.3)."""
    favor: Favor | None
    """The favor that is used, at the Spies the one that the Favorite copies; absent if none is (§7.7)."""
    note: bool
    """Whether a credit note is spent on the office (§6.6)."""
    office: str | None
    """The id of the office that is bought; absent if none is (§7.4)."""
    rank: int
    """The visitor's rank in the palace, 1 to 3, which decides what the service costs (§7.5)."""
    seat: int
    """The seat this is about, counted from 0."""
    service: Service | None
    """The service that is used; absent if none is (§7.5)."""
    steps: list[VisitStep]
    """What the visit does after the payment, in this order [R35]."""
    total: int
    """What the payment must be worth at least (§6.1, §6.3)."""
    type: Literal["visit_declared"]
    """Which kind it is."""


class VisitView(TypedDict):
    """A visit that was declared (§7.2, §8.2)."""

    benevolence: Good | None
    """The good that is taken with the benevolence of Al-Rashid; absent if it is not taken (§8.3)."""
    draws: list[Colour]
    """The colours that were named for mercenaries, one entry for each tile. They are drawn when the visit
    has been declared in full [R14].
    """
    favor: Favor | None
    """The favor that is used, at the Spies the one that the Favorite copies; absent if none is (§7.7)."""
    note: bool
    """Whether a credit note is spent on the office (§6.6)."""
    office: str | None
    """The id of the office that is bought; absent if none is (§7.4)."""
    paid: bool
    """Whether the visit has been paid."""
    rank: int
    """The visitor's rank in the palace, 1 to 3, which decides what the service costs (§7.5)."""
    seat: int
    """The seat this is about, counted from 0."""
    service: Service | None
    """The service that is used; absent if none is (§7.5)."""
    steps: list[VisitStep]
    """What the visit is still to do, in this order [R35]."""
    total: int
    """What the payment must be worth at least (§6.1, §6.3)."""


Action = (
    ChooseStack
    | HoldBack
    | Decline
    | PlacePiece
    | MovePiece
    | Peek
    | UseSmuggler
    | UseTrader
    | UseImporter
    | UseRecruiter
    | UseNegotiator
    | RemoveMercenary
    | ResolveArea
    | EndTurn
    | DeclareVisit
    | DeclareAudience
    | Pay
    | ChooseFavors
    | GiveGood
    | SwapGood
    | NameColours
    | TakeGoods
    | ConvertSage
    | Flee
    | Fight
    | TakeSpoil
    | TakeAll
    | TakeItems
)
"""What a seat asks the server to do for its open decision."""


BackReason = Literal["cut", "fled", "fought", "no_pasha", "traded", "visited"]
"""Why pieces go back to their owner's reserve (§5.6)."""


Colour = Literal["blue", "red"]
"""The colour of a mercenary tile: red fights on land, blue at sea (§2.3)."""


EndReason = Literal["LAST_PLAYER_LEFT", "TURNS_PLAYED"]
"""What ends a match."""


Event = (
    MatchStarted
    | CrisisDrawn
    | StackRebuilt
    | MercenariesDrawn
    | TurnStarted
    | PieceHeld
    | HoldingDeclined
    | PiecePlaced
    | ResolutionStarted
    | PieceMoved
    | ManoeuvresEnded
    | RoundStarted
    | OwnTurnStarted
    | OfficeUsed
    | GoodsSwapped
    | GoodsGained
    | NotesGained
    | InfluenceGained
    | DishonorTaken
    | TerritoryPeeked
    | MercenaryRemoved
    | NegotiationEnded
    | AreaOpened
    | PiecesTakenBack
    | VisitDeclared
    | GoodsPaid
    | OfficeAcquired
    | PieceGained
    | FavorsChosen
    | GoodGiven
    | ColoursNamed
    | SageConverted
    | ConversionDeclined
    | SpyMovesStarted
    | SpyMoveWaived
    | OrderChanged
    | TilesRevealed
    | Fought
    | BattleWon
    | TradeStarted
    | Traded
    | AreaClosed
    | OwnTurnEnded
    | TerritoriesRefilled
    | OfficesRefreshed
    | SeatLeft
    | MatchEnded
)
"""Something that happened in the match."""


Favor = Literal["court_scholar", "favorite", "general", "qadi", "vizier"]
"""What the heads of the guild palaces do for a visitor (§7.7)."""


Good = Literal["hardwood", "metals", "pottery", "silk", "spices"]
"""The kinds of goods (§1.4). A credit note is not a good [R17]."""


MoveMeans = Literal["informer", "plotter", "spy_moves"]
"""What lets a piece move on the board."""


OfficeKind = Literal["activate", "continuous", "one_shot"]
"""When an office does something (§10.1)."""


Options = AlRashidOptions
"""Al-Rashid has no options: the number of players is the number of seats, and the rulebook has no
variants.
"""


Part = Literal["battle", "spy_moves", "trade", "visits"]
"""How far an area is resolved."""


Piece = Literal["merchant", "pasha", "sage"]
"""The kinds of pieces of a family (§1.2)."""


Service = Literal["recruit_mercenaries", "spy_moves", "train_merchant", "train_pasha", "train_sage"]
"""What a guild does for a visitor (§7.5)."""


Stage = Literal["ended", "manoeuvres", "placement", "rounds", "setup"]
"""Where in a turn the match is (§3.1)."""


Template = PayTemplate | FightTemplate
"""A set of legal actions that can be too large to list."""


View = AlRashidView
"""The match as an audience sees it."""


VisitStep = Literal[
    "agha",
    "alchemist",
    "benevolence",
    "court_scholar",
    "general",
    "impostor",
    "office",
    "qadi",
    "quartermaster",
    "recruit_mercenaries",
    "training",
    "vizier",
]
"""What a visit does after the payment; the name also says what a gain comes from [R35]."""

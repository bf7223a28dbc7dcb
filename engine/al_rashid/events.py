"""The events. They carry final numbers, so a reader can compute the state and animate it without knowing the rules.

This file has the course of a match and what happens in areas; owner_events.py has the rest. `AlRashidEvent` is the union.
"""

from __future__ import annotations

from engine.al_rashid.box.components import AreaId, Colour, Goods, Piece, Squad
from engine.al_rashid.event_parts import (
    BackReason,
    EndReason,
    Manoeuvres,
    MoveMeans,
    OfficeStock,
    PlacedTile,
    RankedStack,
    SeatScore,
    SeatSetup,
    TerritoryStock,
)
from engine.al_rashid.owner_events import (
    ColoursNamed,
    ConversionDeclined,
    DishonorTaken,
    FavorsChosen,
    GoodGiven,
    GoodsGained,
    GoodsPaid,
    GoodsSwapped,
    InfluenceGained,
    MercenariesDrawn,
    NotesGained,
    OfficeAcquired,
    OfficeUsed,
    PieceGained,
    SageConverted,
    VisitDeclared,
)
from engine.kernel.records import Event
from engine.kernel.seats import Seat


class MatchStarted(Event, frozen=True, kw_only=True, tag="match_started", omit_defaults=True):
    """The match begins: the board is filled and everybody gets goods and pieces (§2.1 to §2.7)."""

    order: tuple[Seat, ...]
    """All seats in turn order, the first one first (§2.6)."""
    seats: tuple[SeatSetup, ...]
    """What each seat begins with, in order of seats."""
    offices: tuple[OfficeStock, ...]
    """How many tiles of each office are for sale (§2.4)."""
    territories: tuple[TerritoryStock, ...]
    """What lies on each territory (§2.2)."""
    stacks: Squad
    """All mercenary tiles of both stacks. They have no order: which tile comes is decided when it is drawn (§2.3)."""
    rules_version: str | None = None
    """The version of the rules by which the match is played; absent for the first one, 1.0.0."""


class CrisisDrawn(Event, frozen=True, kw_only=True, tag="crisis_drawn"):
    """A crisis tile is drawn, and mercenaries are laid on territories, face down (§2.8, §11.3)."""

    crisis: str
    """The id of the crisis tile."""
    tiles: tuple[PlacedTile, ...]
    """The tiles that are laid down, in this order. A colour whose stack and discards are empty gives none (§11.5)."""


class StackRebuilt(Event, frozen=True, kw_only=True, tag="stack_rebuilt"):
    """The discarded tiles of a colour are shuffled and become its stack, which was empty (§11.5)."""

    colour: Colour
    """The colour of the stack."""
    tiles: Squad
    """The tiles that are in the stack now; they have no order."""


class TurnStarted(Event, frozen=True, kw_only=True, tag="turn_started"):
    """A turn begins with its placement phase (§3.1)."""

    turn: int
    """The number of the turn, 1 to 5."""
    order: tuple[Seat, ...]
    """All seats that still play, in turn order (§1.5)."""
    diplomats: tuple[Seat, ...]
    """The seats that may hold a piece back, in this order; a seat is listed once for each of its Diplomats (§4.1)."""


class PieceHeld(Event, frozen=True, kw_only=True, tag="piece_held"):
    """A player keeps a piece to place it after all other pieces (§4.1)."""

    seat: Seat
    piece: Piece
    """The kind of piece, a pasha or a merchant. It is out of the reserve until the held pieces are placed (§4.3)."""


class HoldingDeclined(Event, frozen=True, kw_only=True, tag="holding_declined"):
    """A player does not use a Diplomat in this turn (§4.1) [R2]."""

    seat: Seat


class PiecePlaced(Event, frozen=True, kw_only=True, tag="piece_placed"):
    """A player puts a piece on an area (§4.2, §4.3)."""

    seat: Seat
    piece: Piece
    """The kind of piece."""
    area: AreaId
    """The id of the area. If the player had no piece there, the piece takes the next free slot (§4.6)."""
    held: bool
    """Whether the piece had been held back (§4.1)."""


class ResolutionStarted(Event, frozen=True, kw_only=True, tag="resolution_started"):
    """All pieces are placed, and the resolution phase begins (§5.1)."""

    manoeuvres: tuple[Manoeuvres, ...]
    """The seats that may move pieces now, in turn order; a seat without a Plotter or an Informer is not listed."""


class PieceMoved(Event, frozen=True, kw_only=True, tag="piece_moved"):
    """A piece goes from one area to another (§5.1, §7.6)."""

    seat: Seat
    piece: Piece
    """The kind of piece."""
    from_area: AreaId
    """The id of the area that the piece leaves. If it was the last of its player there, the slot is given up (§4.6)."""
    to_area: AreaId
    """The id of the area that the piece enters."""
    by: MoveMeans
    """What allows the move."""


class ManoeuvresEnded(Event, frozen=True, kw_only=True, tag="manoeuvres_ended"):
    """A seat uses no further Plotter or Informer in this turn (§5.1)."""

    seat: Seat


class RoundStarted(Event, frozen=True, kw_only=True, tag="round_started"):
    """A round begins, in which every seat with a piece on the board takes one own turn (§5.2)."""

    round: int
    """The number of the round within the turn, counted from 1."""
    order: tuple[Seat, ...]
    """All seats that still play, in turn order (§1.5)."""


class OwnTurnStarted(Event, frozen=True, kw_only=True, tag="own_turn_started"):
    """A seat's own turn begins. Earlier seats in the order that have no piece on the board are skipped (§5.3)."""

    seat: Seat


class TerritoryPeeked(Event, frozen=True, kw_only=True, tag="territory_peeked"):
    """A player looks at the face-down tiles of a territory.

    Everybody learns which territory, but only the player sees the values (§7.6, §10.2, §13.2).
    """

    seat: Seat
    territory: AreaId
    """The id of the territory."""
    source: str
    """What allows it: `spy_moves`, or the id of the office."""
    tiles: tuple[PlacedTile, ...]
    """The tiles that lie there face down."""


class MercenaryRemoved(Event, frozen=True, kw_only=True, tag="mercenary_removed"):
    """The Negotiator removes a tile from a territory for an own tile. Both are discarded, and so everybody sees them (§10.2)."""

    seat: Seat
    territory: AreaId
    """The id of the territory where the tile lay."""
    tile: int
    """The number that the tile had on the board."""
    colour: Colour
    """The colour of both tiles."""
    value: int
    """The value of the tile from the territory: 2, 3 or 4."""
    own_value: int
    """The value of the player's tile: 2, 3 or 4."""


class NegotiationEnded(Event, frozen=True, kw_only=True, tag="negotiation_ended"):
    """The player of the Negotiator removes nothing (§10.2)."""

    seat: Seat
    territory: AreaId
    """The id of the territory that the player looked at."""


class AreaOpened(Event, frozen=True, kw_only=True, tag="area_opened"):
    """A seat names an area, which is resolved now; its ranks are fixed from here on (§5.3)."""

    seat: Seat
    area: AreaId
    """The id of the area."""
    ranking: tuple[RankedStack, ...]
    """All players who are ranked in the area, the highest rank first."""
    acting: tuple[Seat, ...]
    """The seats that act, in order of ranks: in a palace the visitors, at most three (§5.7); on a territory all who take part in
    the battle or the trade."""


class PiecesTakenBack(Event, frozen=True, kw_only=True, tag="pieces_taken_back"):
    """A player's pieces in an area go back to the reserve (§5.6)."""

    seat: Seat
    area: AreaId
    """The id of the area that they leave."""
    pashas: int
    """How many pashas go back."""
    merchants: int
    """How many merchants go back."""
    sages: int
    """How many sages go back."""
    reason: BackReason
    """Why they go back."""


class SpyMovesStarted(Event, frozen=True, kw_only=True, tag="spy_moves_started"):
    """All visits to the Spies are done, and the moves of those who took the service begin (§7.6)."""

    moves: tuple[Seat, ...]
    """The seats in the order of their moves; a seat is listed once for each of its moves."""


class SpyMoveWaived(Event, frozen=True, kw_only=True, tag="spy_move_waived"):
    """A player does not use a spy move [R16]."""

    seat: Seat


class OrderChanged(Event, frozen=True, kw_only=True, tag="order_changed"):
    """Benevolence changes the turn order from the next round on (§8.3, §5.8)."""

    order: tuple[Seat, ...]
    """All seats that still play, in the new order."""


class TilesRevealed(Event, frozen=True, kw_only=True, tag="tiles_revealed"):
    """The mercenaries of a territory are turned face up (§9.1)."""

    territory: AreaId
    """The id of the territory."""
    tiles: tuple[PlacedTile, ...]
    """All tiles that lie there, now with their values."""


class Fought(Event, frozen=True, kw_only=True, tag="fought"):
    """A player fights: the player's tiles are discarded, and those of the territory that they beat (§9.3)."""

    seat: Seat
    territory: AreaId
    """The id of the territory."""
    spent: Squad
    """The player's tiles that are discarded."""
    red_strength: int
    """The sum of the values of the player's red tiles, with 1 more for each tile and each Strategist. It must exceed the sum of
    the territory's red tiles."""
    blue_strength: int
    """The same for the blue tiles."""
    beaten: tuple[PlacedTile, ...]
    """The territory's tiles that are discarded."""
    remaining: int
    """How many tiles are left on the territory."""


class BattleWon(Event, frozen=True, kw_only=True, tag="battle_won"):
    """A player removes the last tile of a territory and wins the battle (§9.3)."""

    seat: Seat
    territory: AreaId
    """The id of the territory."""
    spoils: int
    """How many goods the winner may take from the supply, one for each Raider (§9.5)."""


class TradeStarted(Event, frozen=True, kw_only=True, tag="trade_started"):
    """The trade on a territory begins (§9.6)."""

    territory: AreaId
    """The id of the territory."""
    traders: tuple[Seat, ...]
    """The seats that trade, in order of their trade ranks, at most three."""


class Traded(Event, frozen=True, kw_only=True, tag="traded"):
    """A player takes what the player wants from the territory (§9.7)."""

    seat: Seat
    territory: AreaId
    """The id of the territory."""
    goods: Goods
    """The goods that the player takes."""
    notes: int
    """How many credit notes the player takes: 0 or 1."""


class AreaClosed(Event, frozen=True, kw_only=True, tag="area_closed"):
    """An area is done for this turn (§5.6)."""

    area: AreaId
    """The id of the area. It holds no pieces now and is not resolved again in this turn."""


class OwnTurnEnded(Event, frozen=True, kw_only=True, tag="own_turn_ended"):
    """A seat's own turn is over, and the next seat in the order follows (§5.3)."""

    seat: Seat


class TerritoriesRefilled(Event, frozen=True, kw_only=True, tag="territories_refilled"):
    """In the upkeep the territories get back what is printed on them (§11.1)."""

    territories: tuple[TerritoryStock, ...]
    """What lies on each territory now."""


class OfficesRefreshed(Event, frozen=True, kw_only=True, tag="offices_refreshed"):
    """In the upkeep all offices that were used are turned face up (§11.2)."""


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat_left"):
    """A player leaves for good: pieces go to the box, goods and notes to the supply, tiles to the discards; the offices stay with the seat [F8]."""

    seat: Seat
    tiles: Squad
    """The tiles of the player's hand, which are discarded now, so that everybody sees them."""


class MatchEnded(Event, frozen=True, kw_only=True, tag="match_ended"):
    """The match is over and scored (§12)."""

    reason: EndReason
    """What ended the match."""
    scores: tuple[SeatScore, ...]
    """The result of every seat, in order of seats."""


AlRashidEvent = (
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

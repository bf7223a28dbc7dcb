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
    """§2.1 to §2.7"""

    order: tuple[Seat, ...]
    seats: tuple[SeatSetup, ...]
    offices: tuple[OfficeStock, ...]
    territories: tuple[TerritoryStock, ...]
    stacks: Squad
    """All mercenary tiles."""
    rules_version: str | None = None
    """The version of the rules that the match is played by; None means the first."""


class CrisisDrawn(Event, frozen=True, kw_only=True, tag="crisis_drawn"):
    """§2.8, §11.3 Mercenaries are laid on territories, face down."""

    crisis: str
    tiles: tuple[PlacedTile, ...]


class StackRebuilt(Event, frozen=True, kw_only=True, tag="stack_rebuilt"):
    """§11.5 A colour's discards are shuffled into its empty stack."""

    colour: Colour
    tiles: Squad


class TurnStarted(Event, frozen=True, kw_only=True, tag="turn_started"):
    """§3.1"""

    turn: int
    order: tuple[Seat, ...]
    diplomats: tuple[Seat, ...]
    """§4.1 Who may hold a piece back, one entry per Diplomat."""


class PieceHeld(Event, frozen=True, kw_only=True, tag="piece_held"):
    """§4.1"""

    seat: Seat
    piece: Piece


class HoldingDeclined(Event, frozen=True, kw_only=True, tag="holding_declined"):
    """§4.1 [R2]"""

    seat: Seat


class PiecePlaced(Event, frozen=True, kw_only=True, tag="piece_placed"):
    """§4.2, §4.3"""

    seat: Seat
    piece: Piece
    area: AreaId
    held: bool
    """Whether it had been held back."""


class ResolutionStarted(Event, frozen=True, kw_only=True, tag="resolution_started"):
    """§5.1"""

    manoeuvres: tuple[Manoeuvres, ...]


class PieceMoved(Event, frozen=True, kw_only=True, tag="piece_moved"):
    """§5.1, §7.6"""

    seat: Seat
    piece: Piece
    from_area: AreaId
    to_area: AreaId
    by: MoveMeans


class ManoeuvresEnded(Event, frozen=True, kw_only=True, tag="manoeuvres_ended"):
    """§5.1 A seat uses no further Plotter or Informer."""

    seat: Seat


class RoundStarted(Event, frozen=True, kw_only=True, tag="round_started"):
    """§5.2"""

    round: int
    order: tuple[Seat, ...]


class OwnTurnStarted(Event, frozen=True, kw_only=True, tag="own_turn_started"):
    """§5.3 Earlier seats in the order without a piece on the board are skipped."""

    seat: Seat


class TerritoryPeeked(Event, frozen=True, kw_only=True, tag="territory_peeked"):
    """§7.6, §10.2 The named territory is public; the values seen are not (§13.2)."""

    seat: Seat
    territory: AreaId
    source: str
    tiles: tuple[PlacedTile, ...]
    """Those that were face down."""


class MercenaryRemoved(Event, frozen=True, kw_only=True, tag="mercenary_removed"):
    """§10.2 Both tiles are discarded, and so revealed."""

    seat: Seat
    territory: AreaId
    tile: int
    colour: Colour
    value: int
    own_value: int


class NegotiationEnded(Event, frozen=True, kw_only=True, tag="negotiation_ended"):
    """§10.2 Nothing is removed."""

    seat: Seat
    territory: AreaId


class AreaOpened(Event, frozen=True, kw_only=True, tag="area_opened"):
    """§5.3 A seat has named an area; its ranks are fixed from now on."""

    seat: Seat
    area: AreaId
    ranking: tuple[RankedStack, ...]
    acting: tuple[Seat, ...]
    """Who visits, or takes part in the battle, by rank."""


class PiecesTakenBack(Event, frozen=True, kw_only=True, tag="pieces_taken_back"):
    """§5.6"""

    seat: Seat
    area: AreaId
    pashas: int
    merchants: int
    sages: int
    reason: BackReason


class SpyMovesStarted(Event, frozen=True, kw_only=True, tag="spy_moves_started"):
    """§7.6"""

    moves: tuple[Seat, ...]
    """The seats in the order of their moves; a seat may come more than once."""


class SpyMoveWaived(Event, frozen=True, kw_only=True, tag="spy_move_waived"):
    """[R16]"""

    seat: Seat


class OrderChanged(Event, frozen=True, kw_only=True, tag="order_changed"):
    """§8.3 From the next round on (§5.8)."""

    order: tuple[Seat, ...]


class TilesRevealed(Event, frozen=True, kw_only=True, tag="tiles_revealed"):
    """§9.1"""

    territory: AreaId
    tiles: tuple[PlacedTile, ...]


class Fought(Event, frozen=True, kw_only=True, tag="fought"):
    """§9.3"""

    seat: Seat
    territory: AreaId
    spent: Squad
    red_strength: int
    """Strategists included."""
    blue_strength: int
    beaten: tuple[PlacedTile, ...]
    """The territory's tiles that are discarded."""
    remaining: int
    """Tiles left on the territory."""


class BattleWon(Event, frozen=True, kw_only=True, tag="battle_won"):
    """§9.3 The last tile is gone."""

    seat: Seat
    territory: AreaId
    spoils: int
    """§9.5 Goods for Raiders."""


class TradeStarted(Event, frozen=True, kw_only=True, tag="trade_started"):
    """§9.6"""

    territory: AreaId
    traders: tuple[Seat, ...]
    """By trade rank."""


class Traded(Event, frozen=True, kw_only=True, tag="traded"):
    """§9.7 From the territory."""

    seat: Seat
    territory: AreaId
    goods: Goods
    notes: int


class AreaClosed(Event, frozen=True, kw_only=True, tag="area_closed"):
    """§5.6"""

    area: AreaId


class OwnTurnEnded(Event, frozen=True, kw_only=True, tag="own_turn_ended"):
    seat: Seat


class TerritoriesRefilled(Event, frozen=True, kw_only=True, tag="territories_refilled"):
    """§11.1"""

    territories: tuple[TerritoryStock, ...]


class OfficesRefreshed(Event, frozen=True, kw_only=True, tag="offices_refreshed"):
    """§11.2"""


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat_left"):
    """The seat leaves for good: pieces to the box, goods and notes to the supply, tiles to the discards; it keeps its offices."""

    seat: Seat
    tiles: Squad
    """The hand, now discarded."""


class MatchEnded(Event, frozen=True, kw_only=True, tag="match_ended"):
    """§12"""

    reason: EndReason
    scores: tuple[SeatScore, ...]
    """In order of seats."""


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

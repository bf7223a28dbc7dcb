"""Events about what players own (goods, markers, tiles, offices) and about the course of a visit."""

from __future__ import annotations

from engine.al_rashid.box.components import AreaId, Colour, Favor, Good, Goods, OfficeId, Piece, Service
from engine.al_rashid.event_parts import DrawnTile, VisitStep
from engine.kernel.records import Event
from engine.kernel.seats import Seat


class MercenariesDrawn(Event, frozen=True, kw_only=True, tag="mercenaries_drawn"):
    """Tiles drawn into the hand; fewer than wanted if a stack and its discards have run out [R31]."""

    seat: Seat
    tiles: tuple[DrawnTile, ...]


class OfficeUsed(Event, frozen=True, kw_only=True, tag="office_used"):
    """§5.3 The office is face down until the upkeep."""

    seat: Seat
    office: OfficeId


class GoodsSwapped(Event, frozen=True, kw_only=True, tag="goods_swapped"):
    """Goods given to the supply, and others taken from it."""

    seat: Seat
    given: Goods
    taken: Goods
    source: str


class GoodsGained(Event, frozen=True, kw_only=True, tag="goods_gained"):
    """Goods taken from the supply."""

    seat: Seat
    goods: Goods
    source: str


class NotesGained(Event, frozen=True, kw_only=True, tag="notes_gained"):
    seat: Seat
    notes: int
    source: str


class InfluenceGained(Event, frozen=True, kw_only=True, tag="influence_gained"):
    seat: Seat
    markers: int
    source: str


class DishonorTaken(Event, frozen=True, kw_only=True, tag="dishonor_taken"):
    seat: Seat
    markers: int
    source: str


class VisitDeclared(Event, frozen=True, kw_only=True, tag="visit_declared"):
    """§7.2, §8.2"""

    seat: Seat
    area: AreaId
    rank: int
    service: Service | None
    office: OfficeId | None
    note: bool
    favor: Favor | None
    benevolence: Good | None
    total: int
    """§6.1 To be paid in goods."""
    steps: tuple[VisitStep, ...]
    """[R35] What will be done, in order."""


class GoodsPaid(Event, frozen=True, kw_only=True, tag="goods_paid"):
    """§6.1"""

    seat: Seat
    goods: Goods
    value: int
    total: int


class OfficeAcquired(Event, frozen=True, kw_only=True, tag="office_acquired"):
    """§7.4"""

    seat: Seat
    office: OfficeId
    note: bool
    """Whether a credit note is spent on it."""


class PieceGained(Event, frozen=True, kw_only=True, tag="piece_gained"):
    """A piece moves from the box to the reserve."""

    seat: Seat
    piece: Piece
    source: str


class FavorsChosen(Event, frozen=True, kw_only=True, tag="favors_chosen"):
    """§10.2 The two favors of the Impostor."""

    seat: Seat
    first: Favor
    second: Favor


class GoodGiven(Event, frozen=True, kw_only=True, tag="good_given"):
    """§7.7 A good given to the General for a mercenary, which is drawn when the visit has been declared in full."""

    seat: Seat
    good: Good
    colour: Colour


class ColoursNamed(Event, frozen=True, kw_only=True, tag="colours_named"):
    """[R14] The tiles are drawn when the visit has been declared in full."""

    seat: Seat
    red: int
    blue: int
    source: VisitStep


class SageConverted(Event, frozen=True, kw_only=True, tag="sage_converted"):
    """[R29]"""

    seat: Seat
    area: AreaId | None
    """Where the sage stood; absent for the reserve."""


class ConversionDeclined(Event, frozen=True, kw_only=True, tag="conversion_declined"):
    """§10.2 Nothing is converted, by choice or because nothing can be."""

    seat: Seat

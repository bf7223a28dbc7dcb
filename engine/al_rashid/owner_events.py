"""Events about what players own (goods, markers, tiles, offices) and about the course of a visit."""

from __future__ import annotations

from engine.al_rashid.box.components import AreaId, Colour, Favor, Good, Goods, OfficeId, Piece, Service
from engine.al_rashid.event_parts import DrawnTile, VisitStep
from engine.kernel.records import Event
from engine.kernel.seats import Seat


class MercenariesDrawn(Event, frozen=True, kw_only=True, tag="mercenaries_drawn"):
    """A player draws mercenary tiles into the hand: fewer than wanted if a stack and its discards have run out [R31]."""

    seat: Seat
    tiles: tuple[DrawnTile, ...]
    """The tiles, in the order in which they were drawn."""


class OfficeUsed(Event, frozen=True, kw_only=True, tag="office_used"):
    """A player activates an office; it is face down until the upkeep (§5.3)."""

    seat: Seat
    office: OfficeId
    """The id of the office."""


class GoodsSwapped(Event, frozen=True, kw_only=True, tag="goods_swapped"):
    """A player gives goods to the supply and takes others from it."""

    seat: Seat
    given: Goods
    """The goods that the player gives."""
    taken: Goods
    """The goods that the player takes."""
    source: str
    """What allows the swap: the id of an office, or the name of a step of the visit such as `vizier`."""


class GoodsGained(Event, frozen=True, kw_only=True, tag="goods_gained"):
    """A player takes goods from the supply."""

    seat: Seat
    goods: Goods
    """The goods that the player takes."""
    source: str
    """What gives them: the id of an office, or the name of a step of the visit such as `benevolence`."""


class NotesGained(Event, frozen=True, kw_only=True, tag="notes_gained"):
    """A player takes credit notes from the supply [R17]."""

    seat: Seat
    notes: int
    """How many credit notes the player takes."""
    source: str
    """What gives them: the id of an office, or the name of a step of the visit such as `court_scholar`."""


class InfluenceGained(Event, frozen=True, kw_only=True, tag="influence_gained"):
    """A player takes influence markers (§12.4)."""

    seat: Seat
    markers: int
    """How many markers the player takes. Each scores 1 point at the end, but all together 5 at most."""
    source: str
    """What gives them: the id of an office, or the name of a step of the visit such as `qadi`."""


class DishonorTaken(Event, frozen=True, kw_only=True, tag="dishonor_taken"):
    """A player takes dishonor markers (§12.4)."""

    seat: Seat
    markers: int
    """How many markers the player takes. Each costs 2 points at the end."""
    source: str
    """What the player takes them for: `flee` (§9.2), the id of the palace (§7.3, §8.1), or the id of an office."""


class VisitDeclared(Event, frozen=True, kw_only=True, tag="visit_declared"):
    """A visitor says what the visit consists of; it is paid and carried out next (§7.2, §8.2)."""

    seat: Seat
    area: AreaId
    """The id of the palace."""
    rank: int
    """The visitor's rank in the palace, 1 to 3, which decides what the service costs (§7.5)."""
    service: Service | None
    """The service that is used; absent if none is (§7.5)."""
    office: OfficeId | None
    """The id of the office that is bought; absent if none is (§7.4)."""
    note: bool
    """Whether a credit note is spent on the office (§6.6)."""
    favor: Favor | None
    """The favor that is used, at the Spies the one that the Favorite copies; absent if none is (§7.7)."""
    benevolence: Good | None
    """The good that is taken with the benevolence of Al-Rashid; absent if it is not taken (§8.3)."""
    total: int
    """What the payment must be worth at least (§6.1, §6.3)."""
    steps: tuple[VisitStep, ...]
    """What the visit does after the payment, in this order [R35]."""


class GoodsPaid(Event, frozen=True, kw_only=True, tag="goods_paid"):
    """A visitor pays for the declared visit (§6.1)."""

    seat: Seat
    goods: Goods
    """The goods that are paid."""
    value: int
    """What the goods are worth (§6.3)."""
    total: int
    """What the visit costs. Value beyond it is lost (§6.5)."""


class OfficeAcquired(Event, frozen=True, kw_only=True, tag="office_acquired"):
    """A visitor gets an office from the palace (§7.4)."""

    seat: Seat
    office: OfficeId
    """The id of the office."""
    note: bool
    """Whether a credit note was spent on it (§6.6)."""


class PieceGained(Event, frozen=True, kw_only=True, tag="piece_gained"):
    """A player gets a piece: it goes from the box to the reserve (§7.5)."""

    seat: Seat
    piece: Piece
    """The kind of piece."""
    source: str
    """What gives it: the id of an office, or `training`."""


class FavorsChosen(Event, frozen=True, kw_only=True, tag="favors_chosen"):
    """A player chooses the two favors of the Impostor (§10.2)."""

    seat: Seat
    first: Favor
    """The favor that is done first."""
    second: Favor
    """The favor that is done second."""


class GoodGiven(Event, frozen=True, kw_only=True, tag="good_given"):
    """A player gives a good to the General for a mercenary, which is drawn when the visit has been declared in full (§7.7)."""

    seat: Seat
    good: Good
    """The kind of the good that goes to the supply."""
    colour: Colour
    """The colour of the mercenary."""


class ColoursNamed(Event, frozen=True, kw_only=True, tag="colours_named"):
    """A player names the colours of mercenaries, which are drawn when the visit has been declared in full [R14]."""

    seat: Seat
    red: int
    """How many tiles will be drawn from the red stack."""
    blue: int
    """How many tiles will be drawn from the blue stack."""
    source: VisitStep
    """The step of the visit that draws them."""


class SageConverted(Event, frozen=True, kw_only=True, tag="sage_converted"):
    """A player's sage becomes a merchant [R29]."""

    seat: Seat
    area: AreaId | None
    """The id of the area where the sage stood; absent for a sage in the reserve."""


class ConversionDeclined(Event, frozen=True, kw_only=True, tag="conversion_declined"):
    """The Alchemist converts nothing, because the player declines or no sage can be converted (§10.2)."""

    seat: Seat

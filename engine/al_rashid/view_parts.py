"""What a view is made of."""

from __future__ import annotations

import msgspec

from engine.al_rashid.box.components import AreaId, Colour, Favor, Good, Goods, OfficeId, Service, Squad
from engine.al_rashid.box.offices import OfficeKind
from engine.al_rashid.event_parts import RankedStack, VisitStep
from engine.al_rashid.state import Part
from engine.kernel.seats import Seat


class StackView(msgspec.Struct, frozen=True, kw_only=True):
    """A player's pieces in an area (§4.7)."""

    seat: Seat
    slot: int
    """The place of the stack among those in the area, counted from 1, from left to right (§1.7)."""
    pashas: int
    """How many pashas the player has there: 0 or 1 (§4.5)."""
    merchants: int
    """How many merchants the player has there: 0 or 1, and 0 beside a pasha (§4.5)."""
    sages: int
    """How many sages the player has there."""
    dominance: int
    """The dominance value of the pieces: 5 for a pasha, 3 for a merchant, 1 for a sage (§1.6)."""
    rank: int | None
    """The rank that the player would have if the area were resolved now; 1 is the highest. Absent at Al-Rashid without a pasha
    (§1.8) [R20]."""


class OfficeForSale(msgspec.Struct, frozen=True, kw_only=True):
    """An office of a palace, and how many tiles of it can still be bought (§2.4)."""

    office: OfficeId
    """The id of the office."""
    copies: int
    """How many tiles are left: 0, 1 or 2."""
    cost: int
    """The printed cost, which goods must be worth (§6.1)."""
    kind: OfficeKind
    """When the office does something."""


class PalaceView(msgspec.Struct, frozen=True, kw_only=True):
    """One of the six palaces (§1.1)."""

    id: AreaId
    """The id of the palace, as actions name it; it never changes."""
    name: str
    """The name of the palace, for people."""
    resolved: bool
    """Whether the palace was resolved in this turn; false while it is being resolved (§5.6)."""
    stacks: tuple[StackView, ...]
    """The pieces in the palace, by slot from left to right (§1.7)."""
    offices: tuple[OfficeForSale, ...]
    """The offices that belong to this palace, with the tiles that are still for sale (§2.4)."""


class MercenaryView(msgspec.Struct, frozen=True, kw_only=True):
    """A mercenary tile on a territory."""

    id: int
    """The number of the tile on the board; no number is used twice in a match."""
    colour: Colour
    """The colour of the tile, which everybody sees (§13.1)."""
    face_up: bool
    """Whether the tile lies face up, so that everybody sees its value (§9.1)."""
    value: int | None = None
    """The value of the tile: 2, 3 or 4. Absent for an audience that does not know it: the tile is face down, and this seat has
    not looked at it (§13.2)."""

    def __repr__(self) -> str:
        return f"MercenaryView(id={self.id}, colour={self.colour}, value=<hidden>)"


class TerritoryView(msgspec.Struct, frozen=True, kw_only=True):
    """One of the seven territories (§1.1)."""

    id: AreaId
    """The id of the territory, as actions name it; it never changes."""
    name: str
    """The name of the territory, for people."""
    resolved: bool
    """Whether the territory was resolved in this turn; false while it is being resolved (§5.6)."""
    stacks: tuple[StackView, ...]
    """The pieces on the territory, by slot from left to right (§1.7)."""
    goods: Goods
    """The goods that lie there now."""
    notes: int
    """How many credit notes lie there now."""
    printed: Goods
    """The goods that are printed on the territory, to which every upkeep refills it (§11.1)."""
    mercenaries: tuple[MercenaryView, ...]
    """The mercenary tiles that lie there, in the order in which they came."""


class HandView(msgspec.Struct, frozen=True, kw_only=True):
    """The mercenary tiles in a player's hand (§13.1)."""

    red: int
    """How many red tiles the hand has."""
    blue: int
    """How many blue tiles the hand has."""
    tiles: Squad | None = None
    """The tiles with their values. Present only for the owner of the hand and a referee (§13.2)."""

    def __repr__(self) -> str:
        return f"HandView(red={self.red}, blue={self.blue}, tiles=<hidden>)"


class OwnedOffice(msgspec.Struct, frozen=True, kw_only=True):
    """An office that a player owns (§7.4)."""

    office: OfficeId
    """The id of the office."""
    kind: OfficeKind
    """When the office does something."""
    used: bool
    """Whether the office was activated in this turn, so that it is face down until the upkeep (§5.3)."""


class FamilyView(msgspec.Struct, frozen=True, kw_only=True):
    """How many pashas, merchants and sages there are (§1.2)."""

    pashas: int
    """How many pashas there are; a family has at most 3."""
    merchants: int
    """How many merchants there are; a family has at most 4."""
    sages: int
    """How many sages there are; a family has at most 6."""


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One player."""

    seat: Seat
    goods: Goods
    """The goods that the player has; everybody sees them (§13.1)."""
    notes: int
    """How many credit notes the player has."""
    influence: int
    """How many influence markers the player has (§12.4)."""
    dishonor: int
    """How many dishonor markers the player has (§12.4)."""
    hand: HandView
    """The mercenary tiles in the player's hand; only some audiences see their values (§13.1)."""
    offices: tuple[OwnedOffice, ...]
    """The offices that the player owns, in the order in which they were acquired."""
    family: FamilyView
    """All pieces that the player owns, on the board or off it (§1.2)."""
    reserve: FamilyView
    """The player's pieces that are off the board, without those that are held back (§1.2)."""
    held: FamilyView
    """The player's pieces that are held back (§4.1)."""
    left: bool
    """Whether the player has left the match for good; the offices stay with the seat [F8]."""


class StacksView(msgspec.Struct, frozen=True, kw_only=True):
    """The mercenary tiles that are in nobody's hand and on no territory (§13.1)."""

    red: int
    """How many tiles are left in the red stack."""
    blue: int
    """How many tiles are left in the blue stack."""
    tiles: Squad | None = None
    """The tiles of both stacks with their values; they have no order. Present only for a referee."""
    discards: Squad
    """The tiles that were discarded, which everybody sees (§13.1)."""

    def __repr__(self) -> str:
        return f"StacksView(red={self.red}, blue={self.blue}, tiles=<hidden>)"


class VisitView(msgspec.Struct, frozen=True, kw_only=True):
    """A visit that was declared (§7.2, §8.2)."""

    seat: Seat
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
    paid: bool
    """Whether the visit has been paid."""
    steps: tuple[VisitStep, ...]
    """What the visit is still to do, in this order [R35]."""
    draws: tuple[Colour, ...]
    """The colours that were named for mercenaries, one entry for each tile. They are drawn when the visit has been declared in
    full [R14]."""


class SceneView(msgspec.Struct, frozen=True, kw_only=True):
    """The area that is being resolved (§5.3)."""

    area: AreaId
    """The id of the area."""
    part: Part
    """How far the area is resolved."""
    ranking: tuple[RankedStack, ...]
    """The ranks as they were when the area was named, the highest first."""
    to_act: tuple[Seat, ...]
    """The seats that are still to visit, to fight or to trade, in this order."""
    spy_moves: tuple[Seat, ...]
    """During the visits to the Spies the seats that have taken the service; after them the seats whose moves are still to come,
    one entry for each move (§7.6)."""
    benevolence: tuple[Seat, ...]
    """The seats that have taken benevolence so far (§8.3)."""
    winner: Seat | None
    """The seat that has won the battle; absent if nobody has (§9.3)."""
    spoils: int
    """How many goods the winner may still take from the supply (§9.5)."""
    visit: VisitView | None
    """The visit that is being carried out; absent if none is."""

"""Parts of events: reasons, and structures that several events or the state share."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from engine.al_rashid.box.areas import NOTES, STOCKS
from engine.al_rashid.box.components import AreaId, Colour, Goods, OfficeId, goods_of
from engine.kernel.seats import Seat


class VisitStep(StrEnum):
    """What a visit does after the payment; the name also says what a gain comes from [R35]."""

    OFFICE = "office"
    """The visitor gets the office, and what it gives at once."""
    IMPOSTOR = "impostor"
    """The visitor chooses the two favors of the Impostor."""
    AGHA = "agha"
    """The visitor names the colours of the Agha's mercenaries."""
    QUARTERMASTER = "quartermaster"
    """The visitor takes the Quartermaster's two goods."""
    ALCHEMIST = "alchemist"
    """The visitor may turn a sage into a merchant."""
    BENEVOLENCE = "benevolence"
    """The visitor takes the good of the benevolence (§8.3)."""
    RECRUIT_MERCENARIES = "recruit_mercenaries"
    """The visitor names the colours of the recruits (§7.5)."""
    TRAINING = "training"
    """The visitor gets a sage, a merchant or a pasha (§7.5)."""
    GENERAL = "general"
    """The visitor gives the General a good for a mercenary (§7.7)."""
    COURT_SCHOLAR = "court_scholar"
    """The visitor gets a credit note (§7.7)."""
    VIZIER = "vizier"
    """The visitor swaps a good (§7.7)."""
    QADI = "qadi"
    """The visitor gets an influence marker (§7.7)."""


class MoveMeans(StrEnum):
    """What lets a piece move on the board."""

    PLOTTER = "plotter"
    """A Plotter moves a piece from a palace to another palace (§5.1)."""
    INFORMER = "informer"
    """An Informer moves a piece from a territory to another territory (§5.1)."""
    SPY_MOVES = "spy_moves"
    """A spy move takes a piece to a territory that was not resolved in this turn yet (§7.6)."""


class BackReason(StrEnum):
    """Why pieces go back to their owner's reserve (§5.6)."""

    CUT = "cut"
    """Their owner is not among the three who act (§5.7)."""
    NO_PASHA = "no_pasha"
    """They are sages at Al-Rashid without a pasha (§8.1)."""
    VISITED = "visited"
    """Their owner's visit is done (§7.1, §8.2)."""
    FLED = "fled"
    """Their owner has fled (§9.2)."""
    FOUGHT = "fought"
    """Their owner has fought without winning (§9.3)."""
    TRADED = "traded"
    """Their owner has traded (§9.7)."""


class EndReason(StrEnum):
    """What ends a match."""

    TURNS_PLAYED = "TURNS_PLAYED"
    """Five turns were played (§3.1)."""
    LAST_PLAYER_LEFT = "LAST_PLAYER_LEFT"
    """All players but one have left [F8]."""


class PointSource(StrEnum):
    """What gives points at the end, except for offices: their lines have the id of the office (§12)."""

    PASHAS = "pashas"
    MERCHANTS = "merchants"
    SAGES = "sages"
    INFLUENCE = "influence"
    DISHONOR = "dishonor"


class SeatSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat begins with (§2.5, §2.7)."""

    seat: Seat
    goods: Goods
    """The goods of the seat, which depend on its place in the turn order (§2.7)."""
    pashas: int
    """How many pashas are in the reserve: 1 (§2.5)."""
    merchants: int
    """How many merchants are in the reserve: 1 (§2.5)."""
    sages: int
    """How many sages are in the reserve: 1 (§2.5)."""


class OfficeStock(msgspec.Struct, frozen=True, kw_only=True):
    """How many tiles of one office are for sale (§2.4)."""

    office: OfficeId
    """The id of the office."""
    copies: int
    """How many tiles of the office there are: 1 or 2, depending on the number of players."""


class TerritoryStock(msgspec.Struct, frozen=True, kw_only=True):
    """What lies on one territory (§2.2)."""

    territory: AreaId
    """The id of the territory."""
    goods: Goods
    """The goods that lie there: those printed on the territory."""
    notes: int
    """How many credit notes lie there: 0 or 1."""


PRINTED: Final = tuple(
    TerritoryStock(territory=territory, goods=goods_of(bag), notes=NOTES[territory])
    for territory, bag in STOCKS.items()
)
"""§2.2, §11.1 What is printed on the territories."""


class PlacedTile(msgspec.Struct, frozen=True, kw_only=True):
    """A mercenary tile on a territory; its value is absent for an audience that does not know it."""

    id: int
    """The number of the tile on the board; no number is used twice in a match."""
    territory: AreaId
    """The id of the territory where the tile lies."""
    colour: Colour
    """The colour of the tile, which everybody sees (§13.1)."""
    value: int | None = None
    """The value of the tile: 2, 3 or 4. Absent for an audience that does not know it (§13.2)."""

    def __repr__(self) -> str:
        return f"PlacedTile(id={self.id}, colour={self.colour}, value=<hidden>)"


class DrawnTile(msgspec.Struct, frozen=True, kw_only=True):
    """A mercenary tile that was drawn into a hand; its value is absent for everybody else."""

    colour: Colour
    """The colour of the tile, which everybody sees (§13.1)."""
    value: int | None = None
    """The value of the tile: 2, 3 or 4. Present only for the owner of the hand and a referee (§13.2)."""

    def __repr__(self) -> str:
        return f"DrawnTile(colour={self.colour}, value=<hidden>)"


class Manoeuvres(msgspec.Struct, frozen=True, kw_only=True):
    """How many Plotters and Informers a seat may still use (§5.1)."""

    seat: Seat
    plotters: int
    """How many pieces the seat may move between palaces, one for each Plotter."""
    informers: int
    """How many pieces the seat may move between territories, one for each Informer."""


class RankedStack(msgspec.Struct, frozen=True, kw_only=True):
    """A player's rank in an area, and the pieces it comes from (§1.8)."""

    seat: Seat
    rank: int
    """The rank of the player; 1 is the highest."""
    dominance: int
    """The dominance value of the pieces: 5 for a pasha, 3 for a merchant, 1 for a sage (§1.6)."""
    pashas: int
    """How many pashas the player has there: 0 or 1 (§4.5)."""
    merchants: int
    """How many merchants the player has there: 0 or 1, and 0 beside a pasha (§4.5)."""
    sages: int
    """How many sages the player has there."""


class PointLine(msgspec.Struct, frozen=True, kw_only=True):
    """The points from one source (§12)."""

    source: str
    """What gives the points: `pashas`, `merchants`, `sages`, `influence`, `dishonor`, or the id of an office."""
    rule: str
    """The paragraph of the rules that gives them, such as `12.1`."""
    count: int
    """How many things were counted, such as pashas, markers, or what an office counts; 1 for an office that scores the points
    printed on it."""
    points: int
    """The points of this line; they may be negative."""


class SeatScore(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's final result (§12)."""

    seat: Seat
    rank: int
    """The rank of the seat; 1 is best, and equal scores share a rank [R32]."""
    score: int
    """The points of the seat, the sum of all lines; they may be negative."""
    lines: tuple[PointLine, ...]
    """Where the points come from, one line for each source."""

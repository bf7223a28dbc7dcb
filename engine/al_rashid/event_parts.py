"""Parts of events: reasons, and structures that several events or the state share."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from engine.al_rashid.box.components import AreaId, Colour, Goods, OfficeId
from engine.kernel.seats import Seat


class VisitStep(StrEnum):
    """[R35] What a visit does after the payment; the value also names the source of a gain."""

    OFFICE = "office"
    IMPOSTOR = "impostor"
    AGHA = "agha"
    QUARTERMASTER = "quartermaster"
    ALCHEMIST = "alchemist"
    BENEVOLENCE = "benevolence"
    RECRUIT_MERCENARIES = "recruit_mercenaries"
    TRAINING = "training"
    GENERAL = "general"
    COURT_SCHOLAR = "court_scholar"
    VIZIER = "vizier"
    QADI = "qadi"


class MoveMeans(StrEnum):
    """What lets a piece move on the board."""

    PLOTTER = "plotter"
    INFORMER = "informer"
    SPY_MOVES = "spy_moves"


class BackReason(StrEnum):
    """§5.6 Why pieces return to their owner's reserve."""

    CUT = "cut"
    """The owner is not among the first three."""
    NO_PASHA = "no_pasha"
    """§8.1"""
    VISITED = "visited"
    FLED = "fled"
    FOUGHT = "fought"
    """§9.3 Without winning."""
    TRADED = "traded"


class EndReason(StrEnum):
    """How a match ends."""

    TURNS_PLAYED = "TURNS_PLAYED"
    """§3.1 Five turns."""
    LAST_PLAYER_LEFT = "LAST_PLAYER_LEFT"


class PointSource(StrEnum):
    """§12 What gives points, except for offices: their lines have the id of the office."""

    PASHAS = "pashas"
    MERCHANTS = "merchants"
    SAGES = "sages"
    INFLUENCE = "influence"
    DISHONOR = "dishonor"


class SeatSetup(msgspec.Struct, frozen=True, kw_only=True):
    """§2.5, §2.7 How one seat begins."""

    seat: Seat
    goods: Goods
    pashas: int
    merchants: int
    sages: int


class OfficeStock(msgspec.Struct, frozen=True, kw_only=True):
    """§2.4 Tiles of one office."""

    office: OfficeId
    copies: int


class TerritoryStock(msgspec.Struct, frozen=True, kw_only=True):
    """§2.2 What lies on a territory."""

    territory: AreaId
    goods: Goods
    notes: int


class PlacedTile(msgspec.Struct, frozen=True, kw_only=True):
    """A mercenary tile on a territory; the value is absent for an audience that does not know it."""

    id: int
    territory: AreaId
    colour: Colour
    value: int | None = None

    def __repr__(self) -> str:
        return f"PlacedTile(id={self.id}, colour={self.colour}, value=<hidden>)"


class DrawnTile(msgspec.Struct, frozen=True, kw_only=True):
    """A mercenary tile drawn into a hand; the value is absent for everybody else."""

    colour: Colour
    value: int | None = None

    def __repr__(self) -> str:
        return f"DrawnTile(colour={self.colour}, value=<hidden>)"


class Manoeuvres(msgspec.Struct, frozen=True, kw_only=True):
    """§5.1 How many officers a seat may still use."""

    seat: Seat
    plotters: int
    informers: int


class RankedStack(msgspec.Struct, frozen=True, kw_only=True):
    """§1.8 A player's place in an area."""

    seat: Seat
    rank: int
    dominance: int
    pashas: int
    merchants: int
    sages: int


class PointLine(msgspec.Struct, frozen=True, kw_only=True):
    """§12 Points from one source."""

    source: str
    """A `PointSource` or an office."""
    rule: str
    count: int
    """The number of things counted."""
    points: int


class SeatScore(msgspec.Struct, frozen=True, kw_only=True):
    """§12 A seat's final score."""

    seat: Seat
    rank: int
    score: int
    lines: tuple[PointLine, ...]

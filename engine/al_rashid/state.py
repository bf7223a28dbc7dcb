"""The complete state of a match, hidden tiles included. Only `evolve` changes it.

§1.5 Turn order. The order track says in which order the players do everything that they do one after another. It also
decides who is first when several players could do something at the same time.

§1.6 Dominance value. In an area a pasha counts 5 for its owner, a merchant 3 and a sage 1. The sum is the player's
dominance value there.

§1.7 Slots. An area has five slots, side by side. A player takes the next free slot, from left to right, with the
first piece there; further pieces of the player join it.

§1.9 Turn, round, visit. A match has five turns. In each of them the players take own turns in rounds, until no piece
is left on the board. A visit is what one player does in one palace.

§4.6 Keeping a slot. A player keeps the slot while at least one own piece is in the area. When the last one leaves,
the slot is given up, and the other players keep their order. A player who comes later gets the rightmost place [R4].

§4.7 One stack for each player. All pieces of a player in an area form one stack. However many they are, they bring
the player one visit or one trade there.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec
from msgspec import UNSET, UnsetType, field

from engine.al_rashid.box.areas import AREA_INDEX
from engine.al_rashid.box.components import (
    DOMINANCE,
    MERCHANT,
    PASHA,
    SAGE,
    AreaId,
    Bag,
    Colour,
    Favor,
    Good,
    OfficeId,
    Service,
    Tiles,
    plus,
)
from engine.al_rashid.event_parts import EndReason, Manoeuvres, RankedStack, SeatScore, VisitStep
from engine.al_rashid.versions import RULINGS, Rulings
from engine.kernel.rules_versions import version_of
from engine.kernel.seats import Seat


class Stage(StrEnum):
    """Where in a turn the match is (§3.1)."""

    SETUP = "setup"
    """Every player draws a first mercenary (§2.9)."""
    PLACEMENT = "placement"
    """Pieces are held back and placed (§4)."""
    MANOEUVRES = "manoeuvres"
    """Plotters and Informers move pieces (§5.1)."""
    ROUNDS = "rounds"
    """The players take own turns, round after round (§5.2)."""
    ENDED = "ended"
    """The match is over (§12)."""


class Part(StrEnum):
    """How far an area is resolved."""

    VISITS = "visits"
    """The players visit the palace, in order of ranks (§7.1, §8.2)."""
    SPY_MOVES = "spy_moves"
    """The players who took the Spies' service make their moves (§7.6)."""
    BATTLE = "battle"
    """A player flees or fights (§9.2)."""
    TRADE = "trade"
    """The players take what lies on the territory (§9.7)."""


class HeldOffice(msgspec.Struct, frozen=True, kw_only=True):
    """An office tile of a player."""

    office: OfficeId
    used: bool = False
    """Face down until the upkeep."""


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """What one player owns, except for the pieces on the board."""

    goods: Bag
    notes: int
    influence: int
    dishonor: int
    hand: Tiles
    offices: tuple[HeldOffice, ...]
    """In the order they were acquired."""
    reserve: tuple[int, ...]
    """Pashas, merchants, sages."""
    held: tuple[int, ...]
    """§4.1 Pieces held back: pashas, merchants, sages."""

    def __repr__(self) -> str:
        return f"Player(goods={self.goods}, hand=<hidden>)"


class Stack(msgspec.Struct, frozen=True, kw_only=True):
    """§4.7 A player's pieces in an area."""

    seat: Seat
    pieces: tuple[int, ...]
    """Pashas, merchants, sages."""

    @property
    def big(self) -> int:
        """§4.5 Pashas and merchants."""
        return self.pieces[0] + self.pieces[1]

    @property
    def dominance(self) -> int:
        """§1.6"""
        pashas, merchants, sages = self.pieces
        return DOMINANCE[0] * pashas + DOMINANCE[1] * merchants + DOMINANCE[2] * sages


class TerritoryTile(msgspec.Struct, frozen=True, kw_only=True):
    """A mercenary tile on a territory."""

    id: int
    """Never used twice in a match."""
    colour: Colour
    value: int
    face_up: bool = False
    seen_by: tuple[Seat, ...] = ()
    """§13.2 Who has looked at it while it was face down."""

    def __repr__(self) -> str:
        return f"TerritoryTile(id={self.id}, colour={self.colour}, value=<hidden>)"


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """§7.2, §8.2 A declared visit that is being carried out."""

    seat: Seat
    area: AreaId
    rank: int
    service: Service | None
    office: OfficeId | None
    note: bool
    favor: Favor | None
    benevolence: Good | None
    total: int
    paid: bool
    steps: tuple[VisitStep, ...]
    """The steps still to do, in order [R35]."""
    draws: tuple[Colour, ...] = ()
    """[R14] Colours named; the tiles are drawn when the visit is declared in full."""


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """§5.3 The area that is being resolved."""

    area: AreaId
    ranking: tuple[RankedStack, ...]
    """§1.8 As it was when the area was named."""
    part: Part
    queue: tuple[Seat, ...]
    """Who is still to visit, to fight or to trade, in order of ranks."""
    spies: tuple[Seat, ...] = ()
    """§7.6 During the visits: who has taken the service. After them: whose moves are still to come."""
    takers: tuple[Seat, ...] = ()
    """§8.3 Who has taken benevolence."""
    spoils: int = 0
    """§9.5 Goods the winner may still take."""
    winner: Seat | None = None
    traders: tuple[Seat, ...] = ()
    """§9.6 By trade rank."""

    def rank(self, seat: Seat) -> int:
        """§1.8 Return a seat's rank in the area."""
        for each in self.ranking:
            if each.seat == seat:
                return each.rank
        raise LookupError(f"seat {seat} has no rank in {self.area}")


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A match between two events."""

    clock: int
    """Number of events so far, except for seats that left. It is part of the ids of decisions."""
    turn: int
    """1 to 5; 0 during the setup."""
    round: int
    """§5.2 Round of this turn, counted from 1; 0 before the first."""
    stage: Stage
    order: tuple[Seat, ...]
    """§1.5"""
    next_order: tuple[Seat, ...] | None
    """§5.8 The order from the next round on; None if it stays."""
    queue: tuple[Seat, ...]
    """Who is still to draw, to hold back, or to take an own turn, in order."""
    placing_held: bool
    """§4.3 Held pieces are being placed."""
    cursor: int
    """§4.2 Place in the turn order of the player who placed last; -1 before the first piece."""
    manoeuvres: tuple[Manoeuvres, ...]
    """§5.1 Who may still use a Plotter or an Informer."""
    turn_of: Seat | None
    """§5.3 Whose own turn it is."""
    activated: bool
    """§5.3 The turn player has activated an office."""
    area_named: bool
    """§5.3 The turn player has resolved an area."""
    negotiating: AreaId | None
    """§10.2 The territory the Negotiator looks at."""
    scene: Scene | None
    visit: Visit | None
    players: tuple[Player, ...]
    """By seat."""
    areas: tuple[tuple[Stack, ...], ...]
    """By area, then by slot (§4.6)."""
    stocks: tuple[tuple[int, ...], ...]
    """By territory: five kinds of goods, then credit notes."""
    tiles: tuple[tuple[TerritoryTile, ...], ...]
    """By territory, in the order they came."""
    next_tile: int
    market: tuple[int, ...]
    """§2.4 Copies of each office still for sale."""
    stacks: Tiles
    """§2.3 What is left in the two stacks; a tile is drawn from all of its colour, each equally likely."""
    discards: Tiles
    crises: tuple[str, ...]
    """§11.3 Crisis tiles drawn so far; the first one is from the setup."""
    resolved: tuple[AreaId, ...]
    """§5.6 Areas resolved in this turn."""
    left: tuple[Seat, ...]
    """Who has left for good."""
    reason: EndReason | None = None
    scores: tuple[SeatScore, ...] = ()
    """§12 Set at the end."""
    rules: str | UnsetType = field(default=UNSET, name="rules_version")
    """The rules version that the first event names."""

    def __repr__(self) -> str:
        return f"State(turn={self.turn}, round={self.round}, stage={self.stage}, tiles=<hidden>)"

    @property
    def rules_version(self) -> str:
        """The version of the rules that the match is played by."""
        return version_of(self.rules)

    @property
    def rulings(self) -> Rulings:
        """The rulings of that version. Raises `LookupError` if the version is unknown."""
        return RULINGS[self.rules_version]

    @property
    def seats(self) -> int:
        return len(self.players)

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats that have not left, in order of seats."""
        return tuple(Seat(seat) for seat in range(self.seats) if seat not in self.left)

    def at(self, area: AreaId) -> tuple[Stack, ...]:
        """Return the stacks in an area, by slot."""
        return self.areas[AREA_INDEX[area]]

    def stack(self, area: AreaId, seat: Seat) -> Stack | None:
        """Return a player's stack in an area, or None."""
        for stack in self.areas[AREA_INDEX[area]]:
            if stack.seat == seat:
                return stack
        return None

    def offices(self, seat: Seat, office: OfficeId) -> int:
        """Count a player's copies of an office."""
        copies = 0
        for held in self.players[seat].offices:
            if held.office == office:
                copies += 1
        return copies

    def family(self, seat: Seat) -> tuple[int, ...]:
        """§1.2 Count a player's pashas, merchants and sages, wherever they are."""
        player = self.players[seat]
        pashas, merchants, sages = plus(player.reserve, player.held)
        for area in self.areas:
            for stack in area:
                if stack.seat == seat:
                    pieces = stack.pieces
                    pashas += pieces[PASHA]
                    merchants += pieces[MERCHANT]
                    sages += pieces[SAGE]
        return pashas, merchants, sages

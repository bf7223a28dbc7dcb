"""The complete state of a match, hands included. Only `evolve` changes it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, UnsetType, field

from engine.kernel.rules_versions import version_of
from engine.kernel.seats import Seat
from engine.river_of_gold.box.board import RIVER_LENGTH
from engine.river_of_gold.box.components import (
    MARKERS_PER_BUILDING,
    MASTERIES_IN_PLAY,
    MAX_SEATS,
    ROW_SLOTS,
    SHIPS,
    Bag,
    Clan,
    PatronMode,
)
from engine.river_of_gold.box.ids import BuildingId, CustomerId, MasteryId, PatronId, RegionTileId
from engine.river_of_gold.event_parts import Choice, EndReason, JourneyBonus, SeatScore, Stack, Step, VpSource
from engine.river_of_gold.versions import RULINGS, Rulings

_by_seat: Final = msgspec.Meta(max_length=MAX_SEATS)
_Seats = Annotated[tuple[Seat, ...], _by_seat]
_Tiles = Annotated[tuple[BuildingId, ...], msgspec.Meta(max_length=len(BuildingId))]
_Customers = Annotated[tuple[CustomerId, ...], msgspec.Meta(max_length=len(CustomerId))]
_River = Annotated[int, msgspec.Meta(ge=0, lt=RIVER_LENGTH)]
_few: Final = msgspec.Meta(max_length=16)
NO_TALLY: Final = (0,) * len(VpSource)
TALLY_INDEX: Final[dict[str, int]] = {source.value: index for index, source in enumerate(VpSource)}


class Stage(StrEnum):
    """Where a match is."""

    PATRONS = "patrons"
    """The players choose patrons (§9)."""
    FIRST_DICE = "first_dice"
    """The players roll the dice for their first turns (§2.7)."""
    TURNS = "turns"
    """The players take turns (§3)."""
    ENDED = "ended"
    """The match is over."""
    LAST_EXCHANGES = "last_exchanges"
    """The last turn is over, and the players may exchange before the final scoring [F11]."""


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """What one player has, except the markers on buildings."""

    clan: Clan | None = None
    """None until it is known."""
    patron: PatronId | None = None
    koku: int = 0
    goods: Bag = (0, 0, 0)
    favor: int = 0
    limit: int = 0
    """§1.3 The favor limit."""
    tally: Annotated[tuple[int, ...], msgspec.Meta(min_length=len(VpSource), max_length=len(VpSource))] = (
        NO_TALLY
    )
    """VP so far, by source."""
    tracks: Annotated[tuple[int, ...], msgspec.Meta(min_length=6, max_length=6)] = (0,) * 6
    """§4.6 Influence, from region 1 on."""
    ships: Annotated[tuple[_River, ...], msgspec.Meta(max_length=len(SHIPS))] = ()
    """River spaces, counted from 0, of the upstream and the midstream ship; none before the setup and after leaving."""
    royal: int | None = None
    """§10.5 Which of the two is the royal ship."""
    hand: _Customers = ()
    delivered: _Customers = ()
    """In the order of delivery."""
    die: int = 0
    """The face for the next turn, or the current one; 0 before the first roll and after leaving."""

    def __repr__(self) -> str:
        return f"Player(clan={self.clan}, koku={self.koku}, goods={self.goods}, hand=<hidden>)"

    @property
    def vp(self) -> int:
        return sum(self.tally)


class Site(msgspec.Struct, frozen=True):
    """A building on a shore space."""

    building: BuildingId
    markers: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=MARKERS_PER_BUILDING)] = ()
    """§1.6 Owners, the first-placed first."""


class Voyage(msgspec.Struct, frozen=True):
    """§5 The sail of this turn."""

    ship: int
    river: _River
    """The index of the river space where it ended."""
    royal: bool
    bonuses: Annotated[tuple[JourneyBonus, ...], msgspec.Meta(max_length=len(JourneyBonus))] = ()
    """§5.4 Still to be resolved."""


class MasteryCard(msgspec.Struct, frozen=True):
    """§7"""

    mastery: MasteryId
    claims: _Seats = ()
    """Who has claimed it, from the highest slot on."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A match between two events. Tuples are by seat unless they say otherwise.

    The limits are checked when a state is read: a state from a platform that exceeds them is refused before it is used.
    """

    clock: int
    """The number of events so far, without seats that leave; part of the ids of decisions."""
    stage: Stage
    patrons: PatronMode
    order: _Seats
    """Clockwise from the first player, those who have left included."""
    queue: _Seats
    """Who still chooses a patron, still rolls the first die, or may still exchange before the final scoring, in order."""
    offers: Annotated[tuple[PatronId, ...], msgspec.Meta(max_length=len(PatronId))]
    """§9.1 What is left to draft."""
    turn: int
    active: Seat | None
    """Whose turn it is."""
    steps: Annotated[tuple[Step, ...], _few]
    """Still to come in this turn; none while the action is still to be chosen."""
    choices: Annotated[tuple[Choice, ...], _few]
    """§11.3 Open in this step, in the order they are settled."""
    voyage: Voyage | None
    delivering: CustomerId | None
    """§6.3 Whose ability is being resolved."""
    players: Annotated[tuple[Player, ...], _by_seat]
    sites: Annotated[tuple[Site | None, ...], msgspec.Meta(min_length=30, max_length=30)]
    """By shore space; None for an empty space."""
    row: Annotated[tuple[BuildingId | None, ...], msgspec.Meta(min_length=ROW_SLOTS, max_length=ROW_SLOTS)]
    """From the start slot to the end slot; None for an empty slot."""
    era_1: Stack
    era_2: Stack
    unseen_1: _Tiles
    """Era 1 tiles nobody has seen: below the top of the stack, or in the box. The next top is drawn from them."""
    unseen_2: _Tiles
    discarded: _Tiles
    """§5.4 Tiles discarded from the row."""
    deck: _Customers
    """Sorted; a card is drawn at random from all of them, each equally likely."""
    discards: _Customers
    """§6.4 Face up, in the order they came."""
    region_tiles: Annotated[tuple[RegionTileId, ...], msgspec.Meta(min_length=6, max_length=6)]
    """From region 1 on."""
    masteries: Annotated[tuple[MasteryCard, ...], msgspec.Meta(max_length=MASTERIES_IN_PLAY)]
    emperor_due: bool
    """§8.2 Whether the Emperor visits at the end of this turn."""
    end_due: bool
    """§8.3 Whether the end is triggered at the end of this turn."""
    last_turns: _Seats | None
    """§8.3 Who still has a last turn to begin; None before the end trigger."""
    left: _Seats
    """Who has left for good, in the order they left."""
    reason: EndReason | None = None
    scores: Annotated[tuple[SeatScore, ...], _by_seat] = ()
    """§8.5 Set at the end."""
    rules: str | UnsetType = field(default=UNSET, name="rules_version")
    """The version of the rules that the first event names, if it names one."""

    def __repr__(self) -> str:
        return f"State(turn={self.turn}, stage={self.stage}, steps={self.steps}, hands=<hidden>)"

    @property
    def rules_version(self) -> str:
        """The version of the rules the match is played by."""
        return version_of(self.rules)

    @property
    def rulings(self) -> Rulings:
        """What this version of the rules decides where versions differ. Raises LookupError for an unknown version."""
        return RULINGS[self.rules_version]

    @property
    def seats(self) -> int:
        """The number of players who began the match."""
        return len(self.players)

    @property
    def present(self) -> tuple[Seat, ...]:
        """Who has not left, in order of seats."""
        return tuple([Seat(seat) for seat in range(len(self.players)) if seat not in self.left])

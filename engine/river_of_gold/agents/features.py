"""A view as numbers: the shores, the river, the row, and the players in order from the viewing seat on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from engine.kernel.features import Row, numbered
from engine.river_of_gold.box.board import RIVERS, SHORES, TRACK_END
from engine.river_of_gold.box.components import (
    CLANS,
    ERA_1_COUNTS,
    FACES,
    FAVOR_LIMIT_MAX,
    GOOD_CAP,
    GOODS,
    KOKU_CAP,
    MARKERS_PER_BUILDING,
    MASTERIES_IN_PLAY,
    REGIONS,
    SHIPS,
    PatronMode,
    ShipId,
    bag_of,
)
from engine.river_of_gold.box.ids import BuildingId, CustomerId, MasteryId, PatronId, RegionTileId, RiverId
from engine.river_of_gold.event_parts import ChoiceKind, ChoiceSource, JourneyBonus, Step
from engine.river_of_gold.options import RiverOfGoldOptions
from engine.river_of_gold.phases import Decision
from engine.river_of_gold.state import Stage
from engine.river_of_gold.view import RiverOfGoldView
from engine.river_of_gold.view_parts import SeatView, VoyageView

_BUILDINGS: Final = numbered(BuildingId)
_CUSTOMERS: Final = numbered(CustomerId)
_SHORES: Final = numbered(SHORES)
_RIVERS: Final = numbered(RIVERS)
_SHIPS: Final = numbered(SHIPS)
_STAGES: Final = numbered(Stage)
_STEPS: Final = numbered(Step)
_DECISIONS: Final = numbered(Decision)
_KINDS: Final = numbered(ChoiceKind)
_SOURCES: Final = numbered(ChoiceSource)
_REGIONS: Final = numbered(REGIONS)
_BONUSES: Final = numbered(JourneyBonus)
_PATRONS: Final = numbered(PatronId)
_PATRON_MODES: Final = numbered(PatronMode)
_CLANS: Final = numbered(CLANS)
_FACES: Final = numbered(FACES)
_REGION_TILES: Final = numbered(RegionTileId)
_MASTERIES: Final = numbered(MasteryId)

# The values that are scaled to 1 where the rules set no limit; random matches stay well below them
_MAX_VP: Final = 150
_MAX_TURNS: Final = 200
_MAX_CARDS: Final = len(CustomerId)
_MAX_TILES: Final = max(ERA_1_COUNTS.values())


class RiverOfGoldFeatures:
    """Writes views as rows of numbers; their length depends on the number of seats."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._around = numbered(range(seats))

    def row(self, view: RiverOfGoldView, seat: int, /) -> list[float]:
        return self._written(Row(), view, seat).values

    def named(self, view: RiverOfGoldView, /) -> list[str]:
        """Return what each place means; any view of such a match will do."""
        names: list[str] = []
        self._written(Row(names), view, 0)
        return names

    def _written(self, row: Row, view: RiverOfGoldView, seat: int) -> Row:
        self._course(row, view, seat)
        self._open_choice(row, view, seat)
        _voyage(row, view.voyage)
        self._shores(row, view, seat)
        self._regions(row, view)
        self._masteries(row, view, seat)
        _supply(row, view)
        ships = _ships(view)
        for other in range(self._seats):
            seat_view = view.seats[(seat + other) % self._seats]
            self._player(row, seat_view, other)
            for ship in SHIPS:
                row.one_of(f"player {other}'s {ship} ship", ships.get((seat_view.seat, ship)), _RIVERS)
        return row

    def _relative(self, seat: int, viewer: int) -> int:
        return (seat - viewer) % self._seats

    def _course(self, row: Row, view: RiverOfGoldView, seat: int) -> None:
        """§3, §8 Where the match is."""
        row.one_of("stage", view.stage, _STAGES)
        row.one_of("patrons", view.patrons, _PATRON_MODES)
        row.number("turn", view.turn, _MAX_TURNS)
        active = None if view.active is None else self._relative(view.active, seat)
        row.one_of("whose turn", active, self._around)
        row.any_of("waited for", [self._relative(each.seat, seat) for each in view.pending], self._around)
        row.any_of("to come", [self._relative(each, seat) for each in view.to_come], self._around)
        row.any_of("last turns", [self._relative(each, seat) for each in view.last_turns], self._around)
        row.any_of("steps to come", view.steps, _STEPS)
        row.any_of("offered patrons", view.offers, _PATRONS)
        row.flag("the Emperor is due", view.emperor_due)
        row.flag("the Emperor has visited", view.emperor_visited)
        row.flag("the end is due", view.end_due)
        row.flag("the end is triggered", view.end_triggered)

    def _open_choice(self, row: Row, view: RiverOfGoldView, seat: int) -> None:
        """§11 What is asked for now."""
        row.any_of("decision", [Decision(each.decision) for each in view.pending], _DECISIONS)
        choice = view.choices[0] if view.choices else None
        row.one_of("choice", None if choice is None else choice.kind, _KINDS)
        row.one_of("choice's source", None if choice is None else choice.source, _SOURCES)
        row.one_of(
            "choice's seat", None if choice is None else self._relative(choice.seat, seat), self._around
        )
        row.one_of("choice's shore", None if choice is None else choice.shore, _SHORES)
        row.one_of("choice's region", None if choice is None else choice.region, _REGIONS)
        row.one_of("choice's customer", None if choice is None else choice.customer, _CUSTOMERS)
        row.number("choices open", len(view.choices), 8)
        row.one_of("delivering", view.delivering, _CUSTOMERS)

    def _shores(self, row: Row, view: RiverOfGoldView, seat: int) -> None:
        """§1.1 What stands where, whose markers lie on it, and what a build would cost this seat."""
        for shore in view.shores:
            row.one_of(f"{shore.id}'s building", shore.building, _BUILDINGS)
            counts = [0] * self._seats
            for owner in shore.markers:
                counts[self._relative(owner, seat)] += 1
            row.numbers(f"{shore.id}'s markers", counts, MARKERS_PER_BUILDING, self._around)
            row.flag(f"{shore.id} can be built on", shore.your_cost is not None)
            row.number(f"{shore.id}'s cost", shore.your_cost or 0, KOKU_CAP)

    def _regions(self, row: Row, view: RiverOfGoldView) -> None:
        """§8.5 The scoring tile of each region; influence is among what each player has."""
        for region in view.regions:
            row.one_of(f"region {region.region}'s tile", region.tile, _REGION_TILES)

    def _masteries(self, row: Row, view: RiverOfGoldView, seat: int) -> None:
        """§7 Which are in play, how many of the slots are taken, and by whom."""
        row.any_of("masteries", [card.mastery for card in view.masteries], _MASTERIES)
        for number in range(MASTERIES_IN_PLAY):
            card = view.masteries[number] if number < len(view.masteries) else None
            row.one_of(f"mastery {number}", None if card is None else card.mastery, _MASTERIES)
            claims = [] if card is None else [slot.seat for slot in card.slots if slot.seat is not None]
            row.numbers(f"mastery {number} is claimed", self._order(claims, seat), 1, self._around)

    def _order(self, claims: Sequence[int], seat: int) -> list[float]:
        """Return by relative seat: 1 for the first claim, less for each later one, 0 for no claim."""
        order = [0.0] * self._seats
        for place, claimant in enumerate(claims):
            order[self._relative(claimant, seat)] = 1 - place / self._seats
        return order

    def _player(self, row: Row, seat_view: SeatView, other: int) -> None:
        """What one player has."""
        name = f"player {other}"
        row.number(f"{name}'s place", seat_view.place, self._seats)
        row.one_of(f"{name}'s clan", seat_view.clan, _CLANS)
        row.one_of(f"{name}'s patron", seat_view.patron, _PATRONS)
        row.number(f"{name}'s koku", seat_view.koku, KOKU_CAP)
        row.numbers(f"{name}'s goods", bag_of(seat_view.goods), GOOD_CAP, GOODS)
        row.number(f"{name}'s favor", seat_view.favor, FAVOR_LIMIT_MAX)
        row.number(f"{name}'s limit of favor", seat_view.favor_limit, FAVOR_LIMIT_MAX)
        row.number(f"{name}'s VP", seat_view.vp, _MAX_VP)
        row.one_of(f"{name}'s die", seat_view.die, _FACES)
        row.numbers(f"{name}'s influence", seat_view.influence, TRACK_END, REGIONS)
        row.number(f"{name}'s hand", seat_view.hand_size, _MAX_CARDS)
        row.any_of(f"{name}'s cards", seat_view.hand, _CUSTOMERS)
        row.any_of(
            f"{name}'s delivered customers", [each.customer for each in seat_view.delivered], _CUSTOMERS
        )
        row.one_of(f"{name}'s royal ship", seat_view.royal_ship, _SHIPS)
        row.flag(f"{name} has a last turn", seat_view.last_turn)
        row.flag(f"{name} has left", seat_view.left)


def _ships(view: RiverOfGoldView) -> dict[tuple[int, ShipId], RiverId]:
    """§1.2 Return the river space of every ship."""
    return {(ship.seat, ship.ship): space.id for space in view.river for ship in space.ships}


def _voyage(row: Row, voyage: VoyageView | None) -> None:
    """§5 The sail of this turn."""
    row.one_of("sailed ship", None if voyage is None else voyage.ship, _SHIPS)
    row.flag("the royal ship sailed", voyage is not None and voyage.royal)
    row.one_of("sailed to", None if voyage is None else voyage.river, _RIVERS)
    row.any_of("bonuses", () if voyage is None else voyage.bonuses, _BONUSES)


def _supply(row: Row, view: RiverOfGoldView) -> None:
    """§2.3 The row, the stacks, and what has been discarded."""
    for slot in view.row:
        row.one_of(f"row slot {slot.slot}", slot.building, _BUILDINGS)
    for stack in view.stacks:
        row.one_of(f"top of {stack.era}", stack.top, _BUILDINGS)
        row.number(f"left of {stack.era}", stack.left, _MAX_TILES)
    row.any_of("discarded tiles", view.discarded_tiles, _BUILDINGS)
    row.number("deck", view.deck_size, _MAX_CARDS)
    row.any_of("discarded customers", view.discarded_customers, _CUSTOMERS)


@cache
def features(_options: RiverOfGoldOptions, seats: int) -> RiverOfGoldFeatures:
    """Return what turns views of such a match into rows."""
    return RiverOfGoldFeatures(seats)

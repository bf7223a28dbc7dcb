"""A view as numbers: palaces and territories area by area, the players from the viewing seat on."""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.al_rashid.agents.every_action import MAX_TILES
from engine.al_rashid.box.areas import AREAS, CRISES, TERRITORIES
from engine.al_rashid.box.components import (
    COLOURS,
    FAMILY_LIMITS,
    GOODS,
    INFLUENCE_LIMIT,
    MAX_ACTIONS,
    PIECES,
    SLOTS,
    TILE_COUNTS,
    TILE_VALUES,
    TURNS,
    Favor,
    Service,
    bag_of,
    tiles_of,
)
from engine.al_rashid.box.offices import OFFICES
from engine.al_rashid.event_parts import VisitStep
from engine.al_rashid.options import AlRashidOptions
from engine.al_rashid.phases import Decision
from engine.al_rashid.state import Part, Stage
from engine.al_rashid.view import AlRashidView
from engine.al_rashid.view_parts import (
    FamilyView,
    PalaceView,
    SceneView,
    SeatView,
    StackView,
    TerritoryView,
    VisitView,
)
from engine.kernel.features import Row, numbered

_AREAS: Final = numbered(AREAS)
_TERRITORIES: Final = numbered(TERRITORIES)
_OFFICES: Final = numbered(office.id for office in OFFICES)
_GOODS: Final = numbered(GOODS)
_FAVORS: Final = numbered(Favor)
_SERVICES: Final = numbered(Service)
_COLOURS: Final = numbered(COLOURS)
_STAGES: Final = numbered(Stage)
_PARTS: Final = numbered(Part)
_DECISIONS: Final = numbered(Decision)
_STEPS: Final = numbered(VisitStep)
_CRISES: Final = numbered(CRISES)
_TILE_KINDS: Final = tuple(f"{colour} {value}" for colour in COLOURS for value in TILE_VALUES)
_VALUES: Final = numbered(TILE_VALUES)
_COLOUR_COUNT: Final = sum(TILE_COUNTS) // len(COLOURS)
_MAX_COPIES: Final = 2
"""§2.4 The most copies of an office."""

# The number that is scaled to 1 where the rules set no limit; random matches stay well below it
_MAX_ROUNDS: Final = 20
_MAX_GOODS: Final = 20
_MAX_NOTES: Final = 20
_MAX_DISHONOR: Final = 40
_MAX_TOTAL: Final = 40
_MAX_DRAWN: Final = 8


class AlRashidFeatures:
    """The features of a view; they depend on the number of seats."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._around = numbered(range(seats))

    def row(self, view: AlRashidView, seat: int, /) -> list[float]:
        return self._written(Row(), view, seat).values

    def named(self, view: AlRashidView, /) -> list[str]:
        """Return what each place means; it is the same for any view of such a match."""
        names: list[str] = []
        self._written(Row(names), view, 0)
        return names

    def _written(self, row: Row, view: AlRashidView, seat: int) -> Row:
        self._course(row, view, seat)
        self._scene(row, view.scene, seat)
        self._visit(row, None if view.scene is None else view.scene.visit)
        areas: tuple[PalaceView | TerritoryView, ...] = (*view.palaces, *view.territories)
        for area in areas:
            self._area(row, area, seat)
        for palace in view.palaces:
            for office in palace.offices:
                row.number(f"{office.office} for sale", office.copies, _MAX_COPIES)
        for territory in view.territories:
            _stock(row, territory)
        _mercenaries(row, view)
        for other in range(self._seats):
            self._player(row, view.seats[(seat + other) % self._seats], other)
        return row

    def _relative(self, seat: int, viewer: int) -> int:
        return (seat - viewer) % self._seats

    def _seats_of(self, seats: tuple[int, ...], viewer: int) -> list[int]:
        return [self._relative(each, viewer) for each in seats]

    def _places(self, order: tuple[int, ...], viewer: int) -> list[float]:
        """Return 1 for the first seat in an order, less for those after it, and 0 for those not in it."""
        places = [0.0] * self._seats
        for place, each in enumerate(order):
            places[self._relative(each, viewer)] = 1 - place / self._seats
        return places

    def _course(self, row: Row, view: AlRashidView, seat: int) -> None:
        """§3.1, §5 Where the match is."""
        row.number("turn", view.turn, TURNS)
        row.number("round", view.round, _MAX_ROUNDS)
        row.one_of("stage", view.stage, _STAGES)
        row.numbers("order", self._places(view.order, seat), 1, self._around)
        row.numbers("next order", self._places(view.next_order, seat), 1, self._around)
        row.numbers("to come", self._places(view.to_come, seat), 1, self._around)
        turn_of = None if view.turn_of is None else self._relative(view.turn_of, seat)
        row.one_of("whose turn", turn_of, self._around)
        row.any_of("waited for", [self._relative(each.seat, seat) for each in view.pending], self._around)
        row.any_of("decision", [Decision(each.decision) for each in view.pending], _DECISIONS)
        row.flag("an office has been activated", view.activated)
        row.flag("an area has been named", view.area_named)
        row.one_of("negotiating at", view.negotiating, _TERRITORIES)
        row.any_of("crises", view.crises, _CRISES)

    def _scene(self, row: Row, scene: SceneView | None, seat: int) -> None:
        """§5.3 The area that is being resolved."""
        row.one_of("resolving", None if scene is None else scene.area, _AREAS)
        row.one_of("part", None if scene is None else scene.part, _PARTS)
        ranked = () if scene is None else tuple(place.seat for place in scene.ranking)
        row.numbers("ranking", self._places(ranked, seat), 1, self._around)
        to_act = () if scene is None else scene.to_act
        row.numbers("to act", self._places(to_act, seat), 1, self._around)
        spies = () if scene is None else scene.spy_moves
        row.any_of("spy moves", self._seats_of(spies, seat), self._around)
        row.number("spy moves to come", len(spies), 6)
        takers = () if scene is None else scene.benevolence
        row.any_of("benevolence", self._seats_of(takers, seat), self._around)
        winner = None if scene is None or scene.winner is None else self._relative(scene.winner, seat)
        row.one_of("winner of the battle", winner, self._around)
        row.number("spoils", 0 if scene is None else scene.spoils, _MAX_GOODS)

    def _visit(self, row: Row, visit: VisitView | None) -> None:
        """§7.2, §8.2 The declared visit; its seat is the one with the open decision."""
        row.flag("visit", visit is not None)
        row.number("visit's rank", 0 if visit is None else visit.rank, self._seats)
        row.one_of("visit's service", None if visit is None else visit.service, _SERVICES)
        row.one_of("visit's office", None if visit is None else visit.office, _OFFICES)
        row.flag("visit's note", visit is not None and visit.note)
        row.one_of("visit's favor", None if visit is None else visit.favor, _FAVORS)
        row.one_of("visit's benevolence", None if visit is None else visit.benevolence, _GOODS)
        row.number("visit's total", 0 if visit is None else visit.total, _MAX_TOTAL)
        row.flag("visit is paid", visit is not None and visit.paid)
        row.any_of("visit's steps", () if visit is None else visit.steps, _STEPS)
        row.number("visit's steps to come", 0 if visit is None else len(visit.steps), MAX_ACTIONS + 2)
        draws = [0] * len(COLOURS)
        for colour in () if visit is None else visit.draws:
            draws[_COLOURS[colour]] += 1
        row.numbers("visit's draws", draws, _MAX_DRAWN, COLOURS)

    def _area(self, row: Row, area: PalaceView | TerritoryView, seat: int) -> None:
        """§4 Everybody's pieces, slot and rank in a palace or a territory."""
        row.flag(f"{area.id} is resolved", area.resolved)
        stacks: dict[int, StackView] = {self._relative(stack.seat, seat): stack for stack in area.stacks}
        for other in range(self._seats):
            stack = stacks.get(other)
            name = f"player {other}'s pieces in {area.id}"
            pieces = (0, 0, 0) if stack is None else (stack.pashas, stack.merchants, stack.sages)
            row.numbers(name, pieces, max(FAMILY_LIMITS), PIECES)
            row.number(f"{name}: slot", 0 if stack is None else stack.slot, SLOTS)
            row.number(f"{name}: rank", 0 if stack is None else stack.rank or 0, self._seats)

    def _player(self, row: Row, seat_view: SeatView, other: int) -> None:
        """What one player owns."""
        name = f"player {other}"
        row.numbers(f"{name}'s goods", bag_of(seat_view.goods), _MAX_GOODS, GOODS)
        row.number(f"{name}'s notes", seat_view.notes, _MAX_NOTES)
        row.number(f"{name}'s influence", seat_view.influence, INFLUENCE_LIMIT)
        row.number(f"{name}'s dishonor", seat_view.dishonor, _MAX_DISHONOR)
        row.numbers(f"{name}'s hand", (seat_view.hand.red, seat_view.hand.blue), _COLOUR_COUNT, COLOURS)
        tiles = seat_view.hand.tiles
        known = (0,) * len(_TILE_KINDS) if tiles is None else tiles_of(tiles)
        row.numbers(f"{name}'s tiles", known, max(TILE_COUNTS), _TILE_KINDS)
        owned, ready = [0] * len(OFFICES), [0] * len(OFFICES)
        for held in seat_view.offices:
            owned[_OFFICES[held.office]] += 1
            ready[_OFFICES[held.office]] += not held.used
        row.numbers(f"{name}'s offices", owned, _MAX_COPIES, _OFFICES)
        row.numbers(f"{name}'s unused offices", ready, _MAX_COPIES, _OFFICES)
        for what, family in (
            ("family", seat_view.family),
            ("reserve", seat_view.reserve),
            ("held", seat_view.held),
        ):
            row.numbers(f"{name}'s {what}", _counts(family), max(FAMILY_LIMITS), PIECES)
        row.flag(f"{name} has left", seat_view.left)


def _counts(family: FamilyView) -> tuple[int, int, int]:
    return family.pashas, family.merchants, family.sages


def _stock(row: Row, territory: TerritoryView) -> None:
    """§2.2 What lies on a territory."""
    row.numbers(f"goods in {territory.id}", bag_of(territory.goods), 5, GOODS)
    row.number(f"notes in {territory.id}", territory.notes, 1)


def _mercenaries(row: Row, view: AlRashidView) -> None:
    """§13.1, §13.2 Every tile on a territory by its number, as far as this seat knows it; and the stacks."""
    there = {
        tile.id: (territory.id, tile) for territory in view.territories for tile in territory.mercenaries
    }
    for number in range(MAX_TILES):
        where, tile = there.get(number, (None, None))
        row.one_of(f"tile {number} lies in", where, _TERRITORIES)
        row.one_of(f"tile {number}'s colour", None if tile is None else tile.colour, _COLOURS)
        row.flag(f"tile {number} is face up", tile is not None and tile.face_up)
        row.one_of(f"tile {number}'s value", None if tile is None else tile.value, _VALUES)
    row.numbers("stacks", (view.stacks.red, view.stacks.blue), _COLOUR_COUNT, COLOURS)
    row.numbers("discards", tiles_of(view.stacks.discards), max(TILE_COUNTS), _TILE_KINDS)


@cache
def features(_options: AlRashidOptions, seats: int) -> AlRashidFeatures:
    """Return how views of such a match become rows."""
    return AlRashidFeatures(seats)

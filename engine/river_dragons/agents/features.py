"""A view as numbers: the board by pairs of supports, the players from the viewing seat on, the programs that can be seen."""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.kernel.features import Row, numbered
from engine.river_dragons.agents.action_space import (
    STONE_SLOTS,
    Names,
    ends,
    pairs_of,
    place_named,
    slots_of,
    stones_of,
)
from engine.river_dragons.box.components import (
    CARD_PARTS,
    PLANK_SIZES,
    PROGRAM_SLOTS,
    ROUND_LIMIT,
    STONE_COUNT,
    Card,
    Colour,
    Variant,
)
from engine.river_dragons.box.sites import VIEW_BOX, VILLAGES
from engine.river_dragons.options import RiverDragonsOptions
from engine.river_dragons.phases import Decision
from engine.river_dragons.view import OpenCard, RiverDragonsView, SeatView, Stage

_CARDS: Final = numbered(Card)
_DECISIONS: Final = numbered(Decision)
_STAGES: Final = numbered(Stage)
_SIZES: Final = numbered(PLANK_SIZES)
_SLOTS: Final = range(1, PROGRAM_SLOTS + 1)
_LONGEST: Final = PLANK_SIZES[-1]
_MAX_PARTS: Final = max(CARD_PARTS.values())


class RiverDragonsFeatures:
    """The columns depend on the side of the board and on the number of seats."""

    def __init__(self, variant: Variant, seats: int) -> None:
        self._variant = variant
        self._seats = seats
        self._around = numbered(range(seats))
        self._supports = numbered([*(village.id for village in VILLAGES), *stones_of(variant)])
        self._pairs = pairs_of(variant)
        self._pair_places = numbered(self._pairs)

    def row(self, view: RiverDragonsView, seat: int, /) -> list[float]:
        return self._written(Row(), view, seat).values

    def named(self, view: RiverDragonsView, /) -> list[str]:
        """Return what each position in a row means; any view of such a match may be passed."""
        names: list[str] = []
        self._written(Row(names), view, 0)
        return names

    def _written(self, row: Row, view: RiverDragonsView, seat: int) -> Row:
        places = slots_of(view)
        self._course(row, view, seat)
        self._board(row, view, seat, places)
        for other in range(self._seats):
            seat_view = view.seats[(seat + other) % self._seats]
            self._player(row, seat_view, view, seat, places)
        return row

    def _relative(self, seat: int, viewer: int) -> int:
        return (seat - viewer) % self._seats

    def _course(self, row: Row, view: RiverDragonsView, seat: int) -> None:
        """§4 Add where the match is, and what the open card requires."""
        row.number("round", view.round, view.round_limit or ROUND_LIMIT)
        row.number("slot", view.slot, PROGRAM_SLOTS)
        row.one_of("stage", view.stage, _STAGES)
        row.number("stones in the supply", view.supply, STONE_COUNT)
        row.one_of("first player", self._relative(view.first_player, seat), self._around)
        pending = [self._relative(each.seat, seat) for each in view.pending]
        row.any_of("waited for", pending, self._around)
        row.any_of("cards to come", [self._relative(each, seat) for each in view.to_come], self._around)
        self._open_card(row, view.open_card, seat)

    def _open_card(self, row: Row, card: OpenCard | None, seat: int) -> None:
        row.one_of(
            "open card's seat", None if card is None else self._relative(card.seat, seat), self._around
        )
        row.one_of("open card", None if card is None else card.card, _CARDS)
        row.number("open card's part", 0 if card is None else card.part, _MAX_PARTS)
        row.one_of("decision", None if card is None else card.decision, _DECISIONS)
        plank = None if card is None else card.plank
        row.one_of("chosen plank", None if plank is None else plank.size, _SIZES)

    def _board(self, row: Row, view: RiverDragonsView, seat: int, places: Names) -> None:
        """§7 Add the stones by place, and the planks by the pair they join, with their length and colour."""
        supports = self._supports
        row.any_of("stone", [places.get(stone.id, stone.id) for stone in view.stones], supports)
        if self._variant is Variant.EXPERT:
            across = {n: (stone.x - VIEW_BOX.x) / VIEW_BOX.width for n, stone in enumerate(view.stones)}
            down = {n: (stone.y - VIEW_BOX.y) / VIEW_BOX.height for n, stone in enumerate(view.stones)}
            row.places("stone's x", across, STONE_SLOTS)
            row.places("stone's y", down, STONE_SLOTS)
        owners = {seat_view.colour: self._relative(seat_view.seat, seat) for seat_view in view.seats}
        lengths: dict[int, float] = {}
        colours: list[dict[int, float]] = [{} for _ in range(self._seats)]
        for laid in view.planks:
            at = self._pair_places[place_named(laid.id, places)]
            lengths[at] = laid.plank.size / _LONGEST
            colours[owners[laid.plank.colour]][at] = 1.0
        row.places("plank's length", lengths, self._pairs)
        for other in range(self._seats):
            row.places(f"plank of player {other}", colours[other], self._pairs)
        for colour, other in sorted(owners.items(), key=_second):
            lost = [plank.size for plank in view.lost_planks if plank.colour == colour]
            row.any_of(f"lost planks of player {other}", lost, _SIZES)

    def _player(
        self, row: Row, seat_view: SeatView, view: RiverDragonsView, viewer: int, places: Names
    ) -> None:
        """§10 Add one player, and what is known of the player's program."""
        other = self._relative(seat_view.seat, viewer)
        name = f"player {other}"
        row.any_of(f"{name}'s village", [seat_view.start], self._supports)
        row.any_of(f"{name}'s destination", [seat_view.destination], self._supports)
        pawn = place_named(seat_view.pawn, places)
        at = ends(pawn) if "~" in pawn else (pawn,)
        row.any_of(f"{name}'s pawn on", at, self._supports)
        row.flag(f"{name}'s pawn on a plank", "~" in pawn)
        for owner in range(self._seats):
            colour = view.seats[(viewer + owner) % self._seats].colour
            sizes = [plank.size for plank in seat_view.reserve if plank.colour == colour]
            row.any_of(f"{name}'s planks of player {owner}", sizes, _SIZES)
        row.any_of(f"{name}'s hand", seat_view.hand, _CARDS)
        row.flag(f"{name} has submitted", seat_view.submitted)
        row.flag(f"{name} has left", seat_view.left)
        self._program(row, seat_view, view, name)

    def _program(self, row: Row, seat_view: SeatView, view: RiverDragonsView, name: str) -> None:
        """§6 Add the revealed slots, or all slots if this seat may see the program."""
        cards: dict[int, Card] = {}
        cancelled = set()
        for program in view.programs:
            if program.seat == seat_view.seat:
                cards.update(enumerate(program.cards, start=1))
        for revealed in view.revealed:
            for shown in revealed.cards:
                if shown.seat == seat_view.seat:
                    cards[revealed.slot] = shown.card
                    if shown.cancelled_by:
                        cancelled.add(revealed.slot)
        for slot in _SLOTS:
            row.one_of(f"{name}'s slot {slot}", cards.get(slot), _CARDS)
            row.flag(f"{name}'s slot {slot} is cancelled", slot in cancelled)


def _second(pair: tuple[Colour, int]) -> int:
    return pair[1]


@cache
def features(options: RiverDragonsOptions, seats: int) -> RiverDragonsFeatures:
    """Return the converter from views of such a match to rows."""
    return RiverDragonsFeatures(options.variant, seats)

"""A view as text for the terminal: the board in 79 columns and 31 lines, and what is beside it."""

from __future__ import annotations

from itertools import chain
from textwrap import wrap
from typing import Final

from engine.river_dragons.box.components import Colour, Place, Plank
from engine.river_dragons.view import PlankOnBoard, RevealedSlot, RiverDragonsView, SeatView

COLUMNS: Final = 79
LINES: Final = 31
PAWN: Final = "@"
_LETTER: Final = {
    Colour.BLUE: "b",
    Colour.GREEN: "g",
    Colour.RED: "r",
    Colour.YELLOW: "y",
    Colour.BLACK: "k",
    Colour.PINK: "p",
}
LEGEND: Final = "(07) island  [07] stone  r5 red plank 5  @1 pawn of seat 1  RED village"


def draw(view: RiverDragonsView) -> str:
    """Return the drawing as several lines."""
    return "\n".join((*_board(view), LEGEND, *_beside(view)))


class _Canvas:
    """A grid of characters over the water; places are board units."""

    def __init__(self, view: RiverDragonsView) -> None:
        across = [corner.x for corner in view.water]
        down = [corner.y for corner in view.water]
        self._left, self._width = min(across), max(across) - min(across)
        self._top, self._height = min(down), max(down) - min(down)
        self._cells = [[" "] * COLUMNS for _ in range(LINES)]

    def cell(self, x: int, y: int) -> tuple[int, int]:
        """Return the column and the line nearest to a point."""
        column = ((x - self._left) * (COLUMNS - 1) * 2 + self._width) // (2 * self._width)
        line = ((y - self._top) * (LINES - 1) * 2 + self._height) // (2 * self._height)
        return column, line

    def write(self, x: int, y: int, text: str) -> None:
        """Write a text with its middle on a point, moved inwards where it would stick out."""
        column, line = self.cell(x, y)
        start = min(max(column - len(text) // 2, 0), COLUMNS - len(text))
        self._cells[line][start : start + len(text)] = text

    def stroke(self, ax: int, ay: int, bx: int, by: int) -> None:
        """Draw a straight line."""
        (column_a, line_a), (column_b, line_b) = self.cell(ax, ay), self.cell(bx, by)
        across, down = column_b - column_a, line_b - line_a
        points = max(abs(across), abs(down), 1)
        mark = _slant(across, down)
        for point in range(points + 1):
            column = (2 * (column_a * points + across * point) + points) // (2 * points)
            line = (2 * (line_a * points + down * point) + points) // (2 * points)
            self._cells[line][column] = mark

    def lines(self) -> list[str]:
        return ["".join(line).rstrip() for line in self._cells]


def _slant(across: int, down: int) -> str:
    """Return the character whose slope is nearest to the line's; a line of text is about twice as high as a column is wide."""
    if abs(across) > 4 * abs(down):
        return "-"
    if abs(across) * 2 < abs(down):
        return "|"
    return "\\" if (across > 0) == (down > 0) else "/"


def _board(view: RiverDragonsView) -> list[str]:
    canvas = _Canvas(view)
    standing = {stone.id for stone in view.stones}
    for plank in view.planks:
        canvas.stroke(plank.ax, plank.ay, plank.bx, plank.by)
    for island in view.islands:
        if island.id not in standing:
            canvas.write(island.x, island.y, f"({island.id[1:]})")
    for stone in view.stones:
        canvas.write(stone.x, stone.y, f"[{stone.id.removeprefix('I')}]")
    for village in view.villages:
        pawns = "".join(f"{PAWN}{seat.seat}" for seat in view.seats if seat.pawn == Place(village.id))
        canvas.write(village.x, village.y, village.colour.upper() + pawns)
    for plank in view.planks:
        canvas.write((plank.ax + plank.bx) // 2, (plank.ay + plank.by) // 2, _on(view, plank))
    return canvas.lines()


def _on(view: RiverDragonsView, plank: PlankOnBoard) -> str:
    """Return a plank's mark, and the pawn that stands on it."""
    mark = f"{_LETTER[plank.plank.colour]}{plank.plank.size}"
    return mark + "".join(f"{PAWN}{seat.seat}" for seat in view.seats if seat.pawn == plank.id)


def _beside(view: RiverDragonsView) -> list[str]:
    lines = [_head(view)]
    lines += [_seat(seat) for seat in view.seats]
    laid = ", ".join(f"{_plank(plank.plank)} {plank.id}" for plank in view.planks)
    lines.append(f"planks on the board: {laid or 'none'}")
    if view.lost_planks:
        lines.append("out of the game: " + " ".join(_plank(plank) for plank in view.lost_planks))
    lines += [_slot(slot) for slot in view.revealed]
    lines += [f"program of seat {each.seat}: {' '.join(each.cards)}" for each in view.programs]
    if view.open_card is not None:
        card = view.open_card
        chosen = f" with {_plank(card.plank)}" if card.plank is not None else ""
        lines.append(f"open: seat {card.seat} {card.card}, part {card.part} of {card.parts}{chosen}")
    for waiting in view.pending:
        lines.append(f"waiting for seat {waiting.seat}: {waiting.decision} (§{waiting.rule})")
    if view.outcome is not None:
        winners = " ".join(f"seat {seat}" for seat in view.outcome.winners) or "nobody"
        lines.append(f"over: {view.outcome.reason}, won by {winners}")
    return list(chain.from_iterable(wrap(line, COLUMNS, subsequent_indent="    ") for line in lines))


def _head(view: RiverDragonsView) -> str:
    clockwise = " ".join(str(seat) for seat in view.order)
    return (
        f"round {view.round}{f' of {view.round_limit}' if view.round_limit else ''}, slot {view.slot}, {view.stage}; "
        f"clockwise {clockwise}, first seat {view.first_player}; stones in the supply {view.supply}"
    )


def _seat(seat: SeatView) -> str:
    reserve = " ".join(_plank(plank) for plank in seat.reserve) or "no planks"
    state = ", left" if seat.left else ", program ready" if seat.submitted else ""
    return (
        f"seat {seat.seat} {seat.colour} to {seat.destination}, pawn on {seat.pawn}{state}; reserve {reserve}"
    )


def _slot(slot: RevealedSlot) -> str:
    cards = ", ".join(
        f"seat {each.seat} {each.card}{' cancelled' if each.cancelled_by else ''}" for each in slot.cards
    )
    return f"slot {slot.slot}: {cards}"


def _plank(plank: Plank) -> str:
    return f"{plank.colour}-{plank.size}"

"""Check that a layout can be drawn: every place has one id and a spot of its own, and every seat its own mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Any, Final

from engine.kernel.layout import Board, Place, SeatMark
from services.kit.records.found import Found, check
from services.kit.records.tables import boards_of, places_of
from services.kit.subject import Subject


def look(subject: Subject, found: Found) -> None:
    """Look at every board and mat, then at what each match has on its table."""
    layout = subject.game.layout
    drawn = (*layout.boards, *layout.mats)
    for board in drawn:
        found.looked("boards")
        found.looked("places", len(board.places))
        _check_places(board, found)
        _check_links(board, found)
    for board_id in _twice(board.id for board in drawn):
        found.add(f"two boards or mats have the id {board_id}", "give each an id of its own")
    _check_conditions(subject, found)
    for options in subject.options:
        for seats in subject.game.seat_counts:
            _check_table(subject, options, seats, found)
    _check_marks(subject, found)


def _twice(ids: Iterable[Any]) -> list[Any]:
    return sorted(one for one, times in Counter(ids).items() if times > 1)


def _check_places(board: Board, found: Found) -> None:
    for place in board.places:
        if not _inside(board, place):
            found.add(
                f"the place {place.id} of {board.id} is not inside its view box",
                "make `view_box` larger, or move the place",
            )
        if (place.shape == "polygon") != bool(place.corners):
            found.add(
                f"the place {place.id} of {board.id} is a {place.shape} with {len(place.corners)} corners",
                "give corners to polygons, and to nothing else",
            )
    for one, other in combinations(board.places, 2):
        if (one.x, one.y, one.width, one.height) == (other.x, other.y, other.width, other.height):
            found.add(
                f"the places {one.id} and {other.id} of {board.id} are at the same spot, so one hides the other",
                "move one of them",
            )


def _inside(board: Board, place: Place) -> bool:
    box = board.view_box
    return (
        box.x <= place.x - place.width // 2
        and place.x + place.width // 2 <= box.x + box.width
        and box.y <= place.y - place.height // 2
        and place.y + place.height // 2 <= box.y + box.height
    )


def _check_links(board: Board, found: Found) -> None:
    groups, named = (
        {group.id for group in board.groups},
        {place.group for place in board.places if place.group},
    )
    for group in sorted(named - groups):
        found.add(
            f"places of {board.id} name the group {group}, which it does not have",
            "add the group to the board",
        )
    for group in sorted(groups - named):
        found.add(f"the group {group} of {board.id} has no places", "remove it, or name it in its places")
    places = {place.id for place in board.places}
    for path in board.paths:
        for end in (path.a, path.b):
            if end not in places:
                found.add(
                    f"a path of {board.id} from {path.a} to {path.b} leads nowhere: there is no place {end}",
                    "name places of the same board",
                )


def _check_conditions(subject: Subject, found: Found) -> None:
    """Boards depend on options and numbers of seats that exist."""
    known = set(subject.game.types.options.__struct_fields__)
    for board in subject.game.layout.boards:
        for name in sorted(set(board.options) - known):
            found.add(
                f"the board {board.id} depends on the option {name}, which the game does not have",
                "correct its name",
            )
        for seats in sorted(set(board.seats) - set(subject.game.seat_counts)):
            found.add(f"the board {board.id} is for {seats} seats, and the game is not", "correct the number")


def _check_table(subject: Subject, options: Any, seats: int, found: Found) -> None:
    found.looked("tables")
    if not boards_of(subject.game, options, seats) and not subject.game.layout.mats:
        found.add(
            f"with {options} and {seats} seats there is no board and no mat",
            "let a board agree with these options",
        )
    for place in _twice(places_of(subject.game, options, seats)):
        found.add(f"with {seats} seats two places have the id {place}", "give each place an id of its own")


def _check_marks(subject: Subject, found: Found) -> None:
    layout, most = subject.game.layout, max(subject.game.seat_counts)
    if len(layout.seats) < most:
        found.add(
            f"there are marks for {len(layout.seats)} seats, and up to {most} play", "take more of SEAT_MARKS"
        )
    for one in layout.seats_with:
        if len(one.marks) != one.players:
            found.add(f"with {one.players} players there are {len(one.marks)} marks", "give each player one")
    for marks in (layout.seats, *(one.marks for one in layout.seats_with)):
        found.looked("marks", len(marks))
        _check_different(marks, found)


def _check_different(marks: tuple[SeatMark, ...], found: Found) -> None:
    for what in ("colour", "symbol"):
        for twice in _twice(getattr(mark, what) for mark in marks):
            found.add(f"two seats have the {what} {twice}", "let both colour and symbol differ between seats")


LAYOUT: Final = check("layout", "every place has one id and its own spot, every seat its own mark", look)

"""Where things are: boards and mats with their places, as data for front ends that draw a table without knowing the game.

A layout is static and public. What lies at its places at a version is a list of `Piece`, made from an audience's view. The
name of a place, a group or a component is the text `component.<id>` of the game's catalogue, if the catalogue has one.

All geometry is our own; it shows what is next to what, not how the printed board looks.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

Shape = Literal["circle", "rectangle", "polygon"]
Symbol = Literal["circle", "square", "triangle", "diamond", "star", "cross"]


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """A rectangle, as the `viewBox` of an SVG."""

    x: int
    """Left edge."""
    y: int
    """Upper edge; y grows downwards."""
    width: int
    """Width."""
    height: int
    """Height."""


class Corner(msgspec.Struct, frozen=True, kw_only=True):
    """A corner of a polygon."""

    x: int
    """Where it is, in units of the board."""
    y: int
    """Where it is, in units of the board; y grows downwards."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A place where pieces can be, or that an action can name."""

    id: str
    """The id, as views and actions name it. On a mat, `@` and the seat's number are appended: `hand` is `hand@2` at seat 2."""
    kind: str
    """What kind of place it is, such as `shore`; places of a kind look alike."""
    x: int
    """Where its centre is, in units of the board."""
    y: int
    """Where its centre is, in units of the board; y grows downwards."""
    shape: Shape = "rectangle"
    """Its outline."""
    width: int
    """Width of the outline; the diameter of a circle."""
    height: int
    """Height of the outline; the diameter of a circle."""
    corners: tuple[Corner, ...] = ()
    """The corners of a polygon, clockwise; empty for other shapes."""
    group: str = ""
    """The group it belongs to; empty: none."""
    label: str = ""
    """A short inscription that needs no translation, such as `6`; empty: none."""


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """Places that belong together, such as a region."""

    id: str
    """The id that its places name."""
    kind: str
    """What kind of group it is, such as `region`."""


class Path(msgspec.Struct, frozen=True, kw_only=True):
    """A connection between two places of a board."""

    a: str
    """The id of the place where it begins."""
    b: str
    """The id of the place where it ends."""
    kind: str
    """What kind of connection it is, such as `river`."""
    directed: bool = False
    """Whether it leads only from `a` to `b`."""


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A board, or a player's mat."""

    id: str
    """The id."""
    view_box: Box
    """What is to be shown."""
    places: tuple[Place, ...]
    """Its places; those that come later are drawn above those that come first."""
    groups: tuple[Group, ...] = ()
    """The groups of its places."""
    paths: tuple[Path, ...] = ()
    """What connects its places."""
    options: dict[str, str | int | bool] = {}
    """The values of the match's options with which this board is used; empty: always."""
    seats: tuple[int, ...] = ()
    """The numbers of seats with which this board is used; empty: always."""


class SeatMark(msgspec.Struct, frozen=True, kw_only=True):
    """How the pieces of a seat are marked. Both differ between seats, so that nobody has to tell colours apart."""

    colour: str
    """As `#rrggbb`, from the palette of Okabe and Ito, which colour-blind people can tell apart."""
    symbol: Symbol
    """A shape to be drawn on its pieces."""


class SeatMarks(msgspec.Struct, frozen=True, kw_only=True):
    """The marks of seats with a certain number of players, in a game whose colours depend on it."""

    players: int
    """The number of players."""
    marks: tuple[SeatMark, ...]
    """How the pieces of each seat are marked then, by number of seat."""


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """Where the things of a game are."""

    boards: tuple[Board, ...]
    """The boards; a match uses those whose options and seats agree with its own."""
    mats: tuple[Board, ...]
    """What every seat has before it: each is drawn once for each seat."""
    seats: tuple[SeatMark, ...]
    """How the pieces of each seat are marked, by number of seat."""
    seats_with: tuple[SeatMarks, ...] = ()
    """The numbers of players with which the seats are marked differently."""


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """Something that lies at a place, or several of them that look alike."""

    id: str
    """Unique among the pieces of a table, and the same as long as it is the same piece, so that a move can be animated."""
    component: str
    """What it is: a name of the catalogue, `component.<component>`; empty if the audience may not know, as with a card face down."""
    place: str
    """The id of the place where it lies."""
    seat: int | None = None
    """The seat whose piece it is; absent for nobody's."""
    count: int = 1
    """How many of them lie there."""
    kind: str = ""
    """What kind of piece it is, such as `ship`; pieces of a kind look alike."""
    x: int | None = None
    """Where it lies exactly: its centre, or one end of something long, in units of the board. Absent: anywhere in its place."""
    y: int | None = None
    """Where it lies exactly; given whenever `x` is."""
    x2: int | None = None
    """Where the other end of something long lies; absent for everything else."""
    y2: int | None = None
    """Where the other end of something long lies; given whenever `x2` is."""
    width: int | None = None
    """Its diameter, or how wide something long is, in units of the board. Absent: as fits its place."""


SEAT_MARKS: Final = (
    SeatMark(colour="#0072b2", symbol="circle"),
    SeatMark(colour="#d55e00", symbol="square"),
    SeatMark(colour="#009e73", symbol="triangle"),
    SeatMark(colour="#cc79a7", symbol="diamond"),
    SeatMark(colour="#e69f00", symbol="star"),
    SeatMark(colour="#56b4e9", symbol="cross"),
)
"""Marks for up to six seats."""


def on_mat(place: str, seat: int) -> str:
    """Return the id of a mat's place at a seat.

    >>> on_mat("hand", 2)
    'hand@2'
    """
    return f"{place}@{seat}"

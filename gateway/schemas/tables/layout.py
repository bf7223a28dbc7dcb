"""Where things are: boards, mats, places, and the pieces that lie there."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from gateway.schemas.fields import GameId, SeatNumber

Shape = Literal["circle", "rectangle", "polygon"]
Symbol = Literal["circle", "square", "triangle", "diamond", "star", "cross"]


class Box(Struct, frozen=True, kw_only=True):
    """A rectangle, as the `viewBox` of an SVG."""

    x: Annotated[int, Meta(description="Left edge.")]
    y: Annotated[int, Meta(description="Upper edge; y grows downwards.")]
    width: Annotated[int, Meta(description="Width.")]
    height: Annotated[int, Meta(description="Height.")]


class Corner(Struct, frozen=True, kw_only=True):
    """A corner of a polygon."""

    x: Annotated[int, Meta(description="In units of the board.")]
    y: Annotated[int, Meta(description="In units of the board; y grows downwards.")]


class Place(Struct, frozen=True, kw_only=True):
    """A place where pieces can be, or that an action can name."""

    id: Annotated[
        str,
        Meta(
            description="As views and actions name it. On a mat, `@` and the seat's number are appended: `hand` is `hand@2` at seat 2.",
            examples=["shore_12"],
        ),
    ]
    kind: Annotated[
        str, Meta(description="What kind of place it is; places of a kind look alike.", examples=["shore"])
    ]
    x: Annotated[int, Meta(description="Where its centre is, in units of the board.")]
    y: Annotated[int, Meta(description="Where its centre is, in units of the board; y grows downwards.")]
    shape: Annotated[Shape, Meta(description="Its outline.")]
    width: Annotated[int, Meta(description="Width of the outline; the diameter of a circle.")]
    height: Annotated[int, Meta(description="Height of the outline; the diameter of a circle.")]
    corners: Annotated[
        list[Corner], Meta(description="The corners of a polygon, clockwise; empty for other shapes.")
    ]
    group: Annotated[str, Meta(description="The group it belongs to; empty: none.")]
    label: Annotated[str, Meta(description="A short inscription that needs no translation; empty: none.")]


class Group(Struct, frozen=True, kw_only=True):
    """Places that belong together."""

    id: Annotated[str, Meta(description="As its places name it.")]
    kind: Annotated[str, Meta(description="What kind of group it is.", examples=["region"])]


class Path(Struct, frozen=True, kw_only=True):
    """A connection between two places of a board."""

    a: Annotated[str, Meta(description="The id of the place where it begins.")]
    b: Annotated[str, Meta(description="The id of the place where it ends.")]
    kind: Annotated[str, Meta(description="What kind of connection it is.", examples=["river"])]
    directed: Annotated[bool, Meta(description="Whether it leads only from `a` to `b`.")]


BoardOptions = Annotated[
    Raw,
    Meta(
        description="The values of the match's options with which this board is used; empty: always.",
        extra_json_schema={
            "type": "object",
            "additionalProperties": {"type": ["string", "integer", "boolean"]},
        },
        extra={"absent": b"{}"},
    ),
]


class Board(Struct, frozen=True, kw_only=True):
    """A board, or a player's mat."""

    id: Annotated[str, Meta(description="Its id.")]
    view_box: Annotated[Box, Meta(description="What is to be shown.")]
    places: Annotated[
        list[Place],
        Meta(description="Its places; those that come later are drawn above those that come first."),
    ]
    groups: Annotated[list[Group], Meta(description="The groups of its places.")]
    paths: Annotated[list[Path], Meta(description="What connects its places.")]
    options: BoardOptions
    seats: Annotated[
        list[int], Meta(description="The numbers of seats with which this board is used; empty: always.")
    ]


class SeatMark(Struct, frozen=True, kw_only=True):
    """How the pieces of a seat are marked. Both differ between seats, so that nobody has to tell colours apart."""

    colour: Annotated[
        str,
        Meta(
            description="As `#rrggbb`; colour-blind people can tell the colours apart.",
            examples=["#0072b2"],
            extra_json_schema={"pattern": "^#[0-9a-f]{6}$"},
        ),
    ]
    symbol: Annotated[Symbol, Meta(description="A shape to be drawn on its pieces.")]


class SeatMarks(Struct, frozen=True, kw_only=True):
    """The marks of seats with a certain number of players, in a game whose colours depend on it."""

    players: Annotated[int, Meta(description="The number of players.")]
    marks: Annotated[
        list[SeatMark], Meta(description="How the pieces of each seat are marked then, by number of seat.")
    ]


class Layout(Struct, frozen=True, kw_only=True):
    """Where the things of a game are. The name of a place, a group or a piece is the text `component.<id>`, if there is one."""

    game: GameId
    boards: Annotated[
        list[Board],
        Meta(description="A match uses those whose options and seats agree with its own."),
    ]
    mats: Annotated[
        list[Board], Meta(description="What every seat has before it; each is drawn once for each seat.")
    ]
    seats: Annotated[
        list[SeatMark], Meta(description="How the pieces of each seat are marked, by number of seat.")
    ]
    seats_with: Annotated[
        list[SeatMarks],
        Meta(description="The numbers of players with which the seats are marked differently."),
    ]


class Piece(Struct, frozen=True, kw_only=True):
    """Something that lies at a place of the layout, or several of them that look alike."""

    component: Annotated[
        str,
        Meta(
            description="What it is: its name is the text `component.<component>`; empty if the audience may not know."
        ),
    ]
    place: Annotated[str, Meta(description="The id of the place where it lies.")]
    kind: Annotated[
        str, Meta(description="What kind of piece it is; pieces of a kind look alike.", examples=["ship"])
    ]
    count: Annotated[int, Meta(description="How many of them lie there.")]
    seat: (
        Annotated[SeatNumber, Meta(description="The seat whose piece it is; absent for nobody's.")]
        | UnsetType
    ) = UNSET
    x: (
        Annotated[
            int,
            Meta(
                description="Where it lies exactly: its centre, or one end of something long, in units of the board; absent: anywhere in its place."
            ),
        ]
        | UnsetType
    ) = UNSET
    y: Annotated[int, Meta(description="Where it lies exactly; given whenever `x` is.")] | UnsetType = UNSET
    x2: (
        Annotated[
            int,
            Meta(description="Where the other end of something long lies; absent for everything else."),
        ]
        | UnsetType
    ) = UNSET
    y2: (
        Annotated[
            int, Meta(description="Where the other end of something long lies; given whenever `x2` is.")
        ]
        | UnsetType
    ) = UNSET
    width: (
        Annotated[
            int, Meta(description="Its diameter, or how wide something long is; absent: as fits its place.")
        ]
        | UnsetType
    ) = UNSET


Pieces = Annotated[
    dict[str, Piece],
    Meta(
        description="What lies at the places of the game's layout, as far as the audience may know. By id, which stays the same "
        "as long as it is the same piece, so that a move can be animated."
    ),
]

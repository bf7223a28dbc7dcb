"""Where things are: boards, mats, places, and the pieces that lie there."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from gateway.schemas.fields import GameId, SeatNumber

Shape = Literal["circle", "rectangle", "polygon"]
Symbol = Literal["circle", "square", "triangle", "diamond", "star", "cross"]


class Box(Struct, frozen=True, kw_only=True):
    x: int
    y: int
    width: int
    height: int


class Corner(Struct, frozen=True, kw_only=True):
    x: int
    y: int


class Place(Struct, frozen=True, kw_only=True):
    id: Annotated[str, Meta(examples=["shore_12"])]
    kind: str
    x: int
    y: int
    shape: Shape
    width: int
    height: int
    corners: list[Corner]
    group: str
    label: str


class Group(Struct, frozen=True, kw_only=True):
    """Places that belong together."""

    id: str
    kind: str


class Path(Struct, frozen=True, kw_only=True):
    a: str
    b: str
    kind: str
    directed: bool


BoardOptions = Annotated[
    Raw,
    Meta(
        extra_json_schema={
            "type": "object",
            "additionalProperties": {"type": ["string", "integer", "boolean"]},
        },
        extra={"absent": b"{}"},
    ),
]


class Board(Struct, frozen=True, kw_only=True):
    id: str
    view_box: Box
    places: list[Place]
    groups: list[Group]
    paths: list[Path]
    options: BoardOptions
    seats: list[int]


class SeatMark(Struct, frozen=True, kw_only=True):
    colour: Annotated[str, Meta(examples=["#0072b2"], extra_json_schema={"pattern": "^#[0-9a-f]{6}$"})]
    symbol: Symbol


class SeatMarks(Struct, frozen=True, kw_only=True):
    players: int
    marks: list[SeatMark]


class Layout(Struct, frozen=True, kw_only=True):
    """Where the things of a game are. The name of a place, a group or a piece is the text `component.<id>`, if there is one."""

    game: GameId
    boards: list[Board]
    mats: list[Board]
    seats: list[SeatMark]
    seats_with: list[SeatMarks]


class Piece(Struct, frozen=True, kw_only=True):
    component: str
    place: str
    kind: str
    count: int
    seat: SeatNumber | UnsetType = UNSET
    x: int | UnsetType = UNSET
    y: int | UnsetType = UNSET
    x2: int | UnsetType = UNSET
    y2: int | UnsetType = UNSET
    width: int | UnsetType = UNSET


Pieces = dict[str, Piece]

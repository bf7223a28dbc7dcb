"""Where things are: boards, mats, places, and the pieces that lie there."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from foldtable.rules.v1 import layout_pb2
from gateway.contract.mirror_of import Mirror, mirror_of
from gateway.schemas.fields import GameId, SeatNumber

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


@mirror_of(layout_pb2.Board)
class Board(Mirror):
    options: BoardOptions


@mirror_of(layout_pb2.SeatMark)
class SeatMark(Mirror):
    colour: Annotated[str, Meta(examples=["#0072b2"], extra_json_schema={"pattern": "^#[0-9a-f]{6}$"})]


@mirror_of(layout_pb2.Layout)
class Layout(Mirror):
    """Where the things of a game are. The name of a place, a group or a piece is the text `component.<id>`, if there is one."""

    game: GameId


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

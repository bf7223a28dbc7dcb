"""Layouts and pieces as protobuf messages."""

from __future__ import annotations

from typing import Final

from engine.kernel.codec import encode
from engine.kernel.layout import Board, Layout, Piece, Place, SeatMark, SeatMarks
from foldtable.rules.v1 import layout_pb2
from services.rpc.message_from import message_from

_place: Final = message_from(
    layout_pb2.Place,
    Place,
    shape=lambda place: layout_pb2.Shape.Value(f"SHAPE_{place.shape.upper()}"),
)
_board: Final = message_from(
    layout_pb2.Board,
    Board,
    places=lambda board: map(_place, board.places),
    options=lambda board: encode(board.options),
)
_mark: Final = message_from(
    layout_pb2.SeatMark,
    SeatMark,
    symbol=lambda mark: layout_pb2.Symbol.Value(f"SYMBOL_{mark.symbol.upper()}"),
)
_marks: Final = message_from(
    layout_pb2.SeatMarks, SeatMarks, marks=lambda with_players: map(_mark, with_players.marks)
)
layout_message: Final = message_from(
    layout_pb2.Layout,
    Layout,
    boards=lambda layout: map(_board, layout.boards),
    mats=lambda layout: map(_board, layout.mats),
    seats=lambda layout: map(_mark, layout.seats),
    seats_with=lambda layout: map(_marks, layout.seats_with),
)
piece_message: Final = message_from(layout_pb2.Piece, Piece)

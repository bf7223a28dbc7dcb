"""The table of a match and the layout of a game, as the structs of REST."""

from __future__ import annotations

from typing import Final

from foldtable.matches.v1 import history_pb2, table_pb2
from foldtable.rules.v1 import layout_pb2
from gateway.schemas.tables import layout as layouts
from gateway.schemas.tables import table as tables
from gateway.schemas.undo import UndoState
from gateway.translate import messages
from gateway.translate.hints import action_hint, template_hint
from gateway.translate.struct_of import struct_of
from gateway.translate.texts import texts

layout: Final = struct_of(layouts.Layout, layout_pb2.Layout, given=("game",))
_piece: Final = struct_of(layouts.Piece, layout_pb2.Piece)
_legal: Final = struct_of(
    tables.TableLegalActions,
    table_pb2.LegalActions,
    action_hints=lambda message: [action_hint(one) for one in message.action_hints],
    template_hints=lambda message: [template_hint(one) for one in message.template_hints],
    action_texts=lambda message: texts(message.actions),
    template_texts=lambda message: texts(message.templates),
)


def pieces(message: table_pb2.GetTableResponse | history_pb2.ReplayMatchResponse.Step) -> layouts.Pieces:
    """Return the pieces of a message by their ids."""
    return {one.id: _piece(one) for one in message.pieces}


def _legal_actions(message: table_pb2.GetTableResponse) -> tables.TableLegalActions | None:
    return _legal(message.legal) if message.HasField("legal") else None


def _undo(message: table_pb2.GetTableResponse) -> UndoState | None:
    if not message.HasField("undo"):
        return None
    return messages.undo_state(message.undo, match_id=message.match.match_id)


table: Final = struct_of(
    tables.Table,
    table_pb2.GetTableResponse,
    match_id=lambda message: message.match.match_id,
    match=lambda message: messages.match(message.match),
    pieces=pieces,
    legal=_legal_actions,
    undo=_undo,
)

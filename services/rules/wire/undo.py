"""What a seat may undo, as a protobuf message."""

from __future__ import annotations

from typing import Final

from foldtable.matches.v1 import undo_pb2
from services.rpc.message_from import message_from
from services.rules.match.undo import UndoState
from services.rules.wire.messages import proposal_message

undo_message: Final = message_from(
    undo_pb2.GetUndoResponse,
    UndoState,
    given=("seat",),
    free_to=lambda found: found.version if found.free is None else found.free.to,
    obstacle=lambda found: None if found.free is None else found.free.obstacle.reason.value,
    obstacle_version=lambda found: None if found.free is None else found.free.obstacle.seq,
    proposal=lambda found: None if found.proposal is None else proposal_message(found.proposal),
)

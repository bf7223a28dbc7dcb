"""The events of a match's stream, framed as server-sent events."""

from __future__ import annotations

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.match_service_pb2 import GetViewResponse
from gateway.http.sse import chunk, server_event
from gateway.schemas import events
from gateway.translate.messages import STATUSES, pending_with_texts
from gateway.translate.struct_of import struct_of
from gateway.translate.texts import texts

_snapshot = struct_of(events.SnapshotData, GetViewResponse, pending=pending_with_texts)
_move_applied = struct_of(
    events.MoveAppliedData,
    match_pb2.Move,
    given=("type", "to_act", "status"),
    event_texts=lambda message: texts(message.events),
)


def snapshot(shown: GetViewResponse) -> bytes:
    """Return the event with the current state."""
    return chunk(server_event("snapshot", _snapshot(shown), shown.version))


def move_applied(move: match_pb2.Move) -> bytes:
    """Return the event of a move. Only the newest move has `to_act` and `status`."""
    newest = move.status != match_pb2.MATCH_STATUS_UNSPECIFIED
    data = _move_applied(
        move,
        type="move.applied",
        to_act=list(move.to_act) if newest else None,
        status=STATUSES[move.status] if newest else None,
    )
    return chunk(server_event("move.applied", data, move.version))


def match_ended(version: int) -> bytes:
    """Return the last event of a match."""
    return chunk(server_event("match.ended", events.MatchEndedData(version=version, status="ended"), version))


def reset(version: int) -> bytes:
    """Return the event for a client whose version the match does not have. It has no id, so a browser will not store one."""
    return chunk(server_event("reset", events.ResetData(version=version)))

"""The events of a match's stream, framed as server-sent events."""

from __future__ import annotations

from typing import Final

import msgspec

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.match_service_pb2 import GetViewResponse
from foldtable.matches.v1.table_pb2 import GetTableResponse
from gateway.http.json_patch import difference
from gateway.http.sse import chunk, server_event
from gateway.schemas import events
from gateway.translate.messages import STATUSES, pending_with_texts, seat
from gateway.translate.struct_of import struct_of
from gateway.translate.table import table
from gateway.translate.texts import texts

_encode: Final = msgspec.json.Encoder().encode
_AS_A_WHOLE: Final = frozenset({"/clocks", "/match/clocks"})
"""Which of their numbers have changed is a matter of microseconds; a patch has the same operations however fast it was played."""
_snapshot = struct_of(events.SnapshotData, GetViewResponse, pending=pending_with_texts)
_move_applied = struct_of(
    events.MoveAppliedData,
    match_pb2.Move,
    given=("type", "to_act", "status"),
    event_texts=lambda message: texts(message.events),
)
_seats_updated = struct_of(
    events.SeatsUpdatedData, match_pb2.Match, seats=lambda message: [seat(one) for one in message.seats]
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


def encoded_table(shown: GetTableResponse) -> bytes:
    """Return a table as JSON."""
    return _encode(table(shown))


def table_event(encoded: bytes, version: int) -> bytes:
    """Return the event with a whole table. Before the start it has no id, because there is no version to continue after."""
    return chunk(server_event("table", msgspec.Raw(encoded), version or None))


def table_patched(before: bytes, after: bytes, version: int) -> bytes:
    """Return the event with what has changed between two tables."""
    patch = difference(msgspec.json.decode(before), msgspec.json.decode(after), as_a_whole=_AS_A_WHOLE)
    data = events.TablePatchedData(version=version, patch=patch)
    return chunk(server_event("table.patched", data, version or None))


def seats_updated(match: match_pb2.Match) -> bytes:
    """Return the event for changed seats. It has no id: seats change without a new version."""
    return chunk(server_event("seats.updated", _seats_updated(match)))


def match_ended(version: int) -> bytes:
    """Return the last event of a match."""
    return chunk(server_event("match.ended", events.MatchEndedData(version=version, status="ended"), version))


def reset(version: int) -> bytes:
    """Return the event for a client whose version the match does not have. It has no id, so a browser will not store one."""
    return chunk(server_event("reset", events.ResetData(version=version)))

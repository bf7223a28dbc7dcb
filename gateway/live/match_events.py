"""What a follower of a match is told, as framed events."""

from __future__ import annotations

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.match_service_pb2 import GetViewResponse
from gateway import clock_messages
from gateway.messages import STATUSES, raw, raw_list
from gateway.schemas import events
from gateway.schemas.clocks import Clocks
from gateway.server_events import chunk, server_event


def snapshot(shown: GetViewResponse) -> bytes:
    """Give the table as it stands."""
    data = events.SnapshotData(version=shown.version, view=raw(shown.view), clocks=_clocks(shown))
    return chunk(server_event("snapshot", data, shown.version))


def move_applied(move: match_pb2.Move) -> bytes:
    """Give a move; who is waited for after it is told with the newest only."""
    newest = move.status != match_pb2.MATCH_STATUS_UNSPECIFIED
    data = events.MoveAppliedData(
        version=move.version,
        type="move.applied",
        seat=move.seat if move.HasField("seat") else None,
        events=raw_list(move.events),
        to_act=list(move.to_act) if newest else None,
        status=STATUSES[move.status] if newest else None,
        timed_out=move.timed_out,
        clocks=_clocks(move),
    )
    return chunk(server_event("move.applied", data, move.version))


def match_ended(version: int) -> bytes:
    """Give the last event of a match."""
    return chunk(server_event("match.ended", events.MatchEndedData(version=version, status="ended"), version))


def reset(version: int) -> bytes:
    """Say that the match has no such version as the client claimed; a browser must not remember an id with it."""
    return chunk(server_event("reset", events.ResetData(version=version)))


def _clocks(told: GetViewResponse | match_pb2.Move) -> Clocks | None:
    return clock_messages.clocks(told.clocks) if told.HasField("clocks") else None

"""Protobuf messages about the past of a match, as the structs that REST answers with."""

from __future__ import annotations

from msgspec import UNSET

from foldtable.matches.v1 import history_pb2, match_service_pb2
from gateway.schemas import history
from gateway.translate import messages
from gateway.translate.struct_of import struct_of

verification = struct_of(history.Verification, match_service_pb2.VerifyMatchResponse)
replay_page = struct_of(
    history.ReplayPage,
    history_pb2.ReplayMatchResponse.Begun,
    given=("match_id", "steps", "next_page_token"),
)
"""What begins a replay, with the steps that follow it."""
replay_step = struct_of(
    history.ReplayStep,
    history_pb2.ReplayMatchResponse.Step,
    move=lambda message: messages.move(message.move) if message.HasField("move") else UNSET,
    table=lambda _: UNSET,
    patch=lambda _: UNSET,
)
"""A step with a view, a move, or both; one with a table is made by replayed_tables.py."""
imported_match = struct_of(
    history.ImportedMatch,
    history_pb2.ImportMatchResponse,
    match=lambda message: messages.match(message.match),
)

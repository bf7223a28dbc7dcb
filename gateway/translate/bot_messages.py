"""Protobuf messages about bots, as the structs that REST answers with."""

from __future__ import annotations

from msgspec import Raw

from foldtable.matches.v1 import bots_pb2
from gateway.schemas.bots import Determinizations
from gateway.translate.struct_of import struct_of

determinizations = struct_of(
    Determinizations,
    bots_pb2.DeterminizeResponse,
    given=("match_id",),
    rules_version=lambda message: message.states[0].rules_version,
    states=lambda message: Raw(b"[%b]" % b",".join(one.state for one in message.states)),
)

"""Translation of messages about players' sessions to and from the types of REST."""

from __future__ import annotations

from foldtable.matches.v1 import player_session_pb2 as pb
from gateway.schemas import sessions
from gateway.translate.message_of import message_of
from gateway.translate.struct_of import struct_of

create_session = message_of(
    pb.CreatePlayerSessionRequest, sessions.CreatePlayerSessionRequest, besides=("hours",)
)
player_session = struct_of(sessions.PlayerSession, pb.CreatePlayerSessionResponse)

"""Translation of messages about players, their sessions and login codes, to and from the types of REST."""

from __future__ import annotations

from foldtable.matches.v1 import forgetting_pb2, login_code_pb2, player_revocation_pb2
from foldtable.matches.v1 import player_session_pb2 as pb
from gateway.schemas import sessions
from gateway.translate.message_of import message_of
from gateway.translate.struct_of import struct_of

create_session = message_of(
    pb.CreatePlayerSessionRequest, sessions.CreatePlayerSessionRequest, besides=("hours",)
)
player_session = struct_of(sessions.PlayerSession, pb.CreatePlayerSessionResponse)
create_login_code = message_of(
    login_code_pb2.CreateLoginCodeRequest,
    sessions.CreateLoginCodeRequest,
    besides=("hours", "valid_seconds"),
)
login_code = struct_of(sessions.LoginCode, login_code_pb2.CreateLoginCodeResponse)
redeemed_session = struct_of(sessions.PlayerSession, login_code_pb2.RedeemLoginCodeResponse)
revoked_player = struct_of(sessions.RevokedPlayer, player_revocation_pb2.RevokePlayerResponse)
erased_player = struct_of(sessions.ErasedPlayer, forgetting_pb2.ErasePlayerResponse)

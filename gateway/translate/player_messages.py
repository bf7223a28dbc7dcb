"""Translation of messages about what is kept of players to the types of REST."""

from __future__ import annotations

from foldtable.matches.v1 import forgetting_pb2
from gateway.schemas import players
from gateway.translate.struct_of import struct_of

erased_player = struct_of(players.ErasedPlayer, forgetting_pb2.ErasePlayerResponse)

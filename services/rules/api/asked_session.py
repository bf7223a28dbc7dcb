"""What a tenant asks for in a session of a player, at once or in exchange for a login code: checked."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from google.protobuf.duration_pb2 import Duration

from foldtable.matches.v1.login_code_pb2 import CreateLoginCodeRequest
from foldtable.matches.v1.player_session_pb2 import CreatePlayerSessionRequest
from services.identity.player_sessions import SessionScope, read_session_scopes
from services.process.bounds import MAX_PLAYER, MAX_SESSION_LIFETIME
from services.rpc.free_text import must_be_id
from services.rpc.refusals import malformed

LIFETIME: Final = timedelta(hours=24)


def asked_player(player: str) -> str:
    """Return the player. Raises Refused MALFORMED_REQUEST for nobody, or an id that cannot be taken."""
    if not player:
        raise malformed("$.player", "must name the player")
    must_be_id(player, "$.player", MAX_PLAYER)
    return player


def asked_scopes(names: Collection[str]) -> frozenset[SessionScope]:
    """Return the scopes with these names and those that they include. Raises Refused MALFORMED_REQUEST for an unknown one."""
    try:
        return read_session_scopes(names)
    except ValueError as problem:
        raise malformed("$.scopes", f"cannot be granted: {problem}") from None


def asked_lifetime(request: CreatePlayerSessionRequest | CreateLoginCodeRequest) -> timedelta:
    """Return how long the session lasts. Raises Refused MALFORMED_REQUEST unless that is positive and not too long."""
    if not request.HasField("lifetime"):
        return LIFETIME
    return asked_time(request.lifetime, MAX_SESSION_LIFETIME, "$.lifetime")


def asked_time(time: Duration, longest: timedelta, at: str) -> timedelta:
    """Return a duration. Raises Refused MALFORMED_REQUEST unless it is positive and at most `longest`."""
    seconds = time.seconds + time.nanos / 1_000_000_000
    if not 0 < seconds <= longest.total_seconds():
        raise malformed(at, f"must be positive and at most {longest.total_seconds():.0f} seconds")
    return timedelta(seconds=seconds)

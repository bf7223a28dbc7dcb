"""Player sessions: what a page may do for one player at all matches of a tenant, signed like match tokens.

A session names its tenant, its player, its scopes and a generation. The generation is how often sessions of the player, or of
all players of the tenant, had been revoked when the session was issued; session_ring.py reads the present number.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

import msgspec

from services.process.bounds import MAX_PLAYER

ROLE: Final = "player"
"""The role in the claims of a session; those of match tokens are in match_tokens.py."""


class SessionScope(StrEnum):
    """What a session allows, for its player only."""

    READ = "read"
    """List and follow the player's matches, and read the tenant's public ones. Every session has it."""
    PLAY = "play"
    """Act in the player's seats."""
    JOIN = "join"
    """Take a seat of a public match, or one that an invite is for. It includes `play`."""
    CREATE = "create"
    """Create, repeat and fork matches. It includes `play`."""


EVERY_SCOPE: Final = frozenset(SessionScope)
_PLAYS: Final = frozenset({SessionScope.JOIN, SessionScope.CREATE})
"""Scopes with which a seat is taken: its token, which the response contains, plays."""


class PlayerSession(msgspec.Struct, frozen=True, kw_only=True):
    """What a valid session says."""

    tenant: str
    player: str
    scopes: frozenset[SessionScope]
    generation: int
    expires_at: datetime


class _Claims(msgspec.Struct):
    ten: str
    sub: str
    scp: list[SessionScope]
    gen: int
    exp: int
    iat: int


def read_session_scopes(names: Collection[str]) -> frozenset[SessionScope]:
    """Return the scopes with these names and those that they include; every scope for no names. Raises ValueError for an unknown one."""
    known = {scope.value for scope in SessionScope}
    if not known.issuperset(names):
        raise ValueError(f"a session has scopes of {', '.join(sorted(known))}")
    scopes = frozenset(map(SessionScope, names)) or EVERY_SCOPE
    if scopes & _PLAYS:
        scopes |= {SessionScope.PLAY}
    return scopes | {SessionScope.READ}


def session_claims(session: PlayerSession) -> dict[str, object]:
    """Return the claims that a session adds to those that every token has."""
    return {
        "role": ROLE,
        "ten": session.tenant,
        "sub": session.player,
        "scp": sorted(session.scopes),
        "gen": session.generation,
    }


def session_of(claims: Mapping[str, Any]) -> PlayerSession:
    """Return what the claims of a checked signature say. Raises ValueError if they are not those of a session."""
    read = msgspec.convert(claims, _Claims)
    if not 0 < len(read.sub) <= MAX_PLAYER or not read.ten or not read.scp:
        raise ValueError("names no player, no tenant or no scope")
    return PlayerSession(
        tenant=read.ten,
        player=read.sub,
        scopes=frozenset(read.scp),
        generation=read.gen,
        expires_at=datetime.fromtimestamp(read.exp, UTC),
    )


def player_account(tenant: str, player: str) -> str:
    """Return the account that all sessions of a player share. The gateway derives the same from the same claims."""
    return f"player/{tenant}/{player}"

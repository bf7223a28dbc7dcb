"""Login codes: each is exchanged once for a session of a player.

A link that opens a page contains a code in place of a token: the link stays in the browser's history, and a code that was
redeemed is worth nothing there. A code is 256 random bits, and the table has only its hash, so a copy of the table signs
nobody in.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

import msgspec

from services.identity.player_sessions import SessionScope
from services.identity.session_ring import ALL_PLAYERS, ERASED, KNOWN_AGAIN
from services.postgres.database import Pool, connected
from services.postgres.records import named_rows

PREFIX: Final = "lc_"
SECRET_BYTES: Final = 32
MAX_OPEN: Final = 10_000
"""Codes of one tenant that may wait to be redeemed."""
SWEPT: Final = 100
"""Most expired codes removed with each new one: more than are added, so they never pile up."""

_ERASED: Final = ERASED.format(tenant="$2::text", player="$3::text")
_CREATE: Final = f"""
WITH swept AS (
    DELETE FROM login_codes WHERE hash IN (
        SELECT hash FROM login_codes WHERE expires_at < now()
        ORDER BY expires_at LIMIT $7::int4 FOR UPDATE SKIP LOCKED
    )
)
INSERT INTO login_codes (hash, tenant, player, scopes, lifetime, generation, expires_at)
SELECT $1::bytea, $2::text, $3::text, $4::text[], $5::interval,
    (
        SELECT coalesce(sum(revocations), 0) FROM session_revocations
        WHERE tenant = $2::text AND player = ANY (ARRAY ['', $3::text, {_ERASED}])
    ),
    now() + $6::interval
WHERE (
    SELECT count(*) FROM (
        SELECT 1 FROM login_codes WHERE tenant = $2::text AND expires_at > now() LIMIT $8::int4
    ) AS open
) < $8::int4
RETURNING expires_at
"""  # noqa: S608 - only constants of ours
_ONE_MAKER: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1::text, 2))"
"""Lock that lets a tenant make one code at a time, so that each is counted by the next: a statement counts what others had
committed when it began."""
_ERASED_SINCE: Final = ERASED.format(tenant="code.tenant", player="code.player")
_REDEEM: Final = f"""
DELETE FROM login_codes AS code WHERE hash = $1::bytea
RETURNING tenant, player, scopes, lifetime, generation,
    expires_at > now() AND generation = (
        SELECT coalesce(sum(revocations), 0) FROM session_revocations AS revoked
        WHERE revoked.tenant = code.tenant AND revoked.player = ANY (ARRAY ['', code.player, {_ERASED_SINCE}])
    ) AS is_good
"""  # noqa: S608 - only constants of ours
"""Of simultaneous requests exactly one gets the row, even if they come through different servers."""
_DISCARD: Final = """
DELETE FROM login_codes WHERE tenant = $1::text AND ($2::text = '' OR player = $2::text)
"""


class SignIn(msgspec.Struct, frozen=True, kw_only=True):
    """What a code is exchanged for: the session to come."""

    tenant: str
    player: str
    scopes: frozenset[SessionScope]
    lifetime: timedelta
    """How long the session lasts, from when the code is redeemed."""
    generation: int = 0
    """That of the player's sessions when the code was made. The session gets it, so a revocation in between ends it too."""


class LoginCodes:
    """Stores codes in the database, so that any server can redeem a code that another one has made."""

    def __init__(self, pool: Pool, *, most_open: int = MAX_OPEN) -> None:
        self._pool = pool
        self._most_open = most_open

    async def create(self, sign_in: SignIn, validity: timedelta) -> tuple[str, datetime] | None:
        """Return a new code and when it expires; None if the tenant has too many. Raises DatabaseUnavailable."""
        code = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
        values = (
            _hash(code),
            sign_in.tenant,
            sign_in.player,
            sorted(sign_in.scopes),
            sign_in.lifetime,
            validity,
            SWEPT,
            self._most_open,
        )
        async with connected(self._pool) as connection, connection.transaction():
            await named_rows(connection, _ONE_MAKER, (sign_in.tenant,))
            await named_rows(connection, KNOWN_AGAIN, (sign_in.tenant, sign_in.player))
            rows = await named_rows(connection, _CREATE, values)
        return (code, rows[0]["expires_at"]) if rows else None

    async def redeem(self, code: str) -> SignIn | None:
        """Return what a code is exchanged for, and delete the code. Raises DatabaseUnavailable.

        None: it is unknown, was redeemed, has expired, or was revoked with the player's sessions.
        """
        async with connected(self._pool) as connection:
            rows = await named_rows(connection, _REDEEM, (_hash(code),))
        if not rows or not rows[0].pop("is_good"):
            return None
        return msgspec.convert(rows[0], SignIn)

    async def discard(self, tenant: str, player: str = ALL_PLAYERS) -> int:
        """Delete the codes of a player, or of all players of a tenant, that are not redeemed; return how many there were.

        Revoking the sessions has made them worthless already; this makes room for others. Raises DatabaseUnavailable.
        """
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_DISCARD, (tenant, player))
        return cursor.rowcount

    @property
    def most_open(self) -> int:
        """How many codes of one tenant may wait to be redeemed."""
        return self._most_open


def _hash(code: str) -> bytes:
    return sha256(code.encode()).digest()

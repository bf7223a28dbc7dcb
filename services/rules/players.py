"""What a rules server knows of players beyond a match: their sessions and login codes, and what anybody may read."""

from __future__ import annotations

from dataclasses import dataclass

from services.identity import anonymous_reads, key_ring
from services.identity.anonymous_reads import AnonymousReads
from services.identity.login_codes import LoginCodes
from services.identity.session_ring import SessionRing
from services.postgres.database import Pool


@dataclass(frozen=True)
class Players:
    """The parts that read the database for this."""

    sessions: SessionRing
    codes: LoginCodes
    anonymous: AnonymousReads

    @classmethod
    def on(cls, pool: Pool, *, remember: bool = True) -> Players:
        """Return the parts over a database. `remember`: cache answers for a short time; without it, changes apply at once."""
        return cls(
            SessionRing(pool, remember_seconds=key_ring.REMEMBER_SECONDS if remember else 0),
            LoginCodes(pool),
            AnonymousReads(pool, remember_seconds=anonymous_reads.REMEMBER_SECONDS if remember else 0),
        )

"""Describes a credential to whoever holds it."""

from __future__ import annotations

from typing import Final

from foldtable.platform.v1.account_pb2 import Credential
from services.identity.callers import Callers, credential_of, is_token
from services.identity.match_tokens import MatchToken, Role
from services.identity.player_sessions import PlayerSession
from services.platform.accounts.messages import key_credential, session_credential, token_credential
from services.postgres.database import Pool, connected
from services.process.reasons import Reason
from services.rpc.refusals import Refused

COUNTING: Final = """
SELECT matches.watch_generation, seats.generation, seats.invite_generation, seats.state
FROM matches LEFT JOIN seats ON seats.match_id = matches.id AND seats.seat = $2::smallint
WHERE matches.id = $1::uuid
"""


class Credentials:
    """Checks credentials by the same conditions as the services that accept them."""

    def __init__(self, callers: Callers, pool: Pool) -> None:
        self._callers = callers
        self._pool = pool

    async def describe(self, authorization: str | None) -> Credential:
        """Return what a credential permits, as the database knows it now: nothing cached is asked.

        Raises Refused (UNAUTHENTICATED) if it is missing, invalid, expired or revoked.
        """
        credential = credential_of(authorization)
        if not is_token(credential):
            return key_credential(await self._callers.key(credential, fresh=True))
        token = self._callers.token(credential)
        if isinstance(token, PlayerSession):
            await self._callers.player(token, fresh=True)
            return session_credential(token)
        if not await self.counts(token):
            raise Refused(Reason.TOKEN_INVALID, "this token has been revoked")
        return token_credential(token)

    async def counts(self, token: MatchToken) -> bool:
        """Return whether a token has not been revoked: its generation is the present one, and its seat is in the right state."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(COUNTING, (token.match_id, token.seat))
            row = await cursor.fetchone()
        if row is None:
            return False
        watching, seated, invited, state = row
        match token.role:
            case Role.SEAT:
                return bool(state == "taken" and seated == token.generation)
            case Role.INVITE:
                return bool(state == "invited" and invited == token.generation)
            case Role.SPECTATOR | Role.REFEREE:
                return bool(watching == token.generation)

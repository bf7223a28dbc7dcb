"""Login codes: a tenant creates them, and whoever opens the link exchanges one for a session."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from foldtable.matches.v1 import login_code_pb2 as pb
from services.identity.login_codes import LoginCodes, SignIn
from services.identity.match_tokens import MatchTokens
from services.identity.player_sessions import PlayerSession
from services.process.bounds import MAX_CODE_VALIDITY
from services.process.reasons import Reason
from services.rpc.message_from import timestamp
from services.rpc.refusals import Refused
from services.rules.api.asked_session import asked_lifetime, asked_player, asked_scopes, asked_time
from services.rules.match.access import MatchAccess
from services.rules.match.permissions import tenant_only

VALIDITY: Final = timedelta(minutes=10)
_log: Final = structlog.get_logger("foldtable.rules")


class Logins:
    """Creates and redeems codes. What is logged of them never contains a code or a token."""

    def __init__(self, access: MatchAccess, codes: LoginCodes, tokens: MatchTokens) -> None:
        self._access = access
        self._codes = codes
        self._tokens = tokens

    async def create(
        self, request: pb.CreateLoginCodeRequest, authorization: str | None
    ) -> pb.CreateLoginCodeResponse:
        """Return a code for a session of a player of the caller's tenant. Raises Refused, such as TOO_MANY_LOGIN_CODES."""
        by = tenant_only(await self._access.caller(authorization))
        sign_in = SignIn(
            tenant=by.tenant,
            player=asked_player(request.player),
            scopes=asked_scopes(request.scopes),
            lifetime=asked_lifetime(request),
        )
        validity = VALIDITY
        if request.HasField("validity"):
            validity = asked_time(request.validity, MAX_CODE_VALIDITY, "$.validity")
        made = await self._codes.create(sign_in, validity)
        if made is None:
            raise Refused(
                Reason.TOO_MANY_LOGIN_CODES,
                "this tenant has too many login codes that are not redeemed",
                metadata={"limit": self._codes.most_open},
            )
        code, expires_at = made
        return pb.CreateLoginCodeResponse(code=code, player=sign_in.player, expire_time=timestamp(expires_at))

    async def redeem(
        self, request: pb.RedeemLoginCodeRequest, _authorization: str | None
    ) -> pb.RedeemLoginCodeResponse:
        """Return a session in exchange for a code. Raises Refused LOGIN_CODE_INVALID, whatever is wrong with the code."""
        sign_in = await self._codes.redeem(request.code)
        if sign_in is None:
            raise Refused(
                Reason.LOGIN_CODE_INVALID, "this login code was used, has expired, was revoked, or never was"
            )
        session = PlayerSession(
            tenant=sign_in.tenant,
            player=sign_in.player,
            scopes=sign_in.scopes,
            generation=sign_in.generation,
            expires_at=datetime.now(UTC).replace(microsecond=0) + sign_in.lifetime,
        )
        _log.info("login code redeemed", tenant=session.tenant)
        return pb.RedeemLoginCodeResponse(
            player=session.player,
            token=self._tokens.mint_session(session),
            scopes=sorted(session.scopes),
            expire_time=timestamp(session.expires_at),
        )

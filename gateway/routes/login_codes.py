"""Login codes: a tenant makes a link that signs a player in, and the page that it opens exchanges the code for a session."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from google.protobuf.duration_pb2 import Duration
from starlette.responses import Response

from foldtable.matches.v1.login_code_pb2 import RedeemLoginCodeRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts, RequestTrace, Rules, TenantCaller
from gateway.http.answers import json_answer
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas import sessions
from gateway.translate import lobby_messages, session_messages
from gateway.upstream.rules import call

router = APIRouter(tags=["accounts"], route_class=Operation, dependencies=[counted_for(Bucket.LOBBY)])


@router.post(
    "/v1/login-codes",
    operation_id="createLoginCode",
    summary="Create a login code for a player",
    status_code=201,
    responses={201: answer("The code.", sessions.LoginCode), **problems(403, 409)},
)
async def create_login_code(
    _caller: TenantCaller,
    rules: Rules,
    body: Annotated[
        sessions.CreateLoginCodeRequest,
        Body(
            openapi_examples={
                "ten_minutes": {"value": {"player": "ada"}},
                "a_day": {"value": {"player": "ada", "hours": 12, "valid_seconds": 86_400}},
            }
        ),
    ],
) -> Response:
    """Return a code that a page exchanges once for a session of the player: for a link, as `…/#login=<code>`. Tenants only.

    Only its hash is stored. Revoking the player's sessions revokes it, too.
    """
    asked = session_messages.create_login_code(
        body,
        lifetime=lobby_messages.hours(body.hours),
        validity=None if body.valid_seconds is None else Duration(seconds=body.valid_seconds),
    )
    made = await rules.write_anywhere(lambda matches: matches.CreateLoginCode, asked)
    return json_answer(session_messages.login_code(made), 201)


@router.post(
    "/v1/login-codes/redeem",
    operation_id="redeemLoginCode",
    summary="Exchange a login code for a session",
    status_code=201,
    responses={201: answer("The session.", sessions.PlayerSession), **problems(401, 503, 504)},
)
async def redeem_login_code(
    gateway: GatewayParts,
    trace: RequestTrace,
    body: Annotated[
        sessions.RedeemLoginCodeRequest,
        Body(openapi_examples={"of_a_link": {"value": {"code": f"lc_{'A' * 43}"}}}),
    ],
) -> Response:
    """Return a session in exchange for a code, which is used up. No credential is needed: the code is one.

    A code that was used, has expired, was revoked or never was is refused with `LOGIN_CODE_INVALID`.
    """
    seconds = gateway.settings.move_deadline_seconds
    # Sent once: a server that did not answer in time may have used the code up, and another one would call it invalid.
    server = await gateway.servers.reachable(seconds=seconds)
    issued = await call(
        server.matches.RedeemLoginCode,
        RedeemLoginCodeRequest(code=body.code),
        seconds=seconds,
        metadata=trace.metadata(),
    )
    return json_answer(session_messages.redeemed_session(issued), 201)

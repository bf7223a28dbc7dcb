"""Vacations: announced, listed and cancelled, by the tenant for any player, by a session for its own."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query
from starlette.responses import Response

from foldtable.platform.v1.vacation_pb2 import CancelVacationRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import AccountCaller, Platform
from gateway.http.answers import json_answer
from gateway.http.idempotency import SentKey, idempotency_key
from gateway.http.moments import timestamp
from gateway.http.path_parameters import VacationId
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas import vacations
from gateway.translate import vacation_messages

router = APIRouter(tags=["accounts"], route_class=Operation)


@router.post(
    "/v1/vacations",
    operation_id="announceVacation",
    summary="Announce a vacation",
    status_code=201,
    responses={201: answer("The vacation.", vacations.Vacation), **problems(403, 409, 422)},
    dependencies=[counted_for(Bucket.LOBBY)],
)
async def announce_vacation(
    _caller: AccountCaller,
    platform: Platform,
    key: Annotated[
        SentKey, idempotency_key("A request id, quoted; a repeated request gets the first vacation.")
    ],
    body: Annotated[
        vacations.AnnounceVacationRequest,
        Body(
            openapi_examples={
                "by_a_tenant": {"value": {"player": "ada", "until": "2027-01-31T12:00:00Z"}},
                "by_a_session": {"value": {"since": "2027-01-24T12:00:00Z", "until": "2027-01-31T12:00:00Z"}},
            }
        ),
    ],
) -> Response:
    """Announce that a player is away for a time. The clocks of the player's seats stand meanwhile, in matches whose clock allows it.

    With an API key with the scope `matches:write`, for any player. With a session with the scope `play`, for its own player: what falls
    into a calendar month (UTC) of all vacations that players announce themselves may not exceed the tenant's `vacation_days`.
    Vacations of one player do not overlap. A vacation begins now or within 366 days, and lasts for a minute to 366 days.
    """
    asked = vacation_messages.announce_vacation(
        body,
        since=None if body.since is None else timestamp(body.since, pointer="/since"),
        until=timestamp(body.until, pointer="/until"),
        request_id=key.or_in_body(body.request_id),
    )
    made = await platform.write(platform.accounts.AnnounceVacation, asked)
    return json_answer(vacation_messages.vacation(made.vacation), 201)


@router.get(
    "/v1/vacations",
    operation_id="listVacations",
    summary="List vacations",
    responses={200: answer("A page of vacations.", vacations.VacationList), **problems(403)},
    dependencies=[counted_for(Bucket.READS)],
)
async def list_vacations(
    _caller: AccountCaller, platform: Platform, query: Annotated[vacations.VacationsQuery, Query()]
) -> Response:
    """List vacations that go on or are to come, or all, page by page, in the order in which they end.

    With an API key with the scope `matches:read`: those of all players of the tenant, or of one. With a session: those of its player.
    """
    page = await platform.read(platform.accounts.ListVacations, vacation_messages.list_vacations(query))
    return json_answer(vacation_messages.vacation_list(page))


@router.delete(
    "/v1/vacations/{vacation_id}",
    operation_id="cancelVacation",
    summary="Cancel a vacation",
    responses={
        200: answer("What is left of it.", vacations.CancelledVacation),
        **problems(403, 404, 409),
    },
    dependencies=[counted_for(Bucket.LOBBY)],
)
async def cancel_vacation(_caller: AccountCaller, platform: Platform, vacation_id: VacationId) -> Response:
    """Cancel a vacation: one that has not begun is removed, one that goes on is over now. One that is over is refused.

    With an API key with the scope `matches:write`, or a session with the scope `play` whose player announced it. Days that were not
    taken can be announced again.
    """
    done = await platform.write(
        platform.accounts.CancelVacation, CancelVacationRequest(vacation_id=vacation_id), in_query=True
    )
    return json_answer(vacation_messages.cancelled_vacation(done))

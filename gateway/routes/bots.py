"""Bots: which bot plays a seat, sampled states for search, and the matches that wait for a bot."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query
from starlette.responses import Response

from foldtable.matches.v1 import bots_pb2
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts, Match, RequestTrace, TenantCaller, TenantsMatch
from gateway.http.answers import json_answer
from gateway.http.path_parameters import Seat
from gateway.live.feed_events import feed_match
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas import answers
from gateway.schemas.bots import BotTurns, Determinizations, DeterminizationsQuery, SeatBotRequest
from gateway.translate import bot_messages, messages
from gateway.translate.audiences import audience
from gateway.upstream.rules import call

router = APIRouter(tags=["bots"], route_class=Operation)


@router.get(
    "/v1/bots/turns",
    operation_id="listBotTurns",
    summary="List matches that wait for a bot",
    dependencies=[counted_for(Bucket.READS)],
    responses={200: answer("The matches that wait for a bot.", BotTurns), **problems(403)},
)
async def list_bot_turns(caller: TenantCaller, gateway: GatewayParts) -> Response:
    """List the tenant's matches that wait for a bot, and the bots. `GET /v1/feed?bots=true` reports them live.

    For API keys with the scope `bots:play` or `matches:read`.
    """
    found = await gateway.feeds.read(caller.authorization, "", None, bots=True)
    return json_answer(
        BotTurns(matches=[feed_match(match, "") for match in found.matches], complete=found.complete)
    )


@router.get(
    "/v1/matches/{match_id}/determinizations",
    operation_id="getDeterminizations",
    summary="Sample states for a bot's search",
    dependencies=[counted_for(Bucket.READS)],
    responses={200: answer("The states.", Determinizations), **problems(403, 404, 409)},
)
async def get_determinizations(
    match: Match, gateway: GatewayParts, trace: RequestTrace, query: Annotated[DeterminizationsQuery, Query()]
) -> Response:
    """Return complete states of the game that the audience cannot distinguish from the true one.

    They are for bots that search ahead: everything the audience knows is the same in each state, everything else is dealt
    again at random from the caller's `seed`. The match secret is not used, so many samples reveal no more than one.
    """
    server = await match.server()
    wanted = bots_pb2.DeterminizeRequest(
        match_id=match.match_id,
        audience=audience(match.caller, query.audience, query.seat),
        count=query.count,
        seed=query.seed,
        at_version=query.version,
    )
    with gateway.heavy.taken(match.caller):
        response = await call(
            server.matches.Determinize,
            wanted,
            seconds=gateway.settings.heavy_read_deadline_seconds,
            metadata=match.metadata,
            in_query=True,
        )
    trace.version = response.version
    return json_answer(bot_messages.determinizations(response, match_id=match.match_id))


@router.post(
    "/v1/matches/{match_id}/seats/{seat:seat}/bot",
    operation_id="seatBot",
    summary="Let a bot play a seat",
    dependencies=[counted_for(Bucket.LOBBY)],
    responses={200: answer("The match in its current state.", answers.Match), **problems(403, 404, 409)},
)
async def seat_bot(
    match: TenantsMatch,
    gateway: GatewayParts,
    seat: Seat,
    body: Annotated[
        SeatBotRequest,
        Body(
            openapi_examples={
                "the_system_s": {"value": {"level": "greedy"}},
                "your_own": {"value": {"bot": "my-bot.2"}},
            }
        ),
    ],
) -> Response:
    """Let a bot play a seat. A seat that is free before the start becomes the bot's; in a taken seat the bot stands in.

    The player keeps the seat and its tokens. Repeating the request changes nothing. Tenants only.
    """
    server = await match.server()
    response = await call(
        server.matches.SeatBot,
        bots_pb2.SeatBotRequest(match_id=match.match_id, seat=seat, level=body.level, bot=body.bot),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=match.metadata,
    )
    return json_answer(messages.match(response.match))


@router.delete(
    "/v1/matches/{match_id}/seats/{seat:seat}/bot",
    operation_id="unseatBot",
    summary="Let the player play again",
    dependencies=[counted_for(Bucket.LOBBY)],
    responses={200: answer("The match in its current state.", answers.Match), **problems(403, 404, 409)},
)
async def unseat_bot(match: Match, gateway: GatewayParts, seat: Seat) -> Response:
    """Let the player of a seat play again; no error if no bot played it. With the seat's own token, or an API key."""
    server = await match.server()
    response = await call(
        server.matches.UnseatBot,
        bots_pb2.UnseatBotRequest(match_id=match.match_id, seat=seat),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=match.metadata,
        in_query=True,
    )
    return json_answer(messages.match(response.match))

"""Bots: who plays a seat, what a bot thinks with, and where one is waited for."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1 import bots_pb2
from gateway import messages
from gateway.audiences import audience
from gateway.bodies import read_json
from gateway.clients import call
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.json_answers import json_answer
from gateway.live.feed_events import feed_match
from gateway.problem_documents import ProblemError
from gateway.queries import match_id, read_query, seat_number
from gateway.schemas.answers import Match
from gateway.schemas.bots import BotTurns, Determinizations, DeterminizationsQuery, SeatBotRequest
from gateway.schemas.requests import NoQuery

_SEAT_BOT: Final = msgspec.json.Decoder(SeatBotRequest)


async def seat_bot(request: Request) -> Response:
    """Let a bot play a seat. Before the start a free seat is the bot's from then on; in one that is taken it stands in.

    The player keeps the seat and its tokens. A repeat changes nothing. Tenants only.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    trace.match_id = match = match_id(request)
    seat = seat_number(request)
    body = await read_json(request, _SEAT_BOT)
    server = await gateway.directory.server_of(match, caller, trace)
    response = await call(
        server.matches.SeatBot,
        bots_pb2.SeatBotRequest(match_id=match, seat=seat, level=body.level, bot=body.bot),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    return json_answer(messages.match(response.match))


async def unseat_bot(request: Request) -> Response:
    """Let the player of a seat play again; also if no bot did. With the seat's own token, or an API key."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    trace.match_id = match = match_id(request)
    seat = seat_number(request)
    server = await gateway.directory.server_of(match, caller, trace)
    response = await call(
        server.matches.UnseatBot,
        bots_pb2.UnseatBotRequest(match_id=match, seat=seat),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    return json_answer(messages.match(response.match))


async def get_determinizations(request: Request) -> Response:
    """Deal again what an audience does not know: whole states of the game that it cannot tell from the true one.

    For bots that look ahead: what the audience knows is true in each, everything else is dealt anew with luck of the
    caller's `seed`. The match secret has no part in it, so many of them tell no more than one.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, DeterminizationsQuery)
    server = await gateway.directory.server_of(match, caller, trace)
    response = await call(
        server.matches.Determinize,
        bots_pb2.DeterminizeRequest(
            match_id=match,
            audience=audience(caller, query.audience, query.seat),
            count=query.count,
            seed=query.seed,
            at_version=query.version,
        ),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    trace.version = response.version
    answer = Determinizations(
        match_id=match,
        version=response.version,
        audience=messages.audience(response.audience),
        rules_version=response.states[0].rules_version,
        states=msgspec.Raw(b"[%b]" % b",".join(state.state for state in response.states)),
    )
    return json_answer(answer, headers={"cache-control": "no-store"})


async def list_bot_turns(request: Request) -> Response:
    """List the tenant's matches that wait for a bot, and which; `GET /v1/feed?bots=true` tells it as it happens.

    For API keys with the scope `bots:play` or `matches:read`.
    """
    gateway = gateway_of(request)
    caller = gateway.authenticator.caller(request)
    if caller.claims is not None:
        raise ProblemError("TENANT_ONLY")
    read_query(request, NoQuery)
    found = await gateway.feeds.read(caller.authorization, "", None, bots=True)
    turns = BotTurns(matches=[feed_match(match, "") for match in found.matches], complete=found.complete)
    return json_answer(turns, headers={"cache-control": "no-store"})


_AS_IT_STANDS: Final = {200: Answer(description="The match as it stands now.", shape=Match)}

ROUTES: Final = (
    documented(
        "GET",
        "/v1/bots/turns",
        list_bot_turns,
        operation_id="listBotTurns",
        summary="Where a bot is waited for",
        tag="bots",
        answers={200: Answer(description="The matches that wait for a bot.", shape=BotTurns)},
        problems=(400, 403),
    ),
    documented(
        "GET",
        "/v1/matches/{match_id}/determinizations",
        get_determinizations,
        operation_id="getDeterminizations",
        summary="States to think with",
        tag="bots",
        query=DeterminizationsQuery,
        answers={200: Answer(description="The states.", shape=Determinizations)},
        problems=(400, 403, 404, 409),
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/seats/{seat:seat}/bot",
        seat_bot,
        operation_id="seatBot",
        summary="Let a bot play a seat",
        tag="bots",
        body=SeatBotRequest,
        body_examples={"the_house_s": {"level": "greedy"}, "your_own": {"bot": "my-bot.2"}},
        answers=_AS_IT_STANDS,
        problems=(400, 403, 404, 409, 413, 415),
    ),
    documented(
        "DELETE",
        "/v1/matches/{match_id}/seats/{seat:seat}/bot",
        unseat_bot,
        operation_id="unseatBot",
        summary="Let the player play again",
        tag="bots",
        answers=_AS_IT_STANDS,
        problems=(400, 403, 404, 409),
    ),
)

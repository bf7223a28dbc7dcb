"""Stream tickets: a browser's EventSource cannot send headers, so a page gets a ticket and puts it into the address."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from starlette.responses import Response

from foldtable.matches.v1.match_service_pb2 import GetMatchRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import AccountCaller, Caller, GatewayParts, Match, RequestTrace
from gateway.http.answers import json_answer
from gateway.live.before import read_last_id
from gateway.live.tickets import Envelope
from gateway.openapi.operation import Operation, answer, problems
from gateway.problems.document import malformed
from gateway.schemas.live import (
    FeedTicketRequest,
    SeveralMatchesTicketRequest,
    StreamTicket,
    StreamTicketRequest,
)
from gateway.translate.audiences import audience
from gateway.translate.own_player import own_feed
from gateway.upstream.rules import call

router = APIRouter(tags=["streams"], route_class=Operation, dependencies=[counted_for(Bucket.STREAMS)])


@router.post(
    "/v1/matches/{match_id}/stream-tickets",
    operation_id="createStreamTicket",
    summary="Get a ticket for a match's stream",
    status_code=201,
    responses={201: answer("The ticket.", StreamTicket), **problems(403, 404)},
)
async def create_stream_ticket(
    match: Match,
    gateway: GatewayParts,
    body: Annotated[StreamTicketRequest, Body()] = StreamTicketRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Return a ticket that opens the match's stream once, within a minute, through any gateway.

    `GET …/stream?ticket=…` subscribes on behalf of this caller, for the audience named here. The stream ends when the caller's
    own credential is no longer valid.
    """
    caller = match.caller
    wanted = audience(caller, body.audience, body.seat)
    server = await match.server()
    stream = server.subscriptions.of(match.match_id)
    subscription = await stream.subscribe(  # raises now if the stream would be refused later
        match.match_id, wanted, caller.authorization, seconds=gateway.settings.read_deadline_seconds
    )
    allowed = subscription.wanted
    subscription.end()
    envelope = Envelope.of_match(caller.authorization, match.match_id, allowed)
    ticket, expires_at = await gateway.tickets.issue(envelope, match.metadata)
    return json_answer(StreamTicket(ticket=ticket, expires_at=expires_at), 201)


@router.post(
    "/v1/feed/stream-tickets",
    operation_id="createFeedTicket",
    summary="Get a ticket for a feed",
    status_code=201,
    responses={201: answer("The ticket.", StreamTicket), **problems(403)},
)
async def create_feed_ticket(
    caller: AccountCaller,
    gateway: GatewayParts,
    trace: RequestTrace,
    body: Annotated[FeedTicketRequest, Body()] = FeedTicketRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Return a ticket that opens a feed once, within a minute: `GET /v1/feed?ticket=…`. With an API key or a session."""
    player = (
        body.player if caller.session is None else own_feed(caller.session, body.player, pointer="/player")
    )
    envelope = Envelope(caller.authorization, None, player=player)
    ticket, expires_at = await gateway.tickets.issue(envelope, trace.metadata(caller.authorization))
    return json_answer(StreamTicket(ticket=ticket, expires_at=expires_at), 201)


@router.post(
    "/v1/stream-tickets",
    operation_id="createMatchesTicket",
    summary="Get a ticket for a stream of several matches",
    status_code=201,
    responses={201: answer("The ticket.", StreamTicket), **problems(403, 404)},
)
async def create_several_matches_ticket(
    caller: Caller,
    gateway: GatewayParts,
    trace: RequestTrace,
    body: Annotated[SeveralMatchesTicketRequest, Body()],
) -> Response:
    """Return a ticket that opens a stream of several matches once, within a minute: `GET /v1/stream?ticket=…`.

    A page that was cut off sends the `last_event_id` it has: its stream goes on, without the matches that it may no longer read.
    """
    matches = tuple(match.lower() for match in body.matches)
    if len(set(matches)) < len(matches):
        raise malformed("name each match once", code="REPEATED", pointer="#/matches")
    for match, had in zip(matches, read_last_id(body.last_event_id, len(matches)), strict=True):
        if had.was_there:  # the stream goes on without it
            continue
        server = await gateway.directory.server_of(match, caller, trace)  # raises now what would be later
        asked = GetMatchRequest(match_id=match)
        await call(
            server.matches.GetMatch,
            asked,
            seconds=gateway.settings.read_deadline_seconds,
            metadata=trace.metadata(caller.authorization),
        )
    envelope = Envelope(caller.authorization, None, matches=matches, last_event_id=body.last_event_id)
    ticket, expires_at = await gateway.tickets.issue(envelope, trace.metadata(caller.authorization))
    return json_answer(StreamTicket(ticket=ticket, expires_at=expires_at), 201)

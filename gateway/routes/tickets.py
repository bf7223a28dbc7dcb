"""Stream tickets: a browser's EventSource cannot send headers, so a page gets a ticket and puts it into the address."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from starlette.responses import Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts, Match, RequestTrace, TenantCaller
from gateway.http.answers import json_answer
from gateway.live.tickets import Envelope
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas.live import FeedTicketRequest, StreamTicket, StreamTicketRequest
from gateway.translate.audiences import audience

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
    follow = await server.follows.of(
        match.match_id
    ).follow(  # raises now if the stream would be refused later
        match.match_id, wanted, caller.authorization, seconds=gateway.settings.read_deadline_seconds
    )
    allowed = follow.wanted
    follow.end()
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
    caller: TenantCaller,
    gateway: GatewayParts,
    trace: RequestTrace,
    body: Annotated[FeedTicketRequest, Body()] = FeedTicketRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Return a ticket that opens a feed once, within a minute: `GET /v1/feed?ticket=…`."""
    envelope = Envelope(caller.authorization, None, player=body.player)
    ticket, expires_at = await gateway.tickets.issue(envelope, trace.metadata(caller.authorization))
    return json_answer(StreamTicket(ticket=ticket, expires_at=expires_at), 201)

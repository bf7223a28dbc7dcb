"""Stream tickets: a browser's EventSource sends no header, so its page fetches one of these and names it once."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from gateway.audiences import audience
from gateway.bodies import read_json
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.json_answers import json_answer
from gateway.live.tickets import Envelope
from gateway.problem_documents import ProblemError
from gateway.queries import match_id, read_query
from gateway.rate_limits import Bucket
from gateway.schemas.live import FeedTicketRequest, StreamTicket, StreamTicketRequest
from gateway.schemas.requests import NoQuery

_MATCH: Final = msgspec.json.Decoder(StreamTicketRequest)
_FEED: Final = msgspec.json.Decoder(FeedTicketRequest)


async def create_stream_ticket(request: Request) -> Response:
    """Give a ticket that opens the match's stream once, within a minute, through any gateway.

    `GET …/stream?ticket=…` follows as the caller of this, for the eyes that are named here. The stream ends when the
    caller's own credential is no longer good.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    trace.match_id = match = match_id(request)
    body = await read_json(request, _MATCH, optional=True)
    wanted = audience(caller, body.audience, body.seat)
    server = await gateway.directory.server_of(match, caller, trace)
    follow = await server.follows.of(match).follow(  # refuses now what the stream would be refused
        match, wanted, caller.authorization, seconds=gateway.settings.read_deadline_seconds
    )
    allowed = follow.wanted
    follow.end()
    envelope = Envelope.of_match(caller.authorization, match, allowed)
    ticket, expires_at = await gateway.tickets.issue(envelope, trace.metadata(caller.authorization))
    return _answer(ticket, expires_at)


async def create_feed_ticket(request: Request) -> Response:
    """Give a ticket that opens a feed once, within a minute: `GET /v1/feed?ticket=…`."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    if caller.claims is not None:
        raise ProblemError("TENANT_ONLY")
    read_query(request, NoQuery)
    body = await read_json(request, _FEED, optional=True)
    envelope = Envelope(caller.authorization, None, player=body.player)
    ticket, expires_at = await gateway.tickets.issue(envelope, trace.metadata(caller.authorization))
    return _answer(ticket, expires_at)


def _answer(ticket: str, expires_at: str) -> Response:
    answer = StreamTicket(ticket=ticket, expires_at=expires_at)
    return json_answer(answer, status=201, headers={"cache-control": "no-store"})


ROUTES: Final = (
    documented(
        "POST",
        "/v1/matches/{match_id}/stream-tickets",
        create_stream_ticket,
        operation_id="createStreamTicket",
        summary="Get a ticket for a match's stream",
        tag="streams",
        body=StreamTicketRequest,
        body_required=False,
        answers={201: Answer(description="The ticket.", shape=StreamTicket)},
        problems=(400, 403, 404, 413, 415),
        bucket=Bucket.STREAMS,
    ),
    documented(
        "POST",
        "/v1/feed/stream-tickets",
        create_feed_ticket,
        operation_id="createFeedTicket",
        summary="Get a ticket for a feed",
        tag="streams",
        body=FeedTicketRequest,
        body_required=False,
        answers={201: Answer(description="The ticket.", shape=StreamTicket)},
        problems=(400, 403, 413, 415),
        bucket=Bucket.STREAMS,
    ),
)

"""A new match that begins at a table of another one."""

from __future__ import annotations

from typing import Final

import msgspec
from google.protobuf.duration_pb2 import Duration
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.fork_pb2 import ForkMatchRequest
from gateway import lobby_messages, messages
from gateway.audiences import audience
from gateway.bodies import read_json
from gateway.clients import call
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.idempotency import HEADER, request_id
from gateway.json_answers import json_answer
from gateway.queries import match_id, read_query
from gateway.schemas.lobby import CreatedMatch
from gateway.schemas.requests import ForkRequest, NoQuery

_FORK: Final = msgspec.json.Decoder(ForkRequest)


async def fork_match(request: Request) -> Response:
    """Make a new match that begins at a table of this one, at any version at which somebody has something to decide.

    What the audience it is made for could not know then is dealt again, as it might have been. Whoever may look as an
    audience may fork as it: with the token of a seat or a watcher all seats of the fork are the caller's.
    A fork is forked again with an API key only.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    trace.match_id = match = match_id(request)
    body = await read_json(request, _FORK, optional=True)
    server = await gateway.directory.server_of(match, caller, trace)
    response = await call(
        server.matches.ForkMatch,
        ForkMatchRequest(
            match_id=match,
            version=body.version,
            audience=audience(caller, body.audience, body.seat),
            seating=lobby_messages.seat_plans(body.seating),
            visibility=lobby_messages.VISIBILITIES[body.visibility],
            start=lobby_messages.START_RULES[body.start],
            title=body.title,
            undo=lobby_messages.UNDO_RULES[body.undo],
            undo_timeout=Duration(seconds=body.undo_timeout_seconds),
            request_id=request_id(request, body.request_id),
        ),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    gateway.directory.remember(response.match)
    answer = CreatedMatch(
        match=messages.match(response.match),
        seat_tokens=[messages.seat_token(token) for token in response.tokens],
        invites=[lobby_messages.invite(invite) for invite in response.invites],
    )
    location = f"/v1/matches/{response.match.match_id}"
    return json_answer(answer, 201, {"location": location, "cache-control": "no-store"})


ROUTES: Final = (
    documented(
        "POST",
        "/v1/matches/{match_id}/fork",
        fork_match,
        operation_id="forkMatch",
        summary="Begin a new match at a table of this one",
        tag="matches",
        body=ForkRequest,
        body_required=False,
        headers={HEADER: "A request id, quoted; a repeat gets the fork made first."},
        answers={
            201: Answer(
                description="The fork, a token per seat that was handed out, an invite per seat kept for one.",
                shape=CreatedMatch,
                headers={"Location": "The fork."},
            )
        },
        problems=(400, 403, 404, 409, 413, 415, 422, 429),
    ),
)

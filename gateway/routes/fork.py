"""Forks: new matches that begin with a state of another match."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from starlette.responses import Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import Match
from gateway.http.answers import json_answer
from gateway.http.idempotency import SentKey, idempotency_key
from gateway.openapi.operation import Operation, answer, problems
from gateway.routes.matches import located
from gateway.schemas.lobby import CreatedMatch
from gateway.schemas.requests import ForkRequest
from gateway.translate import lobby_messages
from gateway.translate.audiences import audience

router = APIRouter(tags=["matches"], route_class=Operation, dependencies=[counted_for(Bucket.LOBBY)])


@router.post(
    "/v1/matches/{match_id}/fork",
    operation_id="forkMatch",
    summary="Fork a match",
    status_code=201,
    responses={
        201: answer(
            "The fork, a token for each seat that was assigned, an invite for each seat to be taken by invite.",
            CreatedMatch,
            headers={"Location": "The fork."},
        ),
        **problems(403, 404, 409, 422),
    },
)
async def fork_match(
    match: Match,
    key: Annotated[SentKey, idempotency_key("A request id, quoted; a repeated request gets the first fork.")],
    body: Annotated[ForkRequest, Body()] = ForkRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Create a new match that begins with the state of this one, at any version with an open decision.

    Everything that the chosen audience could not know at that version is dealt again at random, consistent with what it
    knew. Whoever may view as an audience may fork as it. With a seat or watch token, all seats of the fork are the caller's.
    A fork itself can be forked with an API key only.
    """
    server = await match.server()
    asked = lobby_messages.fork_match(
        body,
        match_id=match.match_id,
        audience=audience(match.caller, body.audience, body.seat),
        request_id=key.or_in_body(body.request_id),
    )
    forked = await match.write(server.matches.ForkMatch, asked)
    match.remember(forked.match)
    return json_answer(lobby_messages.created_match(forked), 201, located(forked.match.match_id))

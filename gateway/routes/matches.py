"""Creating matches, taking seats, and reading a match without its state."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from starlette.responses import Response

from foldtable.matches.v1.forgetting_pb2 import DeleteMatchRequest
from foldtable.matches.v1.match_service_pb2 import IssueSeatTokenRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import Match, ReadMatch, RequestTrace, Rules, TenantsMatch
from gateway.headers import NO_STORE
from gateway.http.answers import json_answer
from gateway.http.idempotency import SentKey, idempotency_key
from gateway.http.languages import AskedLanguage
from gateway.http.path_parameters import Seat
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas import answers, requests
from gateway.schemas.lobby import CreatedMatch
from gateway.translate import lobby_messages, messages

router = APIRouter(tags=["matches"], route_class=Operation)


@router.post(
    "/v1/matches",
    operation_id="createMatch",
    summary="Create a match",
    status_code=201,
    responses={
        201: answer(
            "The match, a token for each seat that was assigned, an invite for each seat to be taken by invite.",
            CreatedMatch,
            headers={"Location": "The match."},
        ),
        **problems(403, 409, 422),
    },
    dependencies=[counted_for(Bucket.LOBBY)],
)
async def create_match(
    rules: Rules,
    trace: RequestTrace,
    key: Annotated[
        SentKey, idempotency_key("A request id, quoted; a repeated request gets the first match.")
    ],
    body: Annotated[requests.CreateMatchRequest, Body()],
) -> Response:
    """Create a match. If all seats are assigned, which is the default, it starts at once.

    `seating` says for each seat whether it is assigned, open for whoever joins first, or to be taken by invite. The response
    contains the seat tokens and invites only this once; the tenant can issue fresh ones at any time.

    With an API key, or with a session: then one seat is the player's own, by default the first, and the others are open, by
    invite or for built-in bots, by default open. The response has a token for the player's own seat only.
    """
    created = await rules.write(
        rules.server_of_game(body.game).matches.CreateMatch,
        lobby_messages.create_match(body, request_id=key.or_in_body(body.request_id)),
    )
    rules.remember(created.match)
    trace.match_id = created.match.match_id
    return json_answer(lobby_messages.created_match(created), 201, located(created.match.match_id))


def located(match_id: str) -> dict[str, str]:
    """Return the header fields of a response with a new match."""
    return {"location": f"/v1/matches/{match_id}", **NO_STORE}


@router.get(
    "/v1/matches/{match_id}",
    operation_id="getMatch",
    summary="Get a match without its state",
    responses={200: answer("The match.", answers.Match), **problems(403, 404)},
    dependencies=[counted_for(Bucket.READS)],
)
async def get_match(match: ReadMatch, trace: RequestTrace, language: AskedLanguage) -> Response:
    """Return a match without its state: its seats, the seats that must act, and how it ended."""
    found = await match.find(language)
    trace.version = found.version
    return json_answer(messages.match(found))


@router.delete(
    "/v1/matches/{match_id}",
    operation_id="deleteMatch",
    summary="Delete a match",
    status_code=204,
    responses={204: answer("The match is deleted."), **problems(403, 404)},
    dependencies=[counted_for(Bucket.LOBBY)],
)
async def delete_match(match: TenantsMatch) -> Response:
    """Delete a match in whatever state, with everything that belongs to it: moves, seats, tokens, notes, stored events. Tenants only.

    It cannot be undone; export it before. Streams of the match end with `revoked` and the reason `MATCH_NOT_FOUND`, with which
    every later request is answered. A repeat of this request is answered like the first for thirty days. A match that followed or was
    forked from it stays.
    """
    asked = DeleteMatchRequest(match_id=match.match_id)
    await match.write_anywhere(lambda matches: matches.DeleteMatch, asked)
    return Response(status_code=204, headers=NO_STORE)


@router.post(
    "/v1/matches/{match_id}/join",
    operation_id="joinMatch",
    summary="Take a free seat",
    responses={200: answer("The seat and its token.", answers.JoinedMatch), **problems(403, 404, 409, 422)},
    dependencies=[counted_for(Bucket.LOBBY)],
)
async def join_match(
    match: Match,
    key: Annotated[SentKey, idempotency_key("A request id, quoted; a repeated request gets the first seat.")],
    body: Annotated[
        requests.JoinRequest,
        Body(
            openapi_examples={
                "any_seat": {"value": {"player": "ada"}},
                "a_certain_seat": {"value": {"seat": 2, "player": "ada", "name": "Ada"}},
                "with_an_invite": {"value": {"name": "Ada"}},
                "by_session": {"value": {"invite": "eyJ…"}},
                "in_teal": {"value": {"name": "Ada", "data": {"colour": "teal"}}},
            }
        ),
    ] = requests.JoinRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Take a free seat of a match that waits for players. Taking the last one starts the match, unless it starts on demand.

    With an API key, a player gets an open seat. An invite as the credential gets the seat it was issued for, once. A session
    gets an open seat of a public match, or the seat of the `invite` in the body, for its own player.
    """
    server = await match.server_for(body.invite)
    asked = lobby_messages.join_match(
        body, match_id=match.match_id, request_id=key.or_in_body(body.request_id)
    )
    return json_answer(lobby_messages.joined_match(await match.write(server.matches.JoinMatch, asked)))


@router.post(
    "/v1/matches/{match_id}/seats/{seat:seat}/token",
    operation_id="issueSeatToken",
    summary="Issue a seat token",
    responses={200: answer("A fresh token.", answers.IssuedToken), **problems(403, 404)},
    dependencies=[counted_for(Bucket.LOBBY)],
)
async def issue_seat_token(
    match: TenantsMatch,
    seat: Seat,
    _body: Annotated[requests.IssueTokenRequest, Body()] = requests.IssueTokenRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Issue a fresh token for a taken seat. Tenants only; a key with the scope `bots:play` only for seats of bots."""
    server = await match.server()
    issued = await match.write(
        server.matches.IssueSeatToken,
        IssueSeatTokenRequest(match_id=match.match_id, seat=seat),
        in_query=True,
    )
    return json_answer(answers.IssuedToken(seat_token=messages.seat_token(issued.token)))

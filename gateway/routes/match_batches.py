"""Creating many matches with one request.

A batch counts like as many requests as it has matches. Its body is large, so it is read only for a key that a service has accepted,
and of few requests at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Depends
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.platform.v1.platform_service_pb2 import DescribeCredentialRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts, Platform, Rules, TenantCaller
from gateway.http.answers import json_answer
from gateway.http.idempotency import SentKey, idempotency_key
from gateway.openapi.operation import Operation, answer, problems
from gateway.problems.document import ProblemError, problem_document
from gateway.schemas.lobby import CreatedMatches, CreationResult
from gateway.schemas.requests import CreateMatchesRequest
from gateway.translate import lobby_messages
from gateway.upstream.refusals import refused
from gateway.upstream.rules import RulesServer, call

SECONDS: Final = 30.0
"""Deadline of a batch, which may have to wait for its turn; 500 matches take about a second."""
_PAUSE_AFTER: Final = 20
"""Matches that are translated before other requests get their turn."""

router = APIRouter(tags=["matches"], route_class=Operation, dependencies=[counted_for(Bucket.LOBBY)])

_Outcome = pb.CreatedOrRefused | ProblemError


async def _place(
    request: Request, caller: TenantCaller, gateway: GatewayParts, platform: Platform
) -> AsyncIterator[None]:
    """Hold a place for a batch, until it is answered. Raises ProblemError if the key is not valid, or there are too many."""
    if not gateway.admission.knows(caller):
        await platform.read(platform.accounts.DescribeCredential, DescribeCredentialRequest(), in_query=False)
        gateway.admission.learn(request, 200)
    with gateway.batches.taken(caller):
        yield


PLACE: Final[Any] = Depends(_place, scope="function")


@router.post(
    "/v1/matches/batch",
    operation_id="createMatches",
    summary="Create many matches",
    responses={
        200: answer("What became of each match, in the order of the request.", CreatedMatches),
        **problems(403, 404, 409, 422),
    },
    dependencies=[PLACE],
)
async def create_matches(
    request: Request,
    rules: Rules,
    gateway: GatewayParts,
    key: Annotated[
        SentKey,
        idempotency_key(
            "A request id, quoted; a repeated request gets the first matches, and creates those that are missing."
        ),
    ],
    body: Annotated[
        CreateMatchesRequest,
        Body(
            openapi_examples={
                "a_round": {
                    "value": {
                        "mode": "all",
                        "matches": [
                            {"game": "river_dragons", "seats": 2, "players": ["ada", "bob"]},
                            {"game": "river_dragons", "seats": 2, "players": ["cleo", "dan"]},
                        ],
                    }
                },
                "each_by_itself": {
                    "value": {
                        "mode": "each",
                        "matches": [{"game": "river_dragons", "seats": 2, "open_seats": True}],
                    }
                },
            }
        ),
    ],
) -> Response:
    """Create up to 500 matches at once. Tenants only.

    With the mode `all`, either all matches exist afterwards or none: the first fault refuses the request, and its pointer names
    the match, such as `/matches/17/seats`. All are of one game. With `each`, every match is created or refused by itself, as by
    a request of its own, and each of `results` has either `created` or `problem`.

    With a request id a repeat is safe, also after a server was killed in the middle: it gets the first matches and creates those
    that are missing. A match with other content than the one at its place is refused (`REQUEST_ID_REUSED`). The request counts
    for as many requests as it has matches.
    """
    gateway.admission.admit_more(request, Bucket.LOBBY, len(body.matches) - 1)
    request_id = key.or_in_body(body.request_id)
    results: list[CreationResult] = []
    for number, one in enumerate(await _created(rules, body, request_id)):
        if number % _PAUSE_AFTER == 0:
            await asyncio.sleep(0)
        results.append(_result(one, rules, request))
    return json_answer(CreatedMatches(results=results))


def _result(outcome: _Outcome, rules: Rules, request: Request) -> CreationResult:
    if isinstance(outcome, ProblemError):
        return CreationResult(problem=problem_document(outcome, request.scope))
    if outcome.HasField("refused"):
        return CreationResult(problem=problem_document(refused(outcome.refused), request.scope))
    rules.remember(outcome.created.match)
    return CreationResult(created=lobby_messages.created_match(outcome.created))


async def _created(rules: Rules, body: CreateMatchesRequest, request_id: str) -> list[_Outcome]:
    """Have the matches created by the servers of their games. Raises ProblemError if none was reached, or none may be created.

    All of a batch go to one server, which requires that they are of one game.
    """
    places: dict[RulesServer, list[int]] = {}
    for place, one in enumerate(body.matches):
        game = body.matches[0].game if body.mode == "all" else one.game
        places.setdefault(rules.server_of_game(game), []).append(place)
    calls = [_created_at(server, rules, body, request_id, own) for server, own in places.items()]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    problem = next((one for one in answers if isinstance(one, BaseException)), None)
    if problem is not None and all(isinstance(one, BaseException) for one in answers):
        raise problem
    outcomes: dict[int, _Outcome] = {}
    for own, answered in zip(places.values(), answers, strict=True):
        if isinstance(answered, ProblemError):
            outcomes |= dict.fromkeys(own, answered)
        elif isinstance(answered, BaseException):
            raise answered
        else:
            outcomes |= zip(own, answered, strict=True)
    return [outcomes[place] for place in range(len(body.matches))]


async def _created_at(
    server: RulesServer, rules: Rules, body: CreateMatchesRequest, request_id: str, places: Sequence[int]
) -> Sequence[pb.CreatedOrRefused]:
    asked = pb.CreateMatchesRequest(all_or_none=body.mode == "all", request_id=request_id, places=places)
    for number, place in enumerate(places):
        if number % _PAUSE_AFTER == 0:
            await asyncio.sleep(0)
        asked.matches.append(lobby_messages.batched_match(body.matches[place]))
    answered = await call(server.matches.CreateMatches, asked, seconds=SECONDS, metadata=rules.metadata)
    return answered.results

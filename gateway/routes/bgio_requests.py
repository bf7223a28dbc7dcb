"""What the routes under `/bgio` share: the match of the path, the player of the body, how a route is described."""

from __future__ import annotations

import msgspec
from starlette.requests import Request

from foldtable.matches.v1 import match_pb2
from gateway.admission import judge_another_credential
from gateway.auth import Caller
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, Handler, ThinRoute, documented
from gateway.problem_documents import ProblemError
from gateway.queries import NO_SUCH_MATCH, match_id
from gateway.schemas import bgio


async def found(request: Request, caller: Caller) -> match_pb2.Match:
    """Give the match of the path; one of another game is told like one that does not exist."""
    trace = trace_of(request)
    trace.match_id = wanted = match_id(request)
    match = await gateway_of(request).directory.find(wanted, caller, trace)
    if match.game != request.path_params["game"]:
        raise ProblemError("MATCH_NOT_FOUND", NO_SUCH_MATCH)
    return match


def player_of(request: Request, body: bgio.BgioSeatRequest) -> Caller:
    """Give the player whose token the body holds; ProblemError SEAT_FORBIDDEN if it is not of that seat."""
    judge_another_credential(request)
    player = gateway_of(request).authenticator.read(f"Bearer {body.credentials}")
    claims = player.claims
    if claims is None or (claims.role, claims.mid, str(claims.seat)) != (
        "seat",
        match_id(request),
        body.player_id,
    ):
        raise ProblemError("SEAT_FORBIDDEN", "`credentials` are not of this seat")
    return player


def route(
    method: str,
    path: str,
    handler: Handler,
    *,
    name: str,
    summary: str,
    answer: Answer,
    body: type[msgspec.Struct] | None = None,
    query: type[msgspec.Struct] | None = None,
    problems: tuple[int, ...] = (),
    public: bool = False,
) -> ThinRoute:
    """Describe a route; `name` is its operation id after `bgio`."""
    body_problems = (409, 413, 415, 422) if body is not None else ()
    return documented(
        method,
        f"/bgio/games{path}",
        handler,
        operation_id=f"bgio{name}",
        summary=summary,
        tag="boardgame.io",
        answers={200: answer},
        body=body,
        query=query,
        problems=(400, *problems, *body_problems),
        public=public,
    )

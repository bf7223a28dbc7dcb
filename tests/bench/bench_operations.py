"""What FastAPI costs a request: the same look and the same move, by a thin route and as an ordinary operation.

Run it with `make bench B=operations`. Both stand behind the same credentials and limits; neither asks anybody. The difference is
what FastAPI's dependencies and pydantic add, in one process that does nothing else.
"""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from types import SimpleNamespace
from typing import Annotated, Any
from uuid import uuid4

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fastapi import APIRouter, Body, FastAPI, Query
from msgspec import Raw
from starlette.requests import Request
from starlette.responses import Response

from gateway.access.admission import Admission, counted_for
from gateway.access.auth import Authenticator
from gateway.access.rate_limits import Bucket, Holder, Limit, RateLimiter
from gateway.context import gateway_of, trace_of
from gateway.dependencies import Match
from gateway.http.answers import json_answer
from gateway.http.bodies import read_json
from gateway.http.idempotency import SentKey, idempotency_key, request_id
from gateway.http.path_parameters import match_id
from gateway.http.queries import read_query
from gateway.openapi.hot import HotRoute
from gateway.openapi.operation import Operation, answer, operations
from gateway.schemas.answers import Health
from gateway.schemas.fields import AudienceKind, SeatNumber
from gateway.schemas.inputs import WHOLE, PassedOn, QueryParameters, RequestBody, like
from gateway.schemas.requests import MoveRequest, ViewQuery
from gateway.telemetry.tracing import SCOPE_KEY, read_trace
from services.identity.match_tokens import MatchTokens

ROUNDS = 7
REQUESTS = 2_000
AMPLE = {(holder, bucket): Limit(10**9, 60) for holder in Holder for bucket in Bucket}
MATCH = str(uuid4())
MOVE = msgspec.json.Decoder(MoveRequest)
SENT = b'{"action":{"type":"submit_program","cards":["jump","turn"]},"expected_version":12}'
router = APIRouter(route_class=Operation)
thin = APIRouter(route_class=HotRoute)


@thin.get("/thin/{match_id}/view", dependencies=[counted_for(Bucket.READS)])
async def thin_view(request: Request) -> Response:
    gateway, trace = gateway_of(request), trace_of(request)
    gateway.authenticator.caller(request)
    read_query(request, ViewQuery)
    trace.match_id = match_id(request)
    return json_answer(Health(status="ok"))


@thin.post("/thin/{match_id}/moves", dependencies=[counted_for(Bucket.MOVES)])
async def thin_move(request: Request) -> Response:
    gateway, trace = gateway_of(request), trace_of(request)
    gateway.authenticator.caller(request)
    trace.match_id = match_id(request)
    body = await read_json(request, MOVE)
    request_id(request, body.request_id)
    return json_answer(Health(status="ok"))


class View(QueryParameters):
    seat: Annotated[int, like(SeatNumber), WHOLE] | None = None
    audience: AudienceKind | None = None
    at: Annotated[int, WHOLE] | None = None


class Move(RequestBody):
    action: Annotated[Raw, PassedOn("Action")]
    expected_version: int | None = None
    seat: Annotated[int, like(SeatNumber)] | None = None
    request_id: str | None = None


@router.get(
    "/fastapi/{match_id}/view",
    dependencies=[counted_for(Bucket.READS)],
    responses={200: answer("It.", Health)},
)
async def view(match: Match, query: Annotated[View, Query()]) -> Response:
    return json_answer(Health(status="ok"))


@router.post(
    "/fastapi/{match_id}/moves",
    dependencies=[counted_for(Bucket.MOVES)],
    responses={200: answer("It.", Health)},
)
async def move(
    match: Match, body: Annotated[Move, Body()], key: Annotated[SentKey, idempotency_key("The first.")]
) -> Response:
    key.or_in_body(body.request_id)
    return json_answer(Health(status="ok"))


def an_app() -> tuple[FastAPI, bytes]:
    private = Ed25519PrivateKey.generate()
    authenticator = Authenticator(private.public_key())
    app = FastAPI(openapi_url=None, telemetry={"tracing": False, "metrics": False, "logs": False})
    app.state.gateway = SimpleNamespace(
        authenticator=authenticator, admission=Admission(authenticator, RateLimiter(AMPLE))
    )
    app.router.routes[:] = [
        *operations(thin),
        *operations(router),
    ]
    token, _ = MatchTokens(private, lifetime=timedelta(hours=1)).mint(
        match_id=uuid4(), game="g", seat=0, generation=0
    )
    return app, token.encode()


async def microseconds(
    app: FastAPI, token: bytes, method: str, path: str, query: bytes, body: bytes
) -> float:
    """The best of some rounds, per request through the whole application; of the processor, as others may work here too."""
    headers = [
        (b"host", b"x"),
        (b"authorization", b"Bearer " + token),
        (b"content-type", b"application/json"),
        (b"idempotency-key", b'"0b8d2c1e-5c0e-4c55-9d1d-6e4a2f0f9c11"'),
    ]
    statuses = set()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        if "status" in message:
            statuses.add(message["status"])

    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        for _ in range(REQUESTS):
            scope = {
                "type": "http",
                "method": method,
                "path": path,
                "query_string": query,
                "headers": headers,
                "client": ("192.0.2.1", 1),
                "app": app,
            }
            scope[SCOPE_KEY] = read_trace({})
            await app(scope, receive, send)
        best = min(best, time.process_time() - begun)
    assert statuses == {200}, statuses
    return best / REQUESTS * 1e6


async def main() -> None:
    app, token = an_app()
    for name, method, path, query, body in (
        ("a look (three parameters)", "GET", "view", b"seat=1&audience=seat&at=3", b""),
        ("a move (a body, a request id)", "POST", "moves", b"", SENT),
    ):
        spent = [
            await microseconds(app, token, method, f"/{way}/{MATCH}/{path}", query, body)
            for way in ("thin", "fastapi")
        ]
        print(f"{name}: thin {spent[0]:6.1f} µs, FastAPI {spent[1]:6.1f} µs, {spent[1] - spent[0]:+.1f} µs")


if __name__ == "__main__":
    asyncio.run(main())

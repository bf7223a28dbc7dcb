"""What the way to an operation costs: the same look and the same move as a whole, through ASGI, and through FastAPI.

Run it with `make bench B=operations`. All stand behind the same credentials and limits, and ask nobody. Each request is the bytes of
a connection, given to the HTTP protocol of the gateway, and is over when its response was written; only the socket is missing.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, cast
from uuid import uuid4

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fastapi import APIRouter, Body, FastAPI, Query
from msgspec import Raw
from starlette.requests import Request
from starlette.responses import Response
from uvicorn import Config
from uvicorn.server import ServerState

from gateway.access.admission import Admission, counted_for
from gateway.access.auth import Authenticator
from gateway.access.rate_limits import Bucket, Holder, Limit, RateLimiter
from gateway.context import Gateway, gateway_of, trace_of
from gateway.dependencies import Match
from gateway.hot.operations import HotOperations
from gateway.http.answers import json_answer
from gateway.http.bodies import decode_json, read_body
from gateway.http.compression.allowance import Allowance
from gateway.http.compression.middleware import Compression
from gateway.http.idempotency import SentKey, idempotency_key, request_id
from gateway.http.path_parameters import match_id
from gateway.http.queries import read_query
from gateway.middleware import Observability
from gateway.openapi.hot import HotRoute
from gateway.openapi.operation import Operation, answer, operations
from gateway.schemas.answers import Health
from gateway.schemas.fields import AudienceKind, SeatNumber
from gateway.schemas.inputs import WHOLE, PassedOn, QueryParameters, RequestBody, like
from gateway.schemas.requests import MoveRequest, ViewQuery
from gateway.server.deadlines import Times
from gateway.server.protocol import BoundedHttpProtocol
from gateway.server.whole_requests import http_protocol
from services.identity.match_tokens import MatchTokens
from services.process.structured_logs import LogFormat, configure_logs

ROUNDS = 7
REQUESTS = 2_000
AMPLE = {(holder, bucket): Limit(10**9, 60) for holder in Holder for bucket in Bucket}
MATCH = str(uuid4())
MOVE = msgspec.json.Decoder(MoveRequest)
SENT = b'{"action":{"type":"submit_program","cards":["jump","turn"]},"expected_version":12}'
router = APIRouter(route_class=Operation)
hot = APIRouter(route_class=HotRoute)


@hot.get("/v1/matches/{match_id}/view", dependencies=[counted_for(Bucket.READS)])
async def hot_view(request: Request) -> Response:
    gateway, trace = gateway_of(request), trace_of(request)
    gateway.authenticator.caller(request)
    read_query(request, ViewQuery)
    trace.match_id = match_id(request)
    return json_answer(Health(status="ok"))


@hot.post("/v1/matches/{match_id}/moves", dependencies=[counted_for(Bucket.MOVES)])
async def hot_move(request: Request) -> Response:
    gateway, trace = gateway_of(request), trace_of(request)
    gateway.authenticator.caller(request)
    trace.match_id = match_id(request)
    body = decode_json(request, await read_body(request), MOVE)
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


def an_app() -> tuple[FastAPI, str]:
    private = Ed25519PrivateKey.generate()
    authenticator = Authenticator(private.public_key())
    app = FastAPI(openapi_url=None, telemetry={"tracing": False, "metrics": False, "logs": False})
    routes = list(operations(hot))
    allowance = Allowance(0.25)
    served = HotOperations(app, cast("list[HotRoute]", routes), allowance, allowed_pages={})
    app.state.hot = served
    app.state.gateway = served.gateway = cast(
        "Gateway",
        SimpleNamespace(authenticator=authenticator, admission=Admission(authenticator, RateLimiter(AMPLE))),
    )
    app.router.routes[:] = [*routes, *operations(router)]
    app.add_middleware(served.within)
    app.add_middleware(Compression, allowance=allowance)
    app.add_middleware(Observability)
    token, _ = MatchTokens(private, lifetime=timedelta(hours=1)).mint(
        match_id=uuid4(), game="g", seat=0, generation=0
    )
    return app, token


class Sink(asyncio.Transport):
    """Where responses are written to."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0


async def microseconds(protocol: type[BoundedHttpProtocol], app: FastAPI, request: bytes) -> float:
    """The best of some rounds, per request, from its bytes to those of the response; of the processor, as others may work too."""
    config = Config(app, http=protocol, ws="none", log_config=None, access_log=False)
    connection, sink = protocol(config, ServerState(), app_state={}), Sink()
    connection.connection_made(sink)
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        for _ in range(REQUESTS):
            connection.data_received(request)
            while not sink.written:  # noqa: ASYNC110 - the response comes within a few turns of the loop
                await asyncio.sleep(0)
            assert sink.written.startswith(b"HTTP/1.1 200 "), sink.written
            sink.written = b""
            await asyncio.sleep(0)
        best = min(best, time.process_time() - begun)
    return best / REQUESTS * 1e6


async def main() -> None:
    configure_logs("info", LogFormat.JSON)
    sys.stderr = Path(os.devnull).open("w")  # noqa: ASYNC230, SIM115 - the log of every request, which is written as always
    app, token = an_app()
    whole = http_protocol(Times(), app.state.hot)
    for name, method, path, query, body in (
        ("a look (three parameters)", "GET", "view", "?seat=1&audience=seat&at=3", b""),
        ("a move (a body, a request id)", "POST", "moves", "", SENT),
    ):
        spent = []
        for protocol, place in (
            (whole, "/v1/matches"),
            (BoundedHttpProtocol, "/v1/matches"),
            (BoundedHttpProtocol, "/fastapi"),
        ):
            head = [
                f"{method} {place}/{MATCH}/{path}{query} HTTP/1.1",
                "host: x",
                f"authorization: Bearer {token}",
                "content-type: application/json",
                'idempotency-key: "0b8d2c1e-5c0e-4c55-9d1d-6e4a2f0f9c11"',
                *([f"content-length: {len(body)}"] if body else []),
            ]
            request = "\r\n".join([*head, "", ""]).encode() + body
            spent.append(await microseconds(protocol, app, request))
        print(f"{name}: whole {spent[0]:6.1f} µs, ASGI {spent[1]:6.1f} µs, FastAPI {spent[2]:6.1f} µs")


if __name__ == "__main__":
    asyncio.run(main())

"""Whom a trusted proxy forwards a request for: the same for a request that arrives as a whole and for any other."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.context import Gateway
from gateway.hot.operations import HotOperations
from gateway.http.compression.allowance import Allowance
from gateway.openapi.hot import HotRoute
from gateway.openapi.operation import operations
from gateway.server.deadlines import Times
from gateway.server.whole_requests import http_protocol
from tests.gateway.parsed_connections import answers_to

router = APIRouter(route_class=HotRoute, dependencies=[counted_for(Bucket.READS)])


@router.get("/v1/matches/{match_id}/who")
async def who(request: Request) -> JSONResponse:
    client = request.client
    return JSONResponse({"host": client.host if client else None, "scheme": request.url.scheme})


class Admitting:
    """An admission that admits everybody."""

    def admit(self, request: Request, bucket: Bucket) -> None:
        """Admit."""

    def learn(self, request: Request, status: int) -> None:
        """Learn nothing."""


def seen(*trusted: str) -> dict[str, Any]:
    """Return whom an operation sees through a proxy that forwards a request for 203.0.113.7."""
    routes = cast("list[HotRoute]", list(operations(router)))
    hot = HotOperations(FastAPI(), routes, Allowance(0), allowed_pages={}, trusted_proxies=trusted)
    hot.gateway = cast("Gateway", SimpleNamespace(admission=Admitting()))
    head = b"GET %b HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Proto: https\r\n"
    requests = [
        head % b"/v1/matches/m/who" + b"\r\n",
        head % b"/last" + b"Connection: close\r\n\r\n",
    ]
    answered = answers_to(requests, http_protocol(Times(), hot))
    body = answered.partition(b"\r\n\r\n")[2]
    return dict(msgspec.json.decode(body[: body.index(b"}") + 1]))


@pytest.mark.parametrize(
    ("trusted", "host", "scheme"), [(("*",), "203.0.113.7", "https"), ((), None, "http")]
)
def test_a_trusted_proxy_says_whom_it_forwards_for(
    trusted: tuple[str, ...], host: str | None, scheme: str
) -> None:
    assert seen(*trusted) == {"host": host, "scheme": scheme}

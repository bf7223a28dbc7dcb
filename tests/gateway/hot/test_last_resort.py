"""A hot operation whose answer cannot be sent leaves nobody waiting, and the error is logged without its words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Final, cast

import structlog
from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.context import Gateway
from gateway.hot.operations import HotOperations
from gateway.http.compression.allowance import Allowance
from gateway.openapi.hot import HotRoute
from gateway.openapi.operation import operations
from gateway.server.deadlines import Times
from gateway.server.whole_requests import http_protocol
from tests.gateway.hot.test_forwarded import Admitting
from tests.gateway.parsed_connections import answers_to

HIDDEN: Final = "a hand of three silks"
router = APIRouter(route_class=HotRoute, dependencies=[counted_for(Bucket.READS)])


@router.get("/v1/matches/{match_id}/bodiless")
async def bodiless(_request: Request) -> Response:
    response = Response()
    del response.body
    return response


@router.get("/v1/matches/{match_id}/broken")
async def broken(_request: Request) -> JSONResponse:
    raise ZeroDivisionError(HIDDEN)


def answered(path: bytes) -> tuple[bytes, list[structlog.typing.EventDict]]:
    """Return what a client receives who asks for an operation and waits for the end, and what was logged of errors."""
    hot = HotOperations(
        FastAPI(), cast("list[HotRoute]", list(operations(router))), Allowance(0), allowed_pages={}
    )
    hot.gateway = cast("Gateway", SimpleNamespace(admission=Admitting()))
    with structlog.testing.capture_logs() as logs:
        plain, last = (b"GET %b HTTP/1.1\r\nHost: x\r\n" % one for one in (path, b"/last"))
        received = answers_to(
            [plain + b"\r\n", last + b"Connection: close\r\n\r\n"], http_protocol(Times(), hot)
        )
    return received, [line for line in logs if line["event"] == "unexpected"]


def test_an_answer_that_cannot_be_sent_closes_the_connection_and_is_logged() -> None:
    received, logged = answered(b"/v1/matches/m/bodiless")
    assert received == b""
    (line,) = logged
    assert line["path"] == "/v1/matches/m/bodiless"
    assert line["request_id"]


def test_an_operation_that_breaks_is_answered_and_logged_without_what_the_error_said() -> None:
    received, logged = answered(b"/v1/matches/m/broken")
    assert received.startswith(b"HTTP/1.1 500 ")
    assert b'"reason":"INTERNAL"' in received
    (line,) = logged
    assert HIDDEN not in received.decode()
    assert "ZeroDivisionError" in str(line)
    assert HIDDEN not in str(line)

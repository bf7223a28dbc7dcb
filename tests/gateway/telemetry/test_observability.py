"""The last word on faults: a problem document outside, where it happened in the log, nothing in between."""

from __future__ import annotations

import httpx
import pytest
import structlog
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.middleware import Observability

SECRET = "a hidden card"


def client(app: ASGIApp) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(Observability(app)), base_url="http://gateway")


async def test_an_unexpected_exception_is_a_problem_document_and_a_log_entry() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise KeyError(SECRET)

    with structlog.testing.capture_logs() as logs:
        async with client(broken) as caller:
            answer = await caller.get("/v1/x")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert answer.json()["reason"] == "INTERNAL"
    assert SECRET not in answer.text
    fault, request = logs
    assert (fault["event"], fault["log_level"]) == ("unexpected", "error")
    assert (fault["kind"], "in broken" in fault["exception"]) == ("KeyError", True)
    assert SECRET not in repr(logs), "where it went wrong, and not what was on the table"
    assert fault["trace_id"] == answer.json()["trace_id"] == request["trace_id"]
    assert (request["status"], request["reason"], request["log_level"]) == (500, "INTERNAL", "error")


async def test_an_exception_in_the_middle_of_an_answer_breaks_it_off() -> None:
    """A second answer cannot be sent; the server closes the connection instead."""

    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise KeyError("too late")

    async with client(broken) as caller:
        with pytest.raises(KeyError):
            await caller.get("/v1/x")


async def test_a_client_that_goes_away_is_no_fault_of_ours() -> None:
    async def disconnected(scope: Scope, receive: Receive, send: Send) -> None:
        raise ClientDisconnect

    with structlog.testing.capture_logs() as logs:
        async with client(disconnected) as caller:
            with pytest.raises(AssertionError):  # httpx: no answer was sent
                await caller.get("/v1/x")
    (request,) = logs
    assert (request["status"], request["log_level"]) == (499, "info")

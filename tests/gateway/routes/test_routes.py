"""Which route a request finds: a path that is spelled out goes before one with a parameter in its place."""

from __future__ import annotations

import httpx
import pytest
from starlette.convertors import IntegerConvertor

from gateway.openapi.hot import HotRoute
from gateway.routes import HOT, ROUTES


def test_what_is_hot_is_listed() -> None:
    assert {str(route.operation_id) for route in ROUTES if isinstance(route, HotRoute)} == HOT


@pytest.mark.parametrize("path", ["/v1/matches/import", "/v1/matches/quick-join"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE"])
def test_a_path_that_is_spelled_out_is_no_match_of_that_name(
    anybody: httpx.Client, path: str, method: str
) -> None:
    answer = anybody.request(method, path)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_a_match_is_found_where_no_path_is_spelled_out(anybody: httpx.Client) -> None:
    assert anybody.get("/v1/matches/imports").json()["reason"] == "MATCH_NOT_FOUND"
    assert anybody.post("/v1/matches/imports").headers["allow"] == "DELETE, GET, HEAD, PATCH"


def test_no_path_is_read_by_what_fails_on_thousands_of_digits() -> None:
    """Python reads no number of more than 4300 digits, and routing comes before anybody is asked who they are."""
    assert [
        route.path
        for route in ROUTES
        if any(isinstance(one, IntegerConvertor) for one in route.param_convertors.values())
    ] == []


@pytest.mark.parametrize("digits", [3, 10, 5_000])
def test_a_seat_of_many_digits_is_a_seat_that_there_is_not(anybody: httpx.Client, digits: int) -> None:
    match = "/v1/matches/0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11"
    for method, place in (("PATCH", ""), ("POST", "/revoke")):
        assert anybody.request(method, f"{match}/seats/{'1' * digits}{place}").status_code in {401, 404}

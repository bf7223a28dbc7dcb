"""Which route a request finds: a path that is spelled out goes before one with a parameter in its place."""

from __future__ import annotations

import httpx
import pytest


@pytest.mark.parametrize(
    "path", ["/v1/matches/import", "/v1/matches/quick-join", "/bgio/games/river_dragons/create"]
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE"])
def test_a_path_that_is_spelled_out_is_no_match_of_that_name(
    anybody: httpx.Client, path: str, method: str
) -> None:
    answer = anybody.request(method, path)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_a_match_is_found_where_no_path_is_spelled_out(anybody: httpx.Client) -> None:
    for path in ("/v1/matches/imports", "/bgio/games/river_dragons/0"):
        assert anybody.get(path).status_code == 401
        assert anybody.post(path).headers["allow"] == "GET, HEAD"

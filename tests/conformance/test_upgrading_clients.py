"""Clients that ask for HTTP/2 with the request they send, as Java's own does with every first POST. They get HTTP/1.1."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests.gateway.table import PROGRAM
from tests.support import java
from tests.support.several_of_each import Several


def curl_why_not() -> str:
    """Return what is missing; nothing, if curl can ask for HTTP/2."""
    curl = shutil.which("curl")
    if curl is None:
        return "needs curl"
    version = subprocess.run([curl, "--version"], capture_output=True, text=True, check=True).stdout
    return "" if "HTTP2" in version.split() else "needs a curl that knows HTTP/2"


@pytest.mark.skipif(bool(java.why_not()), reason=java.why_not() or "java is here")
def test_java_s_default_client_creates_a_match_and_moves(stack: Several) -> None:
    told = java.printed_by("DefaultClient.java", GATEWAY=stack.urls[0], KEY=stack.key)
    assert (told["created"], told["moved"], told["again"]) == (201, 200, 200)
    assert (told["version"], told["protocol"]) == (2, "HTTP_1_1")
    with stack.client(stack.key) as client:
        assert client.get(f"/v1/matches/{told['match_id']}").json()["version"] == 2


@pytest.mark.skipif(bool(curl_why_not()), reason=curl_why_not() or "curl is here")
@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
def test_curl_posts_with_http2_asked_for(stack: Several, *, chunked: bool) -> None:
    def post(path: str, body: dict[str, Any]) -> Any:
        done = subprocess.run(
            [
                *("curl", "--http2", "--verbose", "--silent", "--max-time", "20"),
                *("--header", f"Authorization: Bearer {stack.key}"),
                *("--header", "Content-Type: application/json"),
                *(("--header", "Transfer-Encoding: chunked") if chunked else ()),
                *("--data", json.dumps(body), stack.urls[0] + path),
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        assert "> Upgrade: h2c" in done.stderr, "curl did not ask for it"
        return json.loads(done.stdout)

    match_id = post("/v1/matches", {"game": "river_dragons", "seats": 2})["match"]["match_id"]
    moved = post(f"/v1/matches/{match_id}/moves", {"action": PROGRAM, "expected_version": 1, "seat": 0})
    assert moved["version"] == 2

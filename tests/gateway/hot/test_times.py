"""A request is timed from its head to its response, however it arrives."""

from __future__ import annotations

import json
import re
import socket
import time

import httpx
import pytest

from tests.gateway.conftest import World
from tests.gateway.table import PROGRAM, Table

SECONDS = 0.4
SUM = re.compile(
    r'^foldtable_http_request_seconds_sum\{method="POST",route="[^"]*/moves"\} (\S+)$', re.MULTILINE
)


def spent(world: World) -> float:
    """The seconds of all moves so far."""
    found = SUM.search(world.gateway.metrics)
    return 0.0 if found is None else float(found[1])


@pytest.mark.parametrize("whole", [True, False], ids=["as a whole", "in parts"])
def test_a_body_that_arrives_slowly_is_part_of_the_time(world: World, table: Table, whole: bool) -> None:
    body = json.dumps({"action": PROGRAM, "expected_version": 1}).encode()
    length = f"content-length: {len(body)}" if whole else "transfer-encoding: chunked"
    pieces = (
        (body[:5], body[5:])
        if whole
        else (b"5\r\n%b\r\n" % body[:5], b"%x\r\n%b\r\n0\r\n\r\n" % (len(body) - 5, body[5:]))
    )
    head = "\r\n".join(
        [
            f"POST {table.path}/moves HTTP/1.1",
            "host: x",
            f"authorization: Bearer {table.players[0].token}",
            "content-type: application/json",
            length,
            "",
            "",
        ]
    )
    url, before = httpx.URL(world.url), spent(world)
    with socket.create_connection((url.host, url.port or 80), timeout=20) as line:
        line.sendall(head.encode() + pieces[0])
        time.sleep(SECONDS)
        line.sendall(pieces[1])
        assert line.recv(65_536).startswith(b"HTTP/1.1 200 ")
    assert spent(world) - before >= 0.9 * SECONDS  # the two clocks need not begin together

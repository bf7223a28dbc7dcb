"""The fast path of moves and the operation answer alike: status, headers and body, whatever was sent.

The same request is sent in two matches with the same moves: once as it is, and once with an empty query, which the fast path
leaves to the operation.
"""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.gateway.conftest import World
from tests.gateway.table import PROGRAM, Platform, Player, Table, unmarked

OF_ONE_REQUEST = {"x-request-id", "traceparent"}
"""Headers that differ from request to request."""


@dataclass(frozen=True)
class Sent:
    """What is sent beside the credential."""

    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True)
class Answered:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


def sent(body: Any, **headers: str) -> Sent:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Sent(
        data, {"content-type": "application/json"} | {k.replace("_", "-"): v for k, v in headers.items()}
    )


def make(player: Player, request: Sent, *, fast: bool, token: str | None = None) -> Answered:
    """Send a request and return the answer without what differs from match to match."""
    url = httpx.URL(str(player.base_url))
    connection = http.client.HTTPConnection(url.host, url.port or 80, timeout=20)
    credential = player.token if token is None else token
    headers = ({"authorization": f"Bearer {credential}"} if credential else {}) | request.headers
    target = f"/v1/matches/{player.match_id}/moves" + ("" if fast else "?")
    connection.request("POST", target, request.body, headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    found = {
        name.lower(): value for name, value in response.getheaders() if name.lower() not in OF_ONE_REQUEST
    }
    assert {name.lower() for name, _ in response.getheaders()} >= OF_ONE_REQUEST
    found.pop("date", None)
    if "etag" in found:  # two matches, two tokens: other marks
        found["etag"] = unmarked(response.getheader("etag", ""))
    if "content-encoding" not in found:
        body = body.replace(player.match_id.encode(), b"MATCH")
        body = re.sub(rb'"trace_id":"\w+"', b"TRACE", body)
    else:
        body = b""
        found.pop("content-length")
    return Answered(response.status, found, body)


def served_fast(world: World) -> float:
    """How many requests the fast path has begun."""
    found = re.search(r"^foldtable_fast_moves_total (\S+)$", world.gateway.metrics, re.MULTILINE)
    return float(found[1]) if found else 0.0


@pytest.fixture
def both(platform: Platform) -> Iterator[tuple[Player, Player]]:
    """The same seat of two matches."""
    with platform.new_table() as one, platform.new_table() as other:
        yield one.players[0], other.players[0]


MOVE = {"action": PROGRAM, "expected_version": 1}
AS_PROXIES_SEND_THEM = (
    'W/"v:%d"',
    '"v:%d-gzip"',
    'W/"v:%d;it;s=0123456789ab;a=0123456789ab-gzip"',
    '"v:%d;a=0123456789ab--gzip"',
    '"v:%d;a=0123456789ab;br"',
    '"v:%d;a=0123456789ab-zstd"',
    '"v:0", W/"v:%d"',
)
TAKEN = [
    pytest.param(sent(MOVE), 200, id="a move"),
    pytest.param(sent({**MOVE, "request_id": str(uuid4())}), 200, id="a request id"),
    pytest.param(sent(MOVE, idempotency_key='"once"'), 200, id="a request id in the header"),
    pytest.param(sent({"action": PROGRAM}, if_match='"v:1"'), 200, id="the version in the header"),
    pytest.param(sent(MOVE, accept_language="it"), 200, id="texts"),
    pytest.param(sent(MOVE, accept_language="*"), 200, id="texts in any language"),
    pytest.param(sent(MOVE, accept_encoding="gzip"), 200, id="short, with gzip accepted"),
    pytest.param(sent(MOVE, accept_encoding="gzip, identity;q=0"), 200, id="gzip required"),
    pytest.param(sent(MOVE, accept_encoding="identity"), 200, id="gzip not accepted"),
    pytest.param(sent(MOVE, origin="https://play.example"), 200, id="a page of another origin"),
    pytest.param(sent(MOVE, origin="https://elsewhere.example"), 200, id="a page that is not allowed"),
    pytest.param(
        sent(MOVE, origin="https://play.example", accept_encoding="gzip"),
        200,
        id="a page, with gzip accepted",
    ),
    pytest.param(sent({"action": PROGRAM}), 428, id="no version"),
    pytest.param(sent({**MOVE, "expected_version": 7}), 409, id="another version"),
    pytest.param(sent({"action": PROGRAM}, if_match='"v:7"'), 412, id="another version in the header"),
    pytest.param(
        sent({"action": PROGRAM}, if_match='"v:7"', accept_encoding="gzip"),
        412,
        id="a long refusal, with gzip",
    ),
    pytest.param(sent({**MOVE, "action": {"type": "lay_stone"}}), 400, id="no such action"),
    pytest.param(
        sent({**MOVE, "action": {"type": "submit_program", "cards": ["stone1"] * 5}}, accept_language="pl"),
        422,
        id="against the rules, with a text",
    ),
    *(
        pytest.param(sent({"action": PROGRAM}, if_match=tag % 1), 200, id=tag % 1)
        for tag in AS_PROXIES_SEND_THEM
    ),
    *(
        pytest.param(sent({"action": PROGRAM}, if_match=tag % 7), 412, id=tag % 7)
        for tag in AS_PROXIES_SEND_THEM
    ),
]
LEFT = [
    pytest.param(sent(b"{"), 400, id="no JSON"),
    pytest.param(sent({**MOVE, "more": 1}), 400, id="an unknown field"),
    pytest.param(sent(b"[" * 100), 400, id="nested too deep"),
    pytest.param(sent(b'{"action":{"type":"\xff"}}'), 400, id="no UTF-8"),
    pytest.param(sent(b'{"action":{"type":"x","type":"y"},"expected_version":1}'), 400, id="a name twice"),
    pytest.param(sent(b'{"action":{"n":9007199254740992},"expected_version":1}'), 400, id="2^53"),
    pytest.param(sent(b'{"action":{"t":"\\ud800"},"expected_version":1}'), 400, id="half a character"),
    pytest.param(sent(MOVE, content_type="text/plain"), 415, id="another type"),
    pytest.param(sent({"action": PROGRAM}, if_match="*"), 400, id="any version"),
    pytest.param(sent(MOVE, idempotency_key=""), 400, id="an empty request id"),
    pytest.param(sent(b"x" * 70_000), 413, id="too long"),
    pytest.param(sent({"action": PROGRAM}, if_match='"v:1x"'), 400, id="no tag of ours"),
]


@pytest.mark.parametrize(("request_", "status"), TAKEN)
def test_the_fast_path_answers_as_the_operation_does(
    world: World, both: tuple[Player, Player], request_: Sent, status: int
) -> None:
    before = served_fast(world)
    answered = make(both[0], request_, fast=True)
    assert served_fast(world) == before + 1
    assert answered == make(both[1], request_, fast=False)
    assert answered.status == status, answered.body


@pytest.mark.parametrize(("request_", "status"), LEFT)
def test_the_rest_is_left_to_the_operation(
    world: World, both: tuple[Player, Player], request_: Sent, status: int
) -> None:
    before = served_fast(world)
    answered = make(both[0], request_, fast=True)
    assert served_fast(world) == before
    assert answered == make(both[1], request_, fast=False)
    assert answered.status == status, answered.body


def test_a_repeat_gets_the_first_answer_from_either(both: tuple[Player, Player]) -> None:
    request = sent({**MOVE, "request_id": "again"})
    firsts = [make(player, request, fast=fast) for player, fast in zip(both, (True, False), strict=True)]
    again = [make(player, request, fast=fast) for player, fast in zip(both, (False, True), strict=True)]
    assert again[0] == again[1]
    assert again[0].headers["idempotent-replayed"] == "true"
    assert again[0].body == firsts[0].body == firsts[1].body


@pytest.mark.parametrize("token", ["", "eyJx", "ft_dev_unknown"])
def test_callers_who_are_not_known_are_left_to_the_operation(
    world: World, both: tuple[Player, Player], token: str
) -> None:
    before = served_fast(world)
    answered = [
        make(player, sent(MOVE), fast=fast, token=token)
        for player, fast in zip(both, (True, False), strict=True)
    ]
    assert [one.status for one in answered] == [401, 401]
    assert answered[0].body == answered[1].body
    assert served_fast(world) == before


def test_a_key_is_served_once_it_is_known(
    world: World, platform: Platform, both: tuple[Player, Player]
) -> None:
    match = platform.get(f"/v1/matches/{both[0].match_id}")
    assert match.status_code == 200
    before = served_fast(world)
    answered = make(both[0], sent({**MOVE, "seat": 0}), fast=True, token=world.key)
    assert (answered.status, served_fast(world)) == (200, before + 1)


def test_a_client_that_goes_away_has_made_its_move(world: World, table: Table) -> None:
    player = table.players[0]
    url = httpx.URL(str(player.base_url))
    connection = http.client.HTTPConnection(url.host, url.port or 80, timeout=20)
    headers = {"authorization": f"Bearer {player.token}", "content-type": "application/json"}
    connection.request("POST", f"{table.path}/moves", json.dumps(MOVE), headers)
    connection.close()
    for _ in range(200):
        if table.match()["version"] == 2:
            break
    assert table.match()["version"] == 2

"""Hot operations answer alike however a request arrives: status, headers and body.

The same request is sent in two matches with the same moves: once as a whole, from the HTTP protocol itself, and once in a form that
goes through ASGI.
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
OF_A_CONNECTION = {"date", "connection"}


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


def make(player: Player, request: Sent, *, whole: bool, token: str | None = None) -> Answered:
    """Make a move, as a whole or in chunks, and return the answer without what differs from match to match."""
    headers = {} if whole else {"transfer-encoding": "chunked"}
    body = request.body if whole else iter([request.body[:1], request.body[1:]])
    return ask(player, "POST", "moves", body, request.headers | headers, token)


def read(player: Player, target: str, headers: dict[str, str], *, whole: bool) -> Answered:
    """Read something, over a connection that goes on or one that is closed, and return the same."""
    return ask(player, "GET", target, None, headers | ({} if whole else {"connection": "close"}), None)


def ask(
    player: Player, method: str, target: str, body: Any, headers: dict[str, str], token: str | None
) -> Answered:
    url = httpx.URL(str(player.base_url))
    connection = http.client.HTTPConnection(url.host, url.port or 80, timeout=20)
    credential = player.token if token is None else token
    headers = ({"authorization": f"Bearer {credential}"} if credential else {}) | headers
    chunked = "transfer-encoding" in headers
    connection.request(
        method, f"/v1/matches/{player.match_id}/{target}", body, headers, encode_chunked=chunked
    )
    response = connection.getresponse()
    content = response.read()
    connection.close()
    found = {
        name.lower(): value for name, value in response.getheaders() if name.lower() not in OF_ONE_REQUEST
    }
    assert {name.lower() for name, _ in response.getheaders()} >= OF_ONE_REQUEST
    for name in OF_A_CONNECTION:
        found.pop(name, None)
    if "ratelimit" in found:  # which refills meanwhile
        found["ratelimit"] = re.sub(r"r=\d+", "r=N", found["ratelimit"])
    if "etag" in found:  # two matches, two tokens: other marks
        found["etag"] = unmarked(response.getheader("etag", ""))
    if "content-encoding" not in found:
        content = content.replace(player.match_id.encode(), b"MATCH")
        content = re.sub(rb'"trace_id":"\w+"', b"TRACE", content)
    else:
        content = b""
        found.pop("content-length")
    return Answered(response.status, found, content)


def served(world: World, operation: str, by: str) -> float:
    """How many requests for an operation have come so."""
    pattern = rf'^foldtable_hot_requests_total{{by="{by}",operation="{operation}"}} (\S+)$'
    found = re.search(pattern, world.gateway.metrics, re.MULTILINE)
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
MOVES = [
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
    pytest.param(sent({"action": PROGRAM}, if_match='"v:1x"'), 400, id="no tag of ours"),
]


@pytest.mark.parametrize(("request_", "status"), MOVES)
def test_a_move_is_answered_alike_however_it_arrives(
    world: World, both: tuple[Player, Player], request_: Sent, status: int
) -> None:
    before = [served(world, "makeMove", by) for by in ("protocol", "asgi")]
    answered = make(both[0], request_, whole=True)
    assert answered == make(both[1], request_, whole=False)
    assert [served(world, "makeMove", by) for by in ("protocol", "asgi")] == [one + 1 for one in before]
    assert answered.status == status, answered.body


def test_a_body_that_is_too_long_is_refused_while_it_arrives(
    world: World, both: tuple[Player, Player]
) -> None:
    before = served(world, "makeMove", "protocol")
    answered = [
        make(player, sent(b"x" * 70_000), whole=whole)
        for player, whole in zip(both, (True, False), strict=True)
    ]
    assert [one.status for one in answered] == [413, 413]
    assert served(world, "makeMove", "protocol") == before


READS = [
    pytest.param("getView", "view", {}, 200, id="a view"),
    pytest.param("getView", "view?at=1&lang=fr", {}, 200, id="an earlier view, with texts"),
    pytest.param("getView", "view", {"accept-encoding": "gzip"}, 200, id="a view, compressed"),
    pytest.param("getView", "view?at=99", {}, 404, id="a version that there is not"),
    pytest.param("getView", "view?seat=1", {}, 403, id="another seat's view"),
    pytest.param("getView", "view?nobody=1", {}, 400, id="an unknown parameter"),
    pytest.param("getTable", "table", {"accept-language": "pl"}, 200, id="a table"),
    pytest.param("getLegalActions", "legal-actions?hints=true", {}, 200, id="legal actions"),
    pytest.param(
        "getLegalActions", "legal-actions", {"origin": "https://play.example"}, 200, id="for another origin"
    ),
    pytest.param("listMoves", "moves", {}, 200, id="moves"),
    pytest.param("listMoves", "moves?after=1&wait=1s", {}, 200, id="a long poll"),
]


@pytest.mark.parametrize(("operation", "target", "headers", "status"), READS)
def test_a_read_is_answered_alike_however_it_arrives(
    world: World,
    both: tuple[Player, Player],
    operation: str,
    target: str,
    headers: dict[str, str],
    status: int,
) -> None:
    before = [served(world, operation, by) for by in ("protocol", "asgi")]
    answered = read(both[0], target, headers, whole=True)
    assert answered == read(both[0], target, headers, whole=False)
    assert [served(world, operation, by) for by in ("protocol", "asgi")] == [one + 1 for one in before]
    assert answered.status == status, answered.body


def test_what_is_unchanged_is_not_sent_again_however_it_is_asked_for(both: tuple[Player, Player]) -> None:
    for target in ("view", "table"):
        tag = both[0].get(f"/v1/matches/{both[0].match_id}/{target}").headers["etag"]
        for whole in (True, False):
            found = read(both[0], target, {"if-none-match": tag}, whole=whole)
            assert (found.status, found.body) == (304, b"")


def test_the_head_of_a_hot_operation_is_that_of_its_answer(both: tuple[Player, Player]) -> None:
    with_body = read(both[0], "view", {}, whole=True)
    head = ask(both[0], "HEAD", "view", None, {}, None)
    assert (head.status, head.headers["content-length"]) == (200, with_body.headers["content-length"])
    assert head.headers["ratelimit-policy"] == with_body.headers["ratelimit-policy"]
    assert head.body == b""


def test_a_repeat_gets_the_first_answer_from_either(both: tuple[Player, Player]) -> None:
    request = sent({**MOVE, "request_id": "again"})
    firsts = [make(player, request, whole=whole) for player, whole in zip(both, (True, False), strict=True)]
    again = [make(player, request, whole=whole) for player, whole in zip(both, (False, True), strict=True)]
    assert again[0] == again[1]
    assert again[0].headers["idempotent-replayed"] == "true"
    assert again[0].body == firsts[0].body == firsts[1].body


@pytest.mark.parametrize("token", ["", "eyJx", "ft_dev_unknown"])
def test_a_caller_who_is_not_known_is_refused_alike(both: tuple[Player, Player], token: str) -> None:
    answered = [
        make(player, sent(MOVE), whole=whole, token=token)
        for player, whole in zip(both, (True, False), strict=True)
    ]
    assert [one.status for one in answered] == [401, 401]
    assert answered[0].body == answered[1].body


def test_a_key_moves_for_a_seat_however_it_arrives(world: World, both: tuple[Player, Player]) -> None:
    answered = [
        make(player, sent({**MOVE, "seat": 0}), whole=whole, token=world.key)
        for player, whole in zip(both, (True, False), strict=True)
    ]
    assert (answered[0].status, answered[0]) == (200, answered[1])


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

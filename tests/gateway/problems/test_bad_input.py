"""Whatever is sent, the answer is a problem document with the right status, and no fault of ours."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from gateway.schemas.problem_types import Problem
from tests.gateway.conftest import World
from tests.gateway.table import FIVE_CARDS, Platform, Player, Table

JSON = {"content-type": "application/json"}
DEEP = b"[" * 20_000 + b"]" * 20_000


@pytest.fixture(autouse=True)
def nothing_goes_wrong_on_our_side(world: World) -> Iterator[None]:
    """No 500, no traceback, in either process's log."""
    before = len(world.gateway.lines()), len(world.rules.lines())
    yield
    logged = world.gateway.lines()[before[0] :] + world.rules.lines()[before[1] :]
    assert [line for line in logged if line["level"] in ("error", "critical") or "exception" in line] == []


def must_be_problem(answer: httpx.Response, status: int, reason: str) -> dict[str, Any]:
    """Check what every error answer has, and give the document."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    assert (answer.status_code, answer.json()["reason"]) == (status, reason), answer.text
    msgspec.json.decode(answer.content, type=Problem, strict=True)
    told: dict[str, Any] = answer.json()
    assert told["status"] == status
    assert told["instance"] == answer.request.url.path
    assert told["type"] == f"/problems/{reason}"
    assert told["trace_id"] in answer.headers["traceparent"]
    assert "Traceback" not in answer.text
    return told


@pytest.mark.parametrize(
    ("action", "pointer"),
    [
        pytest.param(b"7", "/action", id="a number"),
        pytest.param(b"null", "/action", id="null"),
        pytest.param(b"[]", "/action", id="a list"),
        pytest.param(b"{}", "/action/type", id="no type"),
        pytest.param(b'{"type":"castle"}', "/action/type", id="another game's type"),
        pytest.param(b'{"type":7}', "/action/type", id="a type that is a number"),
        pytest.param(b'{"type":"start_match"}', "/action/type", id="the system's own"),
        pytest.param(b'{"type":"submit_program"}', "/action/cards", id="no cards"),
        pytest.param(b'{"type":"submit_program","cards":"jump"}', "/action/cards", id="cards as text"),
        pytest.param(
            b'{"type":"submit_program","cards":[1,2,3,4,5]}', "/action/cards/0", id="numbers as cards"
        ),
        pytest.param(b'{"type":"submit_program","cards":["queen"]}', "/action/cards/0", id="an unknown card"),
        pytest.param(b'{"type":"submit_program","cards":[],"x":1}', "/action/x", id="an unknown field"),
        pytest.param(b'{"type":"place_stone","island":1}', "/action/island", id="an island that is a number"),
        pytest.param(b'{"type":"place_stone_at","x":1.5,"y":0}', "/action/x", id="half a unit"),
        pytest.param(
            b'{"type":"submit_program","cards":' + b"[" * 20 + b"]" * 20 + b"}",
            "/action/cards/0",
            id="nested",
        ),
    ],
)
def test_an_action_that_cannot_be_read(player: Player, action: bytes, pointer: str) -> None:
    body = b'{"expected_version":1,"action":' + action + b"}"
    answer = player.post(f"/v1/matches/{player.match_id}/moves", content=body, headers=JSON)
    told = must_be_problem(answer, 400, "MALFORMED_MOVE")
    assert told["errors"][0]["pointer"].startswith("/action")
    assert pointer.startswith(told["errors"][0]["pointer"])


@pytest.mark.parametrize("number", [b"1e999", b"9" * 300], ids=["infinity", "9…9"])
def test_an_action_with_a_number_that_parsers_read_differently(player: Player, number: bytes) -> None:
    body = b'{"expected_version":1,"action":{"type":"place_stone_at","x":' + number + b',"y":0}}'
    answer = player.post(f"/v1/matches/{player.match_id}/moves", content=body, headers=JSON)
    (part,) = must_be_problem(answer, 400, "MALFORMED_REQUEST")["errors"]
    assert (part["code"], part["pointer"]) == ("OUT_OF_RANGE", "/action/x")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x00\xff\xfe", id="bytes"),
        pytest.param(b"{", id="half an object"),
        pytest.param(b'"move"', id="a text"),
        pytest.param(b'{"expected_version":1}', id="no action"),
        pytest.param(b'{"action":NaN,"expected_version":1}', id="NaN"),
        pytest.param(b'{"action":Infinity,"expected_version":1}', id="Infinity"),
        pytest.param(b'{"action":' + DEEP + b',"expected_version":1}', id="deep nesting"),
        pytest.param(b'{"action":{"type":"\\ud83d"},"expected_version":1}', id="lone surrogate"),
        pytest.param(b'{"action":{"type":"\xc3\x28"},"expected_version":1}', id="not UTF-8"),
        pytest.param(b'{"action":{},"expected_version":1,"version":1}', id="unknown field"),
        pytest.param(b'{"action":{},"expected_version":"1"}', id="version as text"),
        pytest.param(b'{"action":{},"expected_version":-1}', id="negative version"),
        pytest.param(b'{"action":{},"expected_version":1e30}', id="huge version"),
        pytest.param(b'{"action":{},"expected_version":1,"request_id":7}', id="request id as a number"),
        pytest.param(
            b'{"action":{},"expected_version":1,"request_id":"\\u0000"}', id="NUL in the request id"
        ),
        pytest.param(
            b'{"action":{},"expected_version":1,"request_id":"' + b"a" * 65 + b'"}', id="long request id"
        ),
        pytest.param(b'{"action":{},"expected_version":1,"seat":"zero"}', id="seat in words"),
    ],
)
def test_a_body_that_cannot_be_read(player: Player, body: bytes) -> None:
    answer = player.post(f"/v1/matches/{player.match_id}/moves", content=body, headers=JSON)
    told = must_be_problem(answer, 400, "MALFORMED_REQUEST")
    assert told["errors"][0]["code"]
    assert "pointer" in told["errors"][0]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"seats": "2"}, "/seats"),
        ({"seats": 0}, "/seats"),
        ({"seats": 10**30}, "/seats"),
        ({"seats": None}, "/seats"),
        ({"clock": {"kind": "per_move", "seconds": 60, "increment_seconds": 5}}, "/clock/increment_seconds"),
        ({"undo_timeout_seconds": 0}, "/undo_timeout_seconds"),
        ({"bot_pace_seconds": -0.5}, "/bot_pace_seconds"),
        ({"bot_pace_seconds": 30.001}, "/bot_pace_seconds"),
        ({"bot_pace_seconds": "1"}, "/bot_pace_seconds"),
        ({"game": 7}, "/game"),
        ({"game": "a" * 65}, "/game"),
        ({"players": "ada"}, "/players"),
        ({"players": ["ada", "bert", "carl"]}, "/players"),
        ({"players": ["a\u0000b"]}, "/players/0"),
        ({"players": ["a" * 101]}, "/players/0"),
        ({"players": ["ada"], "open_seats": True}, "/players"),
        ({"open_seats": 1}, "/open_seats"),
        ({"secret": "00"}, "/secret"),
        ({"tenant": "theirs"}, "/tenant"),
    ],
)
def test_a_match_that_cannot_be_created_as_asked(
    platform: Platform, change: dict[str, Any], pointer: str
) -> None:
    body = json.dumps({"game": "river_dragons", "seats": 2} | change).encode()
    answer = platform.post("/v1/matches", content=body, headers=JSON)
    told = must_be_problem(answer, 400, "MALFORMED_REQUEST")
    assert told["errors"][0]["pointer"] == pointer


def test_six_cards_are_the_rules_business(player: Player) -> None:
    answer = player.move({"type": "submit_program", "cards": [*FIVE_CARDS, "remove"]}, 1)
    assert (answer.status_code, answer.json()["rule"], answer.json()["field"]) == (422, "5", "cards")


@pytest.mark.parametrize("way", ["announced", "in pieces"])
def test_a_body_that_is_too_large(player: Player, way: str) -> None:
    large = b'{"action":"' + b"x" * 3_000_000 + b'","expected_version":1}'
    pieces = (large[start : start + 50_000] for start in range(0, len(large), 50_000))
    content = large if way == "announced" else pieces
    answer = player.post(f"/v1/matches/{player.match_id}/moves", content=content, headers=JSON)
    must_be_problem(answer, 413, "BODY_TOO_LARGE")
    assert player.look("view").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/json; charset=utf-16"},
        {},
        {"content-type": "application/json", "content-encoding": "gzip"},
    ],
)
def test_a_body_that_is_no_json(player: Player, headers: dict[str, str]) -> None:
    body = b'{"action":{"type":"jump"},"expected_version":1}'
    answer = player.post(f"/v1/matches/{player.match_id}/moves", content=body, headers=headers)
    must_be_problem(answer, 415, "UNSUPPORTED_MEDIA_TYPE")


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("/v1/games?page=1", "page"),
        ("/v1/games/river_dragons?x=1", "x"),
        ("/v1/matches/{match}?seat=0", "seat"),
        ("/v1/matches/{match}/view?seat=0&seat=1", "seat"),
        ("/v1/matches/{match}/moves?page_size=-1", "page_size"),
        ("/v1/matches/{match}/moves?after=1.5", "after"),
        ("/v1/matches/{match}/export?at=1", "at"),
        ("/v1/matches/{match}/verify?deep=1", "deep"),
        ("/v1/matches/{match}/stream?version=1", "version"),
        ("/problems?lang=de", "lang"),
        ("/openapi.json?v=2", "v"),
    ],
)
def test_a_query_with_something_unknown_or_unreadable(table: Table, path: str, parameter: str) -> None:
    answer = table.platform.get(path.format(match=table.match_id))
    told = must_be_problem(answer, 400, "MALFORMED_REQUEST")
    assert told["errors"][0]["parameter"] == parameter


@pytest.mark.parametrize("seat", ["100", "9" * 10, "9" * 5_000])
def test_a_seat_that_no_table_has(table: Table, seat: str) -> None:
    answer = table.platform.post(f"{table.path}/seats/{seat}/token")
    told = must_be_problem(answer, 400, "MALFORMED_REQUEST")
    assert told["errors"][0]["parameter"] == "seat"


def test_a_post_knows_no_query_either(player: Player) -> None:
    answer = player.post(f"/v1/matches/{player.match_id}/moves?seat=0", json={"action": {}})
    must_be_problem(answer, 400, "MALFORMED_REQUEST")


def test_who_may_not_know_learns_nothing_of_games(anybody: httpx.Client) -> None:
    """Without a valid key it is 401, whether the game exists or not."""
    headers = {"authorization": "Bearer ft_dev_unknown"}
    for game in ("river_dragons", "chess"):
        answer = anybody.post("/v1/matches", json={"game": game, "seats": 2}, headers=headers)
        must_be_problem(answer, 401, "TOKEN_INVALID")


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/",
        "/v1/matches/",
        "/v1/games/",
        "/v2/games",
        "/redoc",
        "/v1/matches/x/y",
        "/%00",
    ],
)
def test_a_path_where_nothing_is_served(anybody: httpx.Client, path: str) -> None:
    must_be_problem(anybody.get(path), 404, "ROUTE_NOT_FOUND")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("PUT", "/v1/matches", "GET, HEAD, POST"),
        ("PUT", "/v1/matches/{match}", "DELETE, GET, HEAD, PATCH"),
        ("PUT", "/v1/matches/{match}/moves", "GET, HEAD, POST"),
        ("POST", "/v1/matches/{match}/view", "GET, HEAD"),
        ("GET", "/v1/matches/{match}/resign", "POST"),
        ("OPTIONS", "/v1/games", "GET, HEAD"),
        ("PURGE", "/v1/games", "GET, HEAD"),
    ],
)
def test_a_method_a_path_does_not_know(table: Table, method: str, path: str, allow: str) -> None:
    answer = table.platform.request(method, path.format(match=table.match_id))
    must_be_problem(answer, 405, "METHOD_NOT_ALLOWED")
    assert answer.headers["allow"] == allow


def test_an_endless_stream_has_no_head(table: Table) -> None:
    answer = table.platform.request("HEAD", f"{table.path}/stream")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")


def over_a_bare_socket(world: World, *requests: bytes) -> tuple[int, dict[str, Any]]:
    """Send bytes as they are, each after the answer to those before; give status and document of the last answer."""
    url = httpx.URL(world.url)
    with socket.create_connection((url.host, url.port or 80), timeout=5) as connection:
        *first, last = requests
        for request in first:
            connection.sendall(request)
            assert connection.recv(65536).startswith(b"HTTP/1.1 200")
        connection.sendall(last)
        answer = b""
        while received := connection.recv(65536):
            answer += received
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head
    told: dict[str, Any] = json.loads(body)
    return int(head.split(b" ")[1]), told


@pytest.mark.parametrize(
    "line", [b"NONSENSE\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00", b"BREW / HTTP/1.1\r\n"]
)
def test_what_is_no_http(world: World, line: bytes) -> None:
    status, told = over_a_bare_socket(world, line)
    assert (status, told["status"], told["reason"]) == (400, 400, "NOT_HTTP")


def test_a_head_without_end(world: World) -> None:
    """On a fresh connection, and after a good request on the same one."""
    good = b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
    endless = (good.removesuffix(b"\r\n") + b"X-Much: ").ljust(64 * 1024 + 1, b"a")
    for requests in ([endless], [good, endless]):
        status, told = over_a_bare_socket(world, *requests)
        assert (status, told["status"], told["reason"]) == (431, 431, "HEAD_TOO_LARGE")


def test_a_large_body_does_not_count_as_head(player: Player) -> None:
    body = b'{"action":{"type":"jump"},"expected_version":1}'.ljust(65_000)
    for _ in range(3):
        answer = player.post(f"/v1/matches/{player.match_id}/moves", content=body, headers=JSON)
        must_be_problem(answer, 400, "MALFORMED_MOVE")

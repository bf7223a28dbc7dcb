"""`play` of the Python client asks for no more than it has to, and decides again on the newest table."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from foldtable_client import Client, RefusedByTheRules
from foldtable_client.types import Table

LAST = 4
PASS = {"type": "pass"}


def table(version: int) -> dict[str, Any]:
    """A table at which the seat must decide, until the last version."""
    ended = version >= LAST
    return {
        "version": version,
        "audience": {"kind": "seat", "seat": 0},
        "match": {"status": "ended" if ended else "running"},
        "legal": None if ended else {"actions": [PASS]},
    }


class Server:
    """A match of one player. It answers each move as it is told, and at last makes it."""

    def __init__(self, *answers: httpx.Response, with_table: bool = True) -> None:
        self.version = 1
        self.asked: list[str] = []
        self.keys: list[str] = []
        self._answers = list(answers)
        self._with_table = with_table

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(f"{request.method} {request.url.path.rpartition('/')[2]}")
        if request.method == "GET":
            return httpx.Response(200, json=table(self.version))
        assert request.url.params["include"] == "table"
        self.asked[-1] += f" on {request.headers['If-Match']}"
        self.keys.append(request.headers["Idempotency-Key"])
        if self._answers:
            answer = self._answers.pop(0)
            if answer.status_code == httpx.codes.PRECONDITION_FAILED:
                self.version = json.loads(answer.content)["current_version"]
            return answer
        self.version += 1
        shown = table(self.version) if self._with_table else None
        return httpx.Response(200, json={"version": self.version, "table": shown})


def play(server: Server) -> tuple[list[int], Table]:
    """Return the versions that were decided on, and the last table."""
    decided: list[int] = []

    def choose(shown: Table) -> Any:
        decided.append(shown["version"])
        return PASS

    with Client("http://table.test", transport=httpx.MockTransport(server)) as client:
        return decided, client.play("m", choose)


def test_the_answer_to_a_move_is_what_the_next_one_is_decided_on() -> None:
    server = Server()
    decided, last = play(server)
    moves = [f'POST moves on "v:{version}"' for version in (1, 2, 3)]
    assert server.asked == ["GET table", *moves], "one request for a move"
    assert (decided, last["version"]) == ([1, 2, 3], LAST)
    assert len(set(server.keys)) == len(moves)


def test_a_table_that_could_not_be_read_is_read_again() -> None:
    server = Server(with_table=False)
    assert play(server)[0] == [1, 2, 3]
    assert server.asked.count("GET table") == LAST


def test_a_move_that_came_too_late_is_decided_on_the_newest_table() -> None:
    conflict = {"reason": "VERSION_CONFLICT", "current_version": 3}
    server = Server(httpx.Response(412, json=conflict))
    assert play(server)[0] == [1, 3]
    assert server.asked == ["GET table", 'POST moves on "v:1"', "GET table", 'POST moves on "v:3"']


def test_a_move_that_is_cut_off_is_sent_again_as_the_same() -> None:
    server = Server(httpx.Response(503, json={}, headers={"Retry-After": "0"}))
    assert play(server)[0] == [1, 2, 3]
    assert len(server.keys) == LAST
    assert len(set(server.keys)) == LAST - 1


def test_a_move_that_is_illegal_ends_it() -> None:
    server = Server(httpx.Response(422, json={"reason": "CARD_TWICE", "rule": "5"}))
    with pytest.raises(RefusedByTheRules):
        play(server)

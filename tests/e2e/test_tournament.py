"""A tournament of 200 boards, run from outside: created with one request, followed by its own references through webhooks only.

The receiver is a program of its own. It is killed in the middle and started again; every result arrives, and no match is read.
"""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.running_system import running_system, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

BOARDS = 200
HALF = BOARDS // 2
UNHEARD = 10
"""Boards that end while the receiver is gone."""
AT_ONCE = 8
ENDPOINTS = "/v1/webhooks/endpoints"
GENEROUS = "key.lobby=100000/60,key.moves=100000/60,key.reads=100000/60"

RECEIVER = """
import http.server, json, os, sys

class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        event = json.loads(self.rfile.read(int(self.headers["content-length"])))
        line = json.dumps([self.headers["webhook-id"], event["type"], event["data"]])
        with open(sys.argv[2], "a") as results:
            results.write(line + "\\n")
            results.flush()
            os.fsync(results.fileno())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *words):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
"""


@contextmanager
def receiver(port: int, results: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run the platform's receiver, which writes down what it is told before it answers."""
    with subprocess.Popen([sys.executable, "-c", RECEIVER, str(port), str(results)]) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGKILL)


def told(results: Path) -> list[Any]:
    return [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def boards(run: str) -> list[dict[str, Any]]:
    return [
        {
            "game": "river_dragons",
            "seats": 2,
            "seating": [{"player": f"{run}-{2 * board}"}, {"player": f"{run}-{2 * board + 1}"}],
            "reference": f"{run}/board-{board}",
        }
        for board in range(BOARDS)
    ]


class Tournament:
    """What the platform does. It keeps its own references and the seats' tokens, and reads no match."""

    def __init__(self, client: httpx.Client, run: str) -> None:
        self.run = run
        self.client = client
        self.asked: Counter[str] = Counter()

    def post(self, path: str, body: dict[str, Any], credential: str = "", **headers: str) -> Any:
        self.asked[path] += 1
        sent = {**headers, **({"authorization": f"Bearer {credential}"} if credential else {})}
        answer = self.client.post(path, json=body, headers=sent)
        assert answer.is_success, answer.text
        return answer.json()

    def create(self) -> list[dict[str, Any]]:
        body = {"mode": "all", "matches": boards(self.run)}
        given = self.post("/v1/matches/batch", body, **{"idempotency-key": f'"{self.run}"'})
        return [result["created"] for result in given["results"]]


def resign(url: str, board: tuple[int, dict[str, Any]]) -> None:
    """A player of a board gives up, as on a page: seat 1 of even boards, seat 0 of odd ones."""
    number, created = board
    token = created["seat_tokens"][1 - number % 2]["token"]
    path = f"/v1/matches/{created['match']['match_id']}/resign"
    answer = httpx.post(
        f"{url}{path}", json={}, headers={"authorization": f"Bearer {token}"}, timeout=60, trust_env=False
    )
    assert answer.status_code == 200, answer.text


def test_a_tournament_is_run_by_references_and_webhooks_alone(tmp_path: Path) -> None:
    run, results, port = uuid4().hex[:8], tmp_path / "results.jsonl", free_port()
    with (
        running_system(tmp_path / "home", FOLDTABLE_RATE_LIMITS=GENEROUS) as system,
        system.client() as client,
        ThreadPoolExecutor(AT_ONCE) as players,
    ):
        tournament = Tournament(client, run)
        endpoint = {"url": f"http://127.0.0.1:{port}/results", "event_types": ["match.ended"]}
        tournament.post(ENDPOINTS, endpoint)
        play = partial(resign, system.address)
        with receiver(port, results):
            made = tournament.create()
            assert [one["match"]["reference"] for one in made] == [one["reference"] for one in boards(run)]
            numbered = list(enumerate(made))
            list(players.map(play, numbered[:HALF]))
        list(players.map(play, numbered[HALF : HALF + UNHEARD]))  # nobody listens
        with receiver(port, results):
            list(players.map(play, numbered[HALF + UNHEARD :]))
            # What failed once is tried again after 5 s; what failed twice, on a slow machine, after 5 min.
            wait_until(lambda: len({event for event, *_ in told(results)}) == BOARDS, 420)

        winners = {data["reference"]: data["outcome"]["winners"] for _, _, data in told(results)}
        assert winners == {f"{run}/board-{number}": [number % 2] for number in range(BOARDS)}
        players_of = {data["reference"]: data["players"] for _, _, data in told(results)}
        assert players_of[f"{run}/board-7"] == [f"{run}-14", f"{run}-15"]
        assert tournament.asked == {ENDPOINTS: 1, "/v1/matches/batch": 1}, "nothing is asked twice"

        again = tournament.create()
        assert [one["match"]["match_id"] for one in again] == [one["match"]["match_id"] for one in made]

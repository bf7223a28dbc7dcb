"""The built-in bots at real tables: every level of every game to the end, no move twice, and no worker is missed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.bots.levels import LEVELS
from engine.registry import GAMES
from tests.support.running_system import System, environment

pytestmark = pytest.mark.slow

WAIT_SECONDS = 100.0
MAX_MOVES = 2_000


@contextmanager
def worker(system: System, log: Path, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker beside the system's own."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "services.bots"],
            stdout=output,
            stderr=output,
            env={
                **environment(),
                "FOLDTABLE_GATEWAY": system.address,
                "FOLDTABLE_BOTS_KEY_FILE": str(system.home / "bots_key"),
                "FOLDTABLE_BOT_SECONDS": "0.02",
                **settings,
            },
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(10)


def wait_for_line(log: Path, word: str, seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while word not in log.read_text():
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.02)


def create(client: httpx.Client, game: str, *kinds: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/v1/matches", json={"game": game, "seats": len(kinds), "seating": list(kinds)})
    assert answer.status_code == 201, answer.text
    return answer.json()["match"]


def bot(level: str) -> dict[str, Any]:
    return {"kind": "bot", "level": level}


def match_now(client: httpx.Client, match_id: str) -> dict[str, Any]:
    return client.get(f"/v1/matches/{match_id}").json()


def play_seat_0(
    client: httpx.Client, match_id: str, until: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """Play a person's seat at random until something holds; the bots play the others."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not until(match := match_now(client, match_id)):
        assert time.monotonic() < deadline, match
        legal = client.get(f"/v1/matches/{match_id}/legal-actions", params={"seat": 0, "samples": 1}).json()
        if legal["samples"]:
            body = {"action": legal["samples"][0], "expected_version": legal["version"], "seat": 0}
            assert client.post(f"/v1/matches/{match_id}/moves", json=body).status_code in {200, 409}
        else:
            client.get(f"/v1/matches/{match_id}/moves", params={"after": legal["version"], "wait": "2s"})
    return match


def is_over(match: dict[str, Any]) -> bool:
    return match["status"] == "ended"


def moves_of(client: httpx.Client, match_id: str) -> list[dict[str, Any]]:
    return client.get(
        f"/v1/matches/{match_id}/moves", params={"page_size": 1000, "audience": "referee"}
    ).json()["moves"]


@pytest.mark.parametrize("game", GAMES)
def test_a_person_and_a_bot_of_every_level_play_a_match_to_its_end(system: System, game: str) -> None:
    levels = [level for level in LEVELS if level != "search"]  # it thinks half a second a move: see below
    with system.client() as client:
        match = create(client, game, {"player": "ada"}, *(bot(level) for level in levels))
        ended = play_seat_0(client, match["match_id"], is_over)
        assert ended["outcome"]["results"]
        moved = {move["seat"] for move in moves_of(client, match["match_id"])}
        assert moved >= {0, 1, 2}
        verified = client.get(f"/v1/matches/{match['match_id']}/verify").json()
        assert verified["ok"]


def test_bots_wait_for_people_to_follow_and_other_matches_do_not_wait(system: System) -> None:
    with system.client() as client:
        seating = [bot("greedy"), bot("random")]
        body = {"game": "river_of_gold", "seats": 2, "seating": seating}
        slow = client.post("/v1/matches", json={**body, "bot_pace_seconds": 0.4}).json()["match"]["match_id"]
        quick = create(client, "river_of_gold", *seating)["match_id"]
        deadline = time.monotonic() + WAIT_SECONDS
        while match_now(client, slow)["version"] < 5:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        times = [datetime.fromisoformat(move["recorded_at"]) for move in moves_of(client, slow)]
        assert min((after - before).total_seconds() for before, after in pairwise(times)) >= 0.4
        assert match_now(client, quick)["version"] > 2 * len(times)
        client.post(f"/v1/matches/{slow}/abort", json={})


def test_bots_with_little_time_do_not_lose_it_by_waiting(system: System) -> None:
    with system.client() as client:
        body = {"game": "river_of_gold", "seats": 2, "seating": [bot("random"), bot("random")]}
        clock = {"kind": "per_move", "seconds": 3, "absent": "forfeit"}
        match_id = client.post("/v1/matches", json={**body, "bot_pace_seconds": 30, "clock": clock}).json()[
            "match"
        ]["match_id"]
        deadline = time.monotonic() + WAIT_SECONDS
        while match_now(client, match_id)["version"] < 5:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert not any(move["timed_out"] for move in moves_of(client, match_id))
        client.post(f"/v1/matches/{match_id}/abort", json={})


def test_two_workers_at_the_same_seats_move_once_each_time(system: System, tmp_path: Path) -> None:
    """The system's own worker is the one, ours the other: both think about every move, one of them makes it."""
    log = tmp_path / "worker.log"
    log.touch()
    with system.client() as client, worker(system, log) as process:
        wait_for_line(log, '"playing"')
        match = create(client, "river_of_gold", bot("random"), bot("random"))
        deadline = time.monotonic() + WAIT_SECONDS
        while not is_over(match_now(client, match["match_id"])):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        process.terminate()
        assert process.wait(20) == 0
        assert client.get(f"/v1/matches/{match['match_id']}/verify").json()["ok"]
    ours = [line for line in log.read_text().splitlines() if match["match_id"] in line]
    theirs = [line for line in system.log("bots") if line.get("match_id") == match["match_id"]]
    made = [line["version"] for line in theirs if line["event"] == "moved"]
    made += [json.loads(line)["version"] for line in ours if '"moved"' in line]
    assert sorted(made) == list(range(2, 2 + len(made))), "every version once, by one of them"
    told_stale = sum('"overtaken"' in line for line in ours) + sum(
        line["event"] == "overtaken" for line in theirs
    )
    assert told_stale > 0, "and the other was told that it is late"
    assert any('"moved"' in line for line in ours)


def test_a_worker_that_is_killed_is_missed_by_nobody(system: System, tmp_path: Path) -> None:
    """A bot of one's own name plays nowhere; the seat is handed to a level only while the system's worker is stopped."""
    log, after = tmp_path / "first.log", tmp_path / "second.log"
    log.touch()
    after.touch()
    theirs = system.part("bots")["pid"]
    os.kill(theirs, signal.SIGSTOP)
    try:
        with system.client() as client:
            with worker(system, log) as first:
                match = create(client, "river_dragons", *(bot("greedy") for _ in range(3)))
                wait_for_line(log, '"moved"')
                first.send_signal(signal.SIGKILL)
                first.wait(10)
            stopped_at = match_now(client, match["match_id"])
            assert stopped_at["status"] == "running"
            with worker(system, after):
                deadline = time.monotonic() + WAIT_SECONDS
                while match_now(client, match["match_id"])["version"] < stopped_at["version"] + 5:
                    assert time.monotonic() < deadline, after.read_text()
                    time.sleep(0.05)
    finally:
        os.kill(theirs, signal.SIGCONT)


def test_a_searching_bot_answers_and_drains(system: System, tmp_path: Path) -> None:
    level = "search" if "search" in LEVELS else "greedy"
    log = tmp_path / "worker.log"
    log.touch()
    with system.client() as client, worker(system, log, FOLDTABLE_BOT_LEVELS=level) as process:
        wait_for_line(log, '"playing"')
        match = create(client, "al_rashid", {"player": "ada"}, bot(level))
        play_seat_0(client, match["match_id"], lambda now: now["version"] >= 8)
        process.terminate()
        assert process.wait(20) == 0
    assert '"stopped"' in log.read_text()


def test_a_bots_token_shows_what_the_seat_may_see_and_no_more(system: System) -> None:
    with (
        system.client() as client,
        system.client((system.home / "bots_key").read_text().strip()) as runs_bots,
    ):
        match = create(client, "river_dragons", {"player": "ada"}, {"kind": "bot", "bot": "of-nobody"})
        path = f"/v1/matches/{match['match_id']}"
        cards = ["plank2", "stone2", "move2", "remove", "jump"]
        body = {
            "action": {"type": "submit_program", "cards": cards},
            "expected_version": 1,
            "seat": 0,
        }
        assert client.post(f"{path}/moves", json=body).status_code == 200
        token = runs_bots.post(f"{path}/seats/1/token").json()["seat_token"]["token"]
        with system.client(token) as seat:
            for query in ({"seat": 0}, {"audience": "referee"}):
                for what in ("view", "determinizations"):
                    assert seat.get(f"{path}/{what}", params=query).status_code == 403
            states = seat.get(f"{path}/determinizations", params={"count": 16, "seed": "guess"}).json()[
                "states"
            ]
            programs = {str(state["programs"][0]) for state in states}
            assert len(programs) > 1, "the hidden program is dealt again, not told"
        for what in ("view", "moves", "legal-actions", "determinizations", "export"):
            assert runs_bots.get(f"{path}/{what}").status_code == 403
        assert runs_bots.get("/v1/matches").status_code == 403


def test_a_seat_that_is_handed_over_is_played_at_once_and_left_alone_once_it_is_handed_back(
    system: System,
) -> None:
    with system.client() as client:
        created = client.post("/v1/matches", json={"game": "river_of_gold", "seats": 2}).json()
        match_id = created["match"]["match_id"]
        path = f"/v1/matches/{match_id}"
        (first,) = created["match"]["to_act"][:1]
        assert client.post(f"{path}/seats/{first}/bot", json={"level": "random"}).status_code == 200
        deadline = time.monotonic() + 60
        while match_now(client, match_id)["version"] == 1:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        token = next(given["token"] for given in created["seat_tokens"] if given["seat"] == first)
        with system.client(token) as player:
            assert player.delete(f"{path}/seats/{first}/bot").status_code == 200
        time.sleep(0.5)
        before = match_now(client, match_id)
        time.sleep(1.0)
        assert match_now(client, match_id)["version"] == before["version"]

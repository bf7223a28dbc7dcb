"""`foldtable up`: one per home, stops cleanly, goes on where it stopped."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engine.registry import GAMES
from tests.support.running_house import FOLDTABLE, House, environment, running_house

pytestmark = pytest.mark.slow


def make_a_move(house: House, match_id: str) -> Any:
    with house.client() as client:
        match = client.get(f"/v1/matches/{match_id}").json()
        seat = match["to_act"][0]
        query = {"seat": seat, "samples": 1}
        legal = client.get(f"/v1/matches/{match_id}/legal-actions", params=query).json()
        body = {"action": legal["samples"][0], "seat": seat, "expected_version": legal["version"]}
        answer = client.post(f"/v1/matches/{match_id}/moves", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_stops_cleanly_and_the_match_goes_on_after_the_next_start(tmp_path: Path) -> None:
    with running_house(tmp_path / "home") as house:
        with house.client() as client:
            created = client.post("/v1/matches", json={"game": "river_dragons", "seats": 3}).json()
        match_id = created["match"]["match_id"]
        played = make_a_move(house, match_id)
        key, pids = house.key, [part["pid"] for part in house.running["parts"]]
        assert len(pids) == 5, "Postgres, rules server, platform service, gateway, bots"
        assert house.stop(signal.SIGTERM) == 0
        assert not any(alive(pid) for pid in pids)
        assert not (house.home / "running.json").exists()
    with running_house(tmp_path / "home") as house:
        assert house.key == key
        with house.client(created["seat_tokens"][0]["token"]) as seat:
            assert seat.get(f"/v1/matches/{match_id}/view").json()["version"] == played["version"]
        assert make_a_move(house, match_id)["version"] == played["version"] + 1
        assert house.stop(signal.SIGINT) == 0


def test_a_second_one_on_the_same_home_says_who_is_running(house: House) -> None:
    done = subprocess.run(
        [FOLDTABLE, "up", "--home", house.home, "--port", "0"],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        timeout=30,
    )
    assert done.returncode == 1
    assert house.address in done.stderr
    assert str(house.process.pid) in done.stderr


def test_a_process_per_game_and_a_database_of_ones_own(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "tests.support.running_house.environment",
        lambda: {**environment(), "FOLDTABLE_DATABASE_URL": database_url},
    )
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with running_house(tmp_path / "home", "--process-per-game", "--port", str(port)) as house:
            assert f"port {port} is taken" in house.output
            names = {part["name"] for part in house.running["parts"]}
            assert names == {*(f"rules-{game}" for game in GAMES), "platform", "gateway", "bots"}
            with house.client() as client:
                assert (
                    client.post("/v1/matches", json={"game": "river_dragons", "seats": 2}).status_code == 201
                )
    assert not (tmp_path / "home" / "postgres").exists()


def test_servers_end_with_an_owner_that_was_killed(tmp_path: Path) -> None:
    with running_house(tmp_path / "home") as house:
        servers = [house.part(name)["pid"] for name in ("rules", "gateway")]
        postgres = house.part("postgres")["pid"]
        house.process.kill()
        house.process.wait()
        from tests.support.running_house import wait_until

        wait_until(lambda: not any(alive(pid) for pid in servers), 20)
    with running_house(tmp_path / "home") as house:
        assert house.part("postgres")["pid"] == postgres, "a healthy Postgres is taken over"

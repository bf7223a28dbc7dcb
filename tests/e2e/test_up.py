"""`foldtable up`: one per home, stops cleanly, goes on where it stopped."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.registry import GAMES
from services.cli.up.ports import port_near
from tests.support.running_system import FOLDTABLE, System, environment, running_system, wait_until

pytestmark = pytest.mark.slow


def make_a_move(system: System, match_id: str) -> Any:
    with system.client() as client:
        match = client.get(f"/v1/matches/{match_id}").json()
        seat = match["to_act"][0]
        query = {"seat": seat, "samples": 1}
        legal = client.get(f"/v1/matches/{match_id}/legal-actions", params=query).json()
        body = {"action": legal["samples"][0], "seat": seat, "expected_version": legal["version"]}
        answer = client.post(f"/v1/matches/{match_id}/moves", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()


def told(address: str) -> str:
    """What Prometheus is told; nothing where nobody listens."""
    try:
        return httpx.get(f"http://{address}/metrics", trust_env=False).text
    except httpx.ConnectError:
        return ""


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_stops_cleanly_and_goes_on_after_the_next_start_and_after_a_kill(tmp_path: Path) -> None:
    with running_system(tmp_path / "home") as system:
        with system.client() as client:
            created = client.post("/v1/matches", json={"game": "river_dragons", "seats": 3}).json()
        match_id = created["match"]["match_id"]
        played = make_a_move(system, match_id)
        key, pids = system.key, [part["pid"] for part in system.running["parts"]]
        assert len(pids) == 5, "Postgres, rules server, platform service, gateway, bots"
        assert system.stop(signal.SIGTERM) == 0
        assert not any(alive(pid) for pid in pids)
        assert not (system.home / "running.json").exists()
    with running_system(tmp_path / "home") as system:
        assert system.key == key
        with system.client(created["seat_tokens"][0]["token"]) as seat:
            assert seat.get(f"/v1/matches/{match_id}/view").json()["version"] == played["version"]
        assert make_a_move(system, match_id)["version"] == played["version"] + 1
        servers = [system.part(name)["pid"] for name in ("rules", "gateway")]
        postgres = system.part("postgres")["pid"]
        system.process.kill()
        system.process.wait()
        wait_until(lambda: not any(alive(pid) for pid in servers), 20)
    with running_system(tmp_path / "home") as system:
        assert system.part("postgres")["pid"] == postgres, "a healthy Postgres is taken over"
        assert system.stop(signal.SIGINT) == 0


def test_a_second_one_on_the_same_home_says_who_is_running(system: System) -> None:
    done = subprocess.run(
        [FOLDTABLE, "up", "--home", system.home, "--port", "0"],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        timeout=30,
    )
    assert done.returncode == 1
    assert system.address in done.stderr
    assert str(system.process.pid) in done.stderr


def test_a_process_per_game_metrics_of_each_and_a_database_of_ones_own(
    tmp_path: Path, database_url: str
) -> None:
    wished = port_near(19_090)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        words = ("--process-per-game", "--port", str(port), "--metrics-port", str(wished))
        with running_system(tmp_path / "home", *words, FOLDTABLE_DATABASE_URL=database_url) as system:
            assert f"port {port} is taken" in system.output
            names = {part["name"] for part in system.running["parts"]}
            assert names == {*(f"rules-{game}" for game in GAMES), "platform", "gateway", "bots"}
            listening = {part["name"]: part["metrics"] for part in system.running["parts"] if part["metrics"]}
            assert listening.keys() == names
            assert listening["gateway"] == f"127.0.0.1:{wished}"
            assert len(set(listening.values())) == len(listening)
            for address in listening.values():
                assert address.startswith("127.0.0.1:"), "on this machine only"
                wait_until(
                    lambda address=address: "python_info" in told(address), 20
                )  # nobody waits for bots
            with system.client() as client:
                created = client.post("/v1/matches", json={"game": "river_dragons", "seats": 2})
                assert created.status_code == 201
                assert client.get("/metrics").status_code == 404
            assert system.stop() == 0
    assert not (tmp_path / "home" / "postgres").exists()


def test_a_page_of_any_origin_may_use_a_developers_system(tmp_path: Path) -> None:
    """As `make run` starts it: what a browser asks before it lets a page send a move."""
    asked = {
        "access-control-request-method": "POST",
        "access-control-request-headers": "accept, accept-language, authorization, cache-control, content-type, if-match, "
        "if-none-match, idempotency-key, last-event-id, traceparent, tracestate, x-request-id",
    }
    with running_system(tmp_path / "home") as system, httpx.Client(base_url=system.address) as page:
        for origin in ("http://127.0.0.1:8000", "https://play.example", "null"):
            allowed = page.options("/v1/matches/x/moves", headers={"origin": origin, **asked})
            assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (200, "*")
            answer = page.get("/v1/games", headers={"origin": origin})
            assert answer.headers["access-control-allow-origin"] == "*"
            assert "access-control-allow-credentials" not in answer.headers, "credentials are no cookies"
            exposed = set(answer.headers["access-control-expose-headers"].split(", "))
            assert exposed >= {
                "ETag",
                "Location",
                "Retry-After",
                "RateLimit",
                "RateLimit-Policy",
                "Content-Language",
            }
            assert exposed >= {
                "Idempotent-Replayed",
                "X-Request-Id",
                "Traceparent",
                "WWW-Authenticate",
                "Allow",
            }

"""Every line that a process writes to its log is a JSON object: while Postgres is away, when told to stop, and when it
cannot start."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from services.embedded_postgres import EmbeddedPostgres
from tests.gateway.table import PROGRAM
from tests.support.running_system import System
from tests.support.several_of_each import several_on
from tests.traces.processes_on import no_json, running, settings_of

pytestmark = pytest.mark.slow

SERVICES = ("services.rules", "services.platform")
EVERYBODY = (*SERVICES, "gateway", "services.bots")
PASSWORD = "hush-hush"
NO_CHOICE = 60
"""Seconds; a busy machine may take long to start a process."""


def test_an_outage_of_postgres_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "postgres") as postgres:
        how = {"log_level": "info", "log_format": "json"}
        with (
            several_on(postgres, tmp_path, replicas=1, everywhere=how) as several,
            running(several) as here,
            here.tenant() as tenant,
        ):
            endpoint = {"url": "http://127.0.0.1:1/", "event_types": ["move.applied"]}
            with several.client(several.keys["manager"]) as manager:
                assert manager.post("/v1/webhooks/endpoints", json=endpoint).status_code == 201
            with tenant.new_table() as table:
                body = {"action": PROGRAM, "expected_version": 1, "seat": 0, "request_id": "outage"}
                with httpx.stream(
                    "GET", f"{here.url}{table.path}/stream", headers=tenant.headers, timeout=30
                ) as followed:
                    assert followed.status_code == 200
                    postgres.stop()
                    deadline = time.monotonic() + 7
                    statuses = Counter[int]()
                    while time.monotonic() < deadline:
                        for answer in (
                            tenant.post(f"{table.path}/moves", json=body),
                            tenant.get(f"{table.path}/view"),
                            tenant.get("/v1/matches"),
                            tenant.create(),
                        ):
                            statuses[answer.status_code] += 1
                    assert set(statuses) <= {503, 504}, statuses
                    postgres.start()
                    while (answer := tenant.post(f"{table.path}/moves", json=body)).status_code >= 500:
                        assert time.monotonic() < deadline + NO_CHOICE
                        time.sleep(0.1)
                    assert answer.json()["version"] == 2
        logs = sorted(tmp_path.glob("*.log"))
        assert [log.stem for log in logs] == ["bots", "gateway_0", "platform", "rules_0"]
        said = {log.stem: no_json(log) for log in logs}
        lines = sum(len(log.read_text().splitlines()) for log in logs)
        assert not any(said.values()), f"{sum(map(len, said.values()))} of {lines} lines: {said}"


def test_everything_that_foldtable_up_keeps_in_logs(system: System) -> None:
    with system.client() as client:
        assert client.get("/v1/token").status_code == 200
    logs = sorted((system.home / "logs").glob("*.log"))
    assert {"bots", "gateway", "migrations", "platform", "rules"} <= {log.stem for log in logs}
    assert [line for log in logs for line in no_json(log)] == []


def ended(module: str, folder: Path, database_url: str, **more: str) -> tuple[int, list[str]]:
    """Return the exit code of a process that cannot start, and what it wrote to standard error."""
    given = settings_of(folder, database_url, module, **more)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
    environment |= {f"FOLDTABLE_{name.upper()}": value for name, value in given.items()}
    done = subprocess.run(
        [sys.executable, "-m", module],
        env=environment,
        capture_output=True,
        text=True,
        timeout=NO_CHOICE,
        check=False,
    )
    assert done.stdout == ""
    log = folder / f"{uuid4().hex}.log"
    log.write_text(done.stderr)
    assert no_json(log) == []
    assert PASSWORD not in done.stderr
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize("module", [*SERVICES, "migrations"])
def test_a_database_that_cannot_be_reached_at_the_start_is_called_that(module: str, tmp_path: Path) -> None:
    url = f"postgresql://somebody:{PASSWORD}@127.0.0.1:1/foldtable"
    begun = time.monotonic()
    code, lines = ended(module, tmp_path, url)
    assert time.monotonic() - begun < 40
    last = json.loads(lines[-1])
    assert (code, last["level"], last["event"]) == (1, "error", "the database cannot be reached")
    assert (last["database"], "refused" in last["why"]) == ("127.0.0.1:1", True)


@pytest.mark.parametrize("module", SERVICES)
def test_a_database_that_does_not_fit_is_told_apart(
    module: str, tmp_path: Path, empty_database_url: str
) -> None:
    code, (line,) = ended(module, tmp_path, empty_database_url)
    told = json.loads(line)
    assert (code, told["event"]) == (1, "the database does not fit")
    assert "migrations" in told["why"]


@pytest.mark.parametrize("module", [*SERVICES, "gateway"])
def test_a_port_that_is_taken(module: str, tmp_path: Path, database_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        name = "http_listen" if module == "gateway" else "listen"
        code, lines = ended(module, tmp_path, database_url, **{name: address})
    assert code != 0
    last = json.loads(lines[-1])
    assert last["level"] == "error"
    assert address.split(":")[1] in lines[-1]


@pytest.mark.parametrize("module", EVERYBODY)
def test_settings_that_cannot_be_read(module: str, tmp_path: Path, database_url: str) -> None:
    code, (line,) = ended(module, tmp_path, database_url, drain_seconds=f"soon {PASSWORD}")
    told = json.loads(line)
    assert (code, told["event"]) == (1, "the settings do not fit")
    (problem,) = told["problems"]
    assert problem.startswith("FOLDTABLE_DRAIN_SECONDS: ")


def test_a_key_that_is_not_there(tmp_path: Path, database_url: str) -> None:
    missing = str(tmp_path / "missing.pem")
    for module, name in (
        ("services.rules", "token_private_key_file"),
        ("services.platform", "token_public_key_file"),
        ("gateway", "token_public_key_file"),
        ("services.bots", "bots_key_file"),
    ):
        code, (line,) = ended(module, tmp_path, database_url, **{name: missing})
        assert (code, missing in json.loads(line)["why"]) == (1, True), module


@pytest.mark.parametrize("module", EVERYBODY)
def test_who_wants_to_read_a_log_at_a_terminal_gets_text(
    module: str, tmp_path: Path, database_url: str
) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")}
    given = settings_of(tmp_path, database_url, module, log_format="console", drain_seconds="soon")
    environment |= {f"FOLDTABLE_{name.upper()}": value for name, value in given.items()}
    done = subprocess.run(
        [sys.executable, "-m", module], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "the settings do not fit" in done.stderr
    assert not done.stderr.startswith("{")

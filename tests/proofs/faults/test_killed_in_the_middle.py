"""kill -9 of the rules server, of Postgres and of the gateway in the middle of a match: nothing acknowledged is lost.

The demo itself is the judge: it plays through whatever happens, knows every move that was acknowledged,
and ends with exit code 0 only if all of them are in the log, the stream had no hole, and replay, hashes
and draws agree. Here it is `foldtable up` that starts again what was killed; the fault run (run.py) has more harms.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.support.running_system import FOLDTABLE, System, environment, running_system, wait_until

pytestmark = pytest.mark.slow

GAME = "al_rashid"
"""The fault run has all of them."""
MOVES_BETWEEN = 25
"""Between two killings; a random match has about two hundred moves."""
DEMO_SECONDS = 200
VICTIMS = ("rules", "postgres", "gateway")


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> System:
    """A system of our own: it will be harmed."""
    with running_system(tmp_path_factory.mktemp("faults") / "home") as system:
        yield system


def version_of(system: System, match_id: str) -> int:
    """Return the version of a match, or 0 while nobody answers."""
    try:
        with system.client() as client:
            return int(client.get(f"/v1/matches/{match_id}").json().get("version", 0))
    except (httpx.TransportError, OSError):
        return 0


def start_demo(system: System, output: Path, *words: str) -> subprocess.Popen[bytes]:
    with output.open("wb") as out:
        return subprocess.Popen(
            [FOLDTABLE, "demo", "--url", system.address, "--key", system.key, *words],
            stdout=out,
            stderr=out,
            env={**environment(), "COLUMNS": "200"},
        )


def match_of(output: Path) -> str:
    """Return the id of the match the demo plays, once it has said so."""
    found = re.search(r"^match (\S+)$", output.read_text(), re.MULTILINE)
    return found[1] if found else ""


def kill(system: System, name: str) -> None:
    """Kill a process the hard way and wait until another one has taken its place."""
    pid = system.part(name)["pid"]
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: system.part(name)["pid"] not in {pid, None}, 60)


def test_the_demo_survives_its_servers(victim: System, tmp_path: Path) -> None:
    output = tmp_path / "demo.out"
    demo = start_demo(victim, output, "--games", GAME, "--seats", "2")
    try:
        wait_until(lambda: match_of(output) or demo.poll() is not None, 30)
        match_id = match_of(output)
        for killed, name in enumerate(VICTIMS, start=1):
            wait_until(lambda wanted=killed * MOVES_BETWEEN: version_of(victim, match_id) >= wanted, 60)
            kill(victim, name)
            assert demo.poll() is None, "the match was over before the harm was done"
        assert demo.wait(DEMO_SECONDS) == 0, output.read_text()
    finally:
        if demo.poll() is None:
            demo.kill()
            demo.wait()
    assert "acknowledged moves are in it" in output.read_text()
    assert "DIFFERS" not in output.read_text()


def test_the_supervisor_said_what_happened(victim: System) -> None:
    """Runs after the harm: every restart was told."""
    for name in VICTIMS:
        assert f"{name} is ready again" in victim.output


def test_nothing_that_happened_was_an_error_nobody_expected(victim: System) -> None:
    tracebacks = [
        line for name in ("gateway", "rules") for line in victim.log(name) if "INTERNAL" in str(line)
    ]
    assert tracebacks == []

"""The whole system in processes of its own, exactly as `foldtable up` starts it. For tests; used by name."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.support.hermetic import cleaned
from tests.support.tethers import tethered

FOLDTABLE = Path(sys.executable).with_name("foldtable")
UP_SECONDS = 150
STOP_SECONDS = 40
PORTS = ("port", "grpc-port", "metrics-port")


@dataclass
class System:
    """A running `foldtable up` and its home."""

    home: Path
    process: subprocess.Popen[bytes]
    output_file: Path

    @property
    def output(self) -> str:
        """What it has printed so far."""
        return self.output_file.read_text()

    @property
    def running(self) -> Any:
        """What running.json says."""
        return json.loads((self.home / "running.json").read_text())

    @property
    def address(self) -> str:
        address: str = self.running["address"]
        return address

    @property
    def key(self) -> str:
        return (self.home / "development_key").read_text().strip()

    def part(self, name: str) -> Any:
        """Return pid and address of one of its processes."""
        return next(part for part in self.running["parts"] if part["name"] == name)

    def log(self, name: str) -> list[Any]:
        """Return a server's log, line by line, as JSON."""
        lines = (self.home / "logs" / f"{name}.log").read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def client(self, credential: str | None = None) -> httpx.Client:
        """Return a client of the gateway; the tenant's unless another credential is named."""
        headers = {"Authorization": f"Bearer {self.key if credential is None else credential}"}
        return httpx.Client(base_url=self.address, headers=headers, timeout=40, trust_env=False)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop; give its exit code."""
        self.process.send_signal(number)
        return self.process.wait(STOP_SECONDS)


def environment() -> dict[str, str]:
    """Our own environment without settings of a system that may run elsewhere, the checkout's included."""
    return cleaned({name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")})


@contextmanager
def running_system(home: Path, *words: str, program: Path = FOLDTABLE, **settings: str) -> Iterator[System]:
    """Start a system, wait until it greets, and stop it in the end if the test has not.

    `program` is the `foldtable` of another environment, and `settings` are variables of its environment.
    """
    output_file = home.with_name(f"{home.name}.out")
    with output_file.open("ab") as output:
        start = output.tell()
        process = subprocess.Popen(
            [program, "up", "--home", home, *(f"--{name}=0" for name in PORTS), *words],
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
            env={**environment(), **settings},
        )
    system = System(home, process, output_file)
    with tethered(process.pid):
        try:
            wait_until(
                lambda: "Ctrl-C stops all of it" in system.output[start:] or process.poll() is not None,
                UP_SECONDS,
            )
            assert process.poll() is None, system.output
            yield system
        finally:
            if process.poll() is None:
                system.stop()


def wait_until(true: Any, seconds: float) -> None:
    """Wait for something; AssertionError after too long."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.02)

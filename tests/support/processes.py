"""One of our processes, for tests that kill it, read its log or change its settings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import msgspec

from tests.proofs.upgrades.old_code import code_path

START_SECONDS = 110.0


class Process:
    """One of our processes, with its log in a file."""

    def __init__(self, module: str, log: Path, *, release: Path | None = None, **settings: str) -> None:
        """`release` is a checkout of another release, whose code runs instead of ours."""
        self.log = log
        self._module = module
        self._folder = release
        self._environment = {
            name: value for name, value in os.environ.items() if not name.startswith("FOLDTABLE_")
        }
        self._environment |= {f"FOLDTABLE_{name.upper()}": value for name, value in settings.items()}
        if release is not None:
            self._environment["PYTHONPATH"] = code_path(release)
        self._process: subprocess.Popen[bytes] | None = None
        self._read_from = 0
        self.metrics_address = ""
        """Where Prometheus would read from it; empty before it serves, and if it was started without `metrics_listen`."""

    def start(self) -> str:
        """Start; give the address it says it serves on."""
        return str(self.start_and_wait_for("serving")["address"])

    def start_and_wait_for(self, event: str) -> dict[str, Any]:
        """Start; return the line of the event that says it is ready."""
        self._read_from = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", self._module],
                cwd=self._folder,
                env=self._environment,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            for line in self.lines():
                if line.get("event") == event:
                    self.metrics_address = line.get("metrics", "")
                    return line
            time.sleep(0.02)
        raise AssertionError(f"{self._module} did not start:\n{self.log.read_text()}")

    def set(self, **settings: str) -> None:
        """Change settings, for the next start."""
        self._environment |= {f"FOLDTABLE_{name.upper()}": value for name, value in settings.items()}

    @property
    def pid(self) -> int:
        """The process's id, while it runs."""
        assert self._process is not None
        return self._process.pid

    def lines(self) -> list[dict[str, Any]]:
        """Return what it has logged since it was started last; what gRPC's core or a crash prints is no JSON."""
        text = self.log.read_bytes()[self._read_from :]
        whole = text[: text.rfind(b"\n") + 1]
        return [msgspec.json.decode(line) for line in whole.splitlines() if line.startswith(b"{")]

    def lines_of(self, request_id: str, *, seconds: float = 30) -> list[dict[str, Any]]:
        """Return what it has logged of a request; a line may be written a moment after the response."""
        ends = time.monotonic() + seconds
        while True:
            found = [line for line in self.lines() if line.get("request_id") == request_id]
            if found or time.monotonic() > ends:
                return found
            time.sleep(0.02)

    @property
    def metrics(self) -> str:
        """What Prometheus would read from it now; the process was started with `metrics_listen`."""
        text: str = httpx.get(self.metrics_address, trust_env=False).raise_for_status().text
        return text

    @property
    def is_running(self) -> bool:
        """True until it has ended, in whatever way."""
        return self._process is not None and self._process.poll() is None

    def send(self, number: signal.Signals) -> None:
        """Send a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def ask_to_stop(self) -> None:
        """Send SIGTERM."""
        assert self._process is not None
        self._process.terminate()

    def kill(self) -> None:
        """Send SIGKILL and wait for the end."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(10)

    def wait(self) -> int:
        """Return the exit code."""
        assert self._process is not None
        return self._process.wait(20)

    def stop(self) -> int:
        """Stop in an orderly way, if it still runs; give the exit code."""
        self.ask_to_stop()
        return self.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave nothing behind, whatever happened."""
        if self._process is not None and self._process.poll() is None:
            self.kill()


def refused(process: Process) -> str:
    """Start a process that must not start; return what it says."""
    with process:
        try:
            process.start()
        except AssertionError as refusal:
            assert process.wait() == 1
            return str(refusal)
        raise AssertionError(f"it started: {process.log}")

"""The real processes the gateway's tests talk to: a rules server on a Postgres, and gateways before it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from tests.upgrades.old_code import code_path

START_SECONDS = 60.0


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

    def start(self) -> str:
        """Start; give the address it says it serves on."""
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
                if line.get("event") == "serving":
                    return str(line["address"])
            time.sleep(0.02)
        raise AssertionError(f"{self._module} did not start:\n{self.log.read_text()}")

    @property
    def pid(self) -> int:
        """The process's id, while it runs."""
        assert self._process is not None
        return self._process.pid

    def lines(self) -> list[dict[str, Any]]:
        """Give what it has logged since it was started last; what gRPC's core or a crash prints is no JSON."""
        text = self.log.read_bytes()[self._read_from :]
        whole = text[: text.rfind(b"\n") + 1]
        return [msgspec.json.decode(line) for line in whole.splitlines() if line.startswith(b"{")]

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
        """Give the exit code."""
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

"""The folder of a system: Postgres's data, keys, logs, and the process that runs it now."""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from services.cli.up.environment_file import environment_file
from services.identity.signing_keys import ensure_key_pair
from services.webhooks.vault import write_webhook_key

LARGE_LOG: Final = 10_000_000
"""In bytes; a larger log is rotated at the next start."""


class HomeInUse(Exception):  # noqa: N818 - the name says what happened
    """Another `foldtable up` runs this system. `running` says where, once it has started."""

    def __init__(self, running: Running | None) -> None:
        super().__init__("the server is run by another process")
        self.running = running


class Part(msgspec.Struct, frozen=True):
    """One process of a running system."""

    name: str
    pid: int | None
    address: str
    metrics: str = ""
    """Address of its metrics for Prometheus; empty: none."""


class Running(msgspec.Struct, frozen=True):
    """A running system, as `running.json` describes it."""

    pid: int
    address: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Home:
    """The paths in the folder. Others may read the folder, but not the secrets in it."""

    path: Path

    @property
    def postgres(self) -> Path:
        return self.path / "postgres"

    @property
    def private_key(self) -> Path:
        return self.path / "token_private.pem"

    @property
    def public_key(self) -> Path:
        return self.path / "token_public.pem"

    @property
    def export_private_key(self) -> Path:
        return self.path / "export_private.pem"

    @property
    def export_public_key(self) -> Path:
        return self.path / "export_public.pem"

    @property
    def webhook_key(self) -> Path:
        return self.path / "webhook_key"

    @property
    def development_key(self) -> Path:
        return self.path / "development_key"

    @property
    def environment(self) -> Path:
        """Return the file that a shell reads to find the running system."""
        return self.path / "env"

    @property
    def bots_key(self) -> Path:
        return self.path / "bots_key"

    @property
    def playground(self) -> Path:
        """Return the folder for files of users who try things out, as the documentation does; the server stores nothing there."""
        return self.path / "playground"

    def log(self, name: str) -> Path:
        return self.path / "logs" / f"{name}.log"

    def prepare(self) -> None:
        """Create the folder, and the keys if they are missing. Raises OSError."""
        self.path.mkdir(parents=True, exist_ok=True)
        logs = self.path / "logs"
        logs.mkdir(mode=0o700, exist_ok=True)
        self.playground.mkdir(exist_ok=True)
        for log in logs.glob("*.log"):
            if log.stat().st_size > LARGE_LOG:
                log.replace(log.with_suffix(".log.1"))
        ensure_key_pair(self.private_key, self.public_key)
        ensure_key_pair(self.export_private_key, self.export_public_key)
        if not self.webhook_key.exists():
            write_webhook_key(self.webhook_key)

    def own(self) -> int:
        """Take the lock on this system. Raises HomeInUse if another process has it. The kernel releases it when the process ends."""
        self.path.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.path / "up.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise HomeInUse(self.running()) from None
        return lock

    def running(self) -> Running | None:
        """Return which process runs this system. A file left by a killed process is not detected here."""
        try:
            return msgspec.json.decode((self.path / "running.json").read_bytes(), type=Running)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def write_running(self, running: Running | None) -> None:
        """Write which process runs this system, for programs and shells; None: no process any more."""
        place = self.path / "running.json"
        if running is None:
            place.unlink(missing_ok=True)
            self.environment.unlink(missing_ok=True)
            return
        rules = (part.address for part in running.parts if part.name.startswith("rules"))
        key = read_secret(self.development_key)
        write_secret(
            self.environment, environment_file(self.path, url=running.address, grpc=next(rules, ""), key=key)
        )
        unfinished = place.with_suffix(".new")
        unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(running)))
        unfinished.replace(place)


def write_secret(path: Path, content: str) -> None:
    """Write a file atomically that only its owner may read."""
    unfinished = path.with_suffix(".new")
    opened = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(opened, "w") as file:
        file.write(content)
    unfinished.replace(path)


def read_secret(path: Path) -> str:
    """Return the content of such a file; empty if there is none."""
    return path.read_text().strip() if path.exists() else ""

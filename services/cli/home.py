"""The folder of a house: Postgres's data, keys, logs, and who runs it now."""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from services.platform.signing_keys import write_key_pair
from services.webhooks.vault import write_webhook_key

LARGE_LOG: Final = 10_000_000
"""Bytes; a larger log is put aside at the next start."""


class HomeInUse(Exception):  # noqa: N818 - the name says what happened
    """Another `foldtable up` runs this house. `running` tells where, if it got that far."""

    def __init__(self, running: Running | None) -> None:
        super().__init__("the house is run by another process")
        self.running = running


class Part(msgspec.Struct, frozen=True):
    """One process of a running house."""

    name: str
    pid: int | None
    address: str


class Running(msgspec.Struct, frozen=True):
    """A running house, as `running.json` tells it."""

    pid: int
    address: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Home:
    """The places in the folder. The folder itself may be looked into; what is secret in it may not."""

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
    def webhook_key(self) -> Path:
        return self.path / "webhook_key"

    @property
    def development_key(self) -> Path:
        return self.path / "development_key"

    @property
    def bots_key(self) -> Path:
        return self.path / "bots_key"

    def log(self, name: str) -> Path:
        return self.path / "logs" / f"{name}.log"

    def prepare(self) -> None:
        """Make the folder, and the keys if there is none; OSError."""
        self.path.mkdir(parents=True, exist_ok=True)
        logs = self.path / "logs"
        logs.mkdir(mode=0o700, exist_ok=True)
        for log in logs.glob("*.log"):
            if log.stat().st_size > LARGE_LOG:
                log.replace(log.with_suffix(".log.1"))
        if not (self.private_key.exists() and self.public_key.exists()):
            write_key_pair(self.private_key, self.public_key)
        if not self.webhook_key.exists():
            write_webhook_key(self.webhook_key)

    def own(self) -> int:
        """Take the lock that makes us the one who runs this house; HomeInUse. The kernel lets go of it when we end."""
        self.path.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.path / "up.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise HomeInUse(self.running()) from None
        return lock

    def running(self) -> Running | None:
        """Give who runs this house; what a killed process left behind is not told from the truth here."""
        try:
            return msgspec.json.decode((self.path / "running.json").read_bytes(), type=Running)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def tell_running(self, running: Running | None) -> None:
        """Write down who runs this house; None: nobody any more."""
        place = self.path / "running.json"
        if running is None:
            place.unlink(missing_ok=True)
            return
        unfinished = place.with_suffix(".new")
        unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(running)))
        unfinished.replace(place)


def write_secret(path: Path, content: str) -> None:
    """Write a file that only its owner may read; it appears complete or not at all."""
    unfinished = path.with_suffix(".new")
    opened = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(opened, "w") as file:
        file.write(content)
    unfinished.replace(path)


def read_secret(path: Path) -> str:
    """Give what such a file holds; empty if there is none."""
    return path.read_text().strip() if path.exists() else ""

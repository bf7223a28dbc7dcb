"""What became of each mutant: a line of JSON each, so that a run which was ended goes on where it was."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from threading import Lock

import msgspec


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    TIMEOUT = "timeout"
    """The tests did not end, which whoever runs them notices."""
    SURVIVED = "survived"
    UNCOVERED = "uncovered"
    """No test reaches the line."""

    @property
    def is_noticed(self) -> bool:
        return self in {Fate.KILLED, Fate.TIMEOUT}


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A finished mutant."""

    id: str
    area: str
    name: str
    """Of the mutation, for people and for equivalent.toml."""
    line: int
    fate: Fate
    tests: int = 0
    """How many tests were run at most."""
    left_out: int = 0
    """How many more reach the line."""
    seconds: float = 0.0
    noticed_by: str = ""
    """The first test that failed."""
    tests_hash: str = ""
    """Of all the tests as they were. A survivor is looked at again when they have changed."""


class Ledger:
    """The finished mutants in a file."""

    def __init__(self, path: Path, tests_hash: str) -> None:
        self._path = path
        self._lock = Lock()
        self._entries: dict[str, Entry] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab+") as file:
            file.seek(0)
            text = file.read()
            file.truncate(text.rfind(b"\n") + 1)  # the last line may have been cut off
        for line in text[: text.rfind(b"\n") + 1].splitlines():
            entry = msgspec.json.decode(line, type=Entry)
            self._entries[entry.id] = entry
        self.tests_hash = tests_hash

    def finished(self, mutant: str) -> Entry | None:
        """Return what became of a mutant, by its id; None if it has to be looked at."""
        entry = self._entries.get(mutant)
        if entry is None or (not entry.fate.is_noticed and entry.tests_hash != self.tests_hash):
            return None
        return entry

    def write(self, entry: Entry) -> None:
        """Add what became of a mutant."""
        line = msgspec.json.encode(entry) + b"\n"
        with self._lock:
            self._entries[entry.id] = entry
            with self._path.open("ab") as file:
                file.write(line)

    def entries(self, mutants: Iterable[str]) -> list[Entry]:
        """Return those of some mutants that are finished."""
        return [entry for one in mutants if (entry := self.finished(one)) is not None]

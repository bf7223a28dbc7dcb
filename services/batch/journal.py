"""The results of a run in a file, so that a run that was cut off can be continued: lines of JSON, one for each finished task.

The first line is the run's configuration. A run with another one would mix results of different work, so it is refused.
"""

from __future__ import annotations

import fcntl
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Generic, Self, TypeVar, get_args, get_origin

import msgspec

R = TypeVar("R")

FORMAT: Final = "foldtable.batch.v1"
MAX_SHOWN: Final = 80
"""Most characters shown of an option."""


class JournalUnusable(Exception):  # noqa: N818 - the name says what happened
    """A file cannot be continued. The message says why; the file is as it was."""


class _Head(msgspec.Struct, frozen=True):
    """The first line."""

    format: str
    configuration: dict[str, Any]


class _Line(msgspec.Struct, frozen=True):
    """A finished task."""

    task: str
    result: msgspec.Raw


_READ: Final = msgspec.json.Decoder(_Line)


class Journal(Generic[R]):
    """A file of results. `with` closes it."""

    def __init__(self, path: Path, configuration: Mapping[str, Any], result: type[R]) -> None:
        """Open a file and read what is finished, or begin a new file. Raises JournalUnusable, OSError.

        Only one run can have it open.

        `configuration` is everything that determines the results, as JSON values; `result` is the type of a result.
        """
        self.path = path
        self.finished: set[str] = set()
        """The keys of all tasks that are finished."""
        self._file: BinaryIO = path.open("a+b")
        try:
            self._decode = msgspec.json.Decoder(result, dec_hook=_counted).decode
            self._begin(_Head(FORMAT, msgspec.json.decode(msgspec.json.encode(configuration))))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, key: str, result: R) -> None:
        """Write down the result of a task, durably. A second result of the same task is ignored."""
        if key in self.finished:
            return
        self._write(_Line(key, msgspec.Raw(msgspec.json.encode(result))))
        self.finished.add(key)

    def results(self) -> Iterator[tuple[str, R]]:
        """Yield key and result of every finished task, in the order in which they were finished."""
        with self.path.open("rb") as file:
            for line in islice(file, 1, None):
                read = _READ.decode(line)
                yield read.task, self._decode(read.result)

    def _begin(self, head: _Head) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise JournalUnusable(f"{self.path} is being written by another run") from None
        self._file.seek(0)
        whole = 0
        for number, line in enumerate(self._file):
            if not line.endswith(b"\n"):
                break  # cut off while it was written; its task is done again
            if number == 0:
                self._check(line, head)
            else:
                self._take_in(line, number + 1)
            whole += len(line)
        if whole:
            self._file.truncate(whole)
            return
        if not _is_beginning(self._file, head):
            raise JournalUnusable(f"{self.path} is there, and holds no results that could be continued")
        self._file.truncate(0)
        self._write(head)

    def _check(self, line: bytes, head: _Head) -> None:
        try:
            found = msgspec.json.decode(line, type=_Head)
        except msgspec.DecodeError:
            found = None
        if found is None or found.format != FORMAT:
            raise JournalUnusable(f"{self.path} is there, and holds no results that could be continued")
        if found.configuration == head.configuration:
            return
        others = [
            f"{name} {_shown(found.configuration.get(name))}, not {_shown(head.configuration.get(name))}"
            for name in dict.fromkeys((*found.configuration, *head.configuration))
            if found.configuration.get(name) != head.configuration.get(name)
        ]
        raise JournalUnusable(f"{self.path} was begun with other options: {'; '.join(others)}")

    def _take_in(self, line: bytes, number: int) -> None:
        try:
            read = _READ.decode(line)
            self._decode(read.result)
        except msgspec.DecodeError as problem:
            raise JournalUnusable(f"{self.path}: line {number} is no result: {problem}") from None
        self.finished.add(read.task)

    def _write(self, record: msgspec.Struct) -> None:
        self._file.write(msgspec.json.encode(record) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def _is_beginning(file: BinaryIO, head: _Head) -> bool:
    """Return whether a file without a whole line is empty, or the beginning of such a file."""
    file.seek(0)
    begun = file.read(len(msgspec.json.encode(head)) + 1)
    return msgspec.json.encode(head).startswith(begun)


def _counted(kind: Any, value: Any) -> Any:
    """Return counts, by text or by number, of an object: msgspec has no type for them."""
    if get_origin(kind) is Counter:
        (of,) = get_args(kind)
        return Counter({of(name): number for name, number in value.items()})
    raise NotImplementedError(kind)


def _shown(value: Any) -> str:
    text = "nothing" if value is None else msgspec.json.encode(value).decode()
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"

"""Marks of what every thread of a rules server is computing, in memory that its watchdog reads.

Whoever computes for ever cannot report it, and may even hold the interpreter's lock. So a thread leaves a mark before it calls
the rules of a game, and removes it when they have returned.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import threading
from contextvars import ContextVar
from hashlib import blake2b
from types import TracebackType
from typing import Any, Final, NamedTuple
from uuid import UUID

SLOTS: Final = 64
"""Threads that can leave marks at once; a thread beyond that is not watched."""
DIGEST_BYTES: Final = 16
MAX_NAME: Final = 24

_WORK: Final = struct.Struct(f"<16s{DIGEST_BYTES}sqh{MAX_NAME}s")
_SLOT: Final = struct.Struct(f"<BIHq{_WORK.size}s")
_SLOT_BYTES: Final = 128
_HEAD: Final = struct.Struct("<Qq")
_HEAD_BYTES: Final = 64
SIZE: Final = _HEAD_BYTES + SLOTS * _SLOT_BYTES

Work = bytes
"""What rules are called for: a match, an action, or a request without a match."""
NOTHING: Final[Work] = bytes(_WORK.size)
_NOBODY: Final = -1
_AS_OF_NOW: Final = -1


class WorkFacts(NamedTuple):
    """A work that was read from its bytes."""

    match_id: UUID | None
    digest: bytes | None
    version: int | None
    seat: int | None
    action: str
    """The type of the action, or the method of the request."""


class Mark(NamedTuple):
    """What a thread is computing."""

    slot: int
    call: int
    """Differs from call to call of one thread."""
    function: int
    """Its number in the watched functions."""
    thread: int
    """The operating system's id of the thread."""
    work: Work


def of_match(match_id: UUID) -> Work:
    """Return the work of reading a match, whatever for."""
    return _WORK.pack(match_id.bytes, bytes(DIGEST_BYTES), _AS_OF_NOW, _NOBODY, b"")


def of_action(
    match_id: UUID, secret: bytes, version: int, seat: int | None, action: Any, body: bytes
) -> Work:
    """Return the work of judging an action. It names the action's type and a digest that only the match's secret lets one check."""
    number = _NOBODY if seat is None else seat
    digest = blake2b(
        body, digest_size=DIGEST_BYTES, key=secret[:64], salt=number.to_bytes(2, "big", signed=True)
    )
    return _WORK.pack(match_id.bytes, digest.digest(), version, number, _type_of(action))


def of_request(method: str, request: bytes) -> Work:
    """Return the work of a request without a match."""
    digest = blake2b(request, digest_size=DIGEST_BYTES, person=method.encode()[-16:])
    return _WORK.pack(bytes(16), digest.digest(), _AS_OF_NOW, _NOBODY, method.encode()[-MAX_NAME:])


def read_work(work: Work) -> WorkFacts:
    """Return what a work says."""
    match_id, digest, version, seat, action = _WORK.unpack(work)
    return WorkFacts(
        UUID(bytes=match_id) if any(match_id) else None,
        digest if any(digest) else None,
        version if version >= 0 else None,
        seat if seat >= 0 else None,
        action.rstrip(b"\0").decode(errors="replace"),
    )


def match_of(work: Work) -> bytes:
    """Return the id of the match that a work is for; zeros if it is for none."""
    return work[:16]


def request_of(work: Work) -> bytes:
    """Return the match and the digest of a work."""
    return work[: 16 + DIGEST_BYTES]


def _type_of(action: Any) -> bytes:
    tag = getattr(getattr(type(action), "__struct_config__", None), "tag", None)
    name = tag if isinstance(tag, str) else type(action).__name__
    return name.encode(errors="replace")[:MAX_NAME]


_current: Final[ContextVar[Work]] = ContextVar("foldtable_rules_work", default=NOTHING)
current: Final = _current.get
"""Return the work that rules are called for from here."""


class about:  # noqa: N801 - used like a function: `with about(work):`
    """Sets the work within a block."""

    __slots__ = ("_before", "_work")

    def __init__(self, work: Work) -> None:
        self._work = work

    def __enter__(self) -> None:
        self._before = _current.get()
        _current.set(self._work)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _current.set(self._before)  # not by a token: a generator may be closed in another context


class Slot:
    """Where one thread leaves its marks."""

    __slots__ = ("_marks", "at", "busy", "count", "number", "thread")

    def __init__(self, marks: Marks, number: int) -> None:
        self._marks = marks
        self.number = number
        self.at = _HEAD_BYTES + number * _SLOT_BYTES
        self.busy = number >= SLOTS
        """Inside a watched call; calls within it leave no mark. A thread without a place never leaves one."""
        self.count = 0
        self.thread = threading.get_native_id()

    def __del__(self) -> None:
        self._marks.give_back(self.number)


class _OfThread(threading.local):
    slot: Slot | None = None


class Marks:
    """The marks of this process: shared memory without a name, which is passed to the watchdog as a file descriptor."""

    def __init__(self) -> None:
        self.file: Final = _nameless_file()
        os.ftruncate(self.file, SIZE)
        self.memory: Final = mmap.mmap(self.file, SIZE)
        self._free = list(reversed(range(SLOTS)))
        self._own: Final = _OfThread()
        self._beats = 0

    @property
    def slot(self) -> Slot:
        """The slot of the calling thread."""
        found = self._own.slot
        if found is None:
            number = self._free.pop() if self._free else SLOTS
            found = self._own.slot = Slot(self, number)
        return found

    def give_back(self, number: int) -> None:
        """Let another thread have the slot of one that has ended."""
        if number < SLOTS:
            self._free.append(number)

    def begin(self, slot: Slot, function: int, work: Work) -> None:
        """Leave the mark of a call."""
        slot.busy = True
        slot.count = (slot.count + 1) & 0xFFFFFFFF
        _SLOT.pack_into(self.memory, slot.at, 1, slot.count, function, slot.thread, work)

    def end(self, slot: Slot) -> None:
        """Remove the mark."""
        self.memory[slot.at] = 0
        slot.busy = False

    def beat(self) -> None:
        """Say that the event loop of the calling thread goes on."""
        self._beats += 1
        _HEAD.pack_into(self.memory, 0, self._beats, threading.get_native_id())


class MarksOfOther:
    """The marks of another process, read only."""

    def __init__(self, file: int) -> None:
        self._memory: Final = mmap.mmap(file, SIZE, access=mmap.ACCESS_READ)

    def read(self) -> list[Mark]:
        """Return the calls that are going on. One that begins or ends meanwhile may come out wrong, and is different the next time."""
        marks = []
        for slot in range(SLOTS):
            busy, *rest = _SLOT.unpack_from(self._memory, _HEAD_BYTES + slot * _SLOT_BYTES)
            if busy:
                marks.append(Mark(slot, *rest))
        return marks

    def beat(self) -> tuple[int, int]:
        """Return how often the event loop has said that it goes on, and its thread."""
        beats, thread = _HEAD.unpack_from(self._memory, 0)
        return beats, thread


def _nameless_file() -> int:
    if hasattr(os, "memfd_create"):  # on Linux
        return os.memfd_create("foldtable-marks")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())

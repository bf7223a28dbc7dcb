"""Bounds on the number of open event streams, per process and per credential."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from gateway.access.auth import Caller
from gateway.problems.document import ProblemError
from gateway.telemetry.metrics import OPEN_STREAMS


class Slot:
    """The right to one open stream."""

    __slots__ = ("_credential", "_slots")

    def __init__(self, slots: StreamSlots, credential: int) -> None:
        self._slots: StreamSlots | None = slots
        self._credential = credential

    def free(self) -> None:
        """Release the slot. A second call does nothing."""
        if self._slots is not None:
            self._slots.free(self._credential)
            self._slots = None


class StreamSlots:
    """A bound on open streams: each costs memory here and a subscription at a rules server."""

    def __init__(self, limit: int, *, per_credential: int, per_seat: int) -> None:
        self._limit = limit
        self._per_credential = per_credential
        self._per_seat = per_seat
        self._open = 0
        self._by_credential: Counter[int] = Counter()
        """Counts by the holder's hash, so that the credential itself is not kept."""

    def take(self, caller: Caller) -> Slot:
        """Take a slot. Raises ProblemError RATE_LIMITED if the process or the credential has too many streams.

        A watch token may be shared by a whole audience; a seat token belongs to one player.
        """
        credential = hash(caller.holder)
        at_a_seat = caller.claims is not None and caller.claims.role == "seat"
        limit = self._per_seat if at_a_seat else self._per_credential
        if self._open >= self._limit:
            raise _too_many("too many event streams are open here", "streams_of_process")
        if self._by_credential[credential] >= limit:
            raise _too_many(f"this credential has {limit} event streams open here", "streams_of_credential")
        self._open += 1
        self._by_credential[credential] += 1
        OPEN_STREAMS.inc()
        return Slot(self, credential)

    @contextmanager
    def taken(self, caller: Caller) -> Iterator[None]:
        """Hold a slot. Raises ProblemError as `take` does."""
        slot = self.take(caller)
        try:
            yield
        finally:
            slot.free()

    def free(self, credential: int) -> None:
        """Release a slot; `Slot.free` calls this once."""
        self._open -= 1
        self._by_credential[credential] -= 1
        if not self._by_credential[credential]:
            del self._by_credential[credential]
        OPEN_STREAMS.dec()


def _too_many(detail: str, bucket: str) -> ProblemError:
    return ProblemError(
        "RATE_LIMITED",
        detail,
        headers={"retry-after": "10"},
        members={"metadata": {"bucket": bucket, "seconds": "10"}},
    )

"""Bounds on the number of open event streams, per process and per credential."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from gateway.access.auth import Caller
from gateway.problems.document import ProblemError
from gateway.telemetry.metrics import OPEN_STREAMS


class Slot:
    """The right to one open stream, of one match or several."""

    __slots__ = ("_credential", "_matches", "_slots")

    def __init__(self, slots: StreamSlots, credential: int, matches: int) -> None:
        self._slots: StreamSlots | None = slots
        self._credential = credential
        self._matches = matches

    def free(self) -> None:
        """Release the slot. A second call does nothing."""
        if self._slots is not None:
            self._slots.free(self._credential, self._matches)
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

    def take(self, caller: Caller, *, matches: int = 1) -> Slot:
        """Take a slot; a stream of several matches counts as many, since each costs a subscription. Raises ProblemError RATE_LIMITED if the process or the credential has too many streams.

        A watch token may be shared by a whole audience; a seat token and a session belong to one player. Without a
        credential, a client's network has as many as a player.
        """
        credential = hash(caller.holder)
        is_shared = caller.is_key or (caller.claims is not None and caller.claims.role != "seat")
        limit = self._per_credential if is_shared else self._per_seat
        if self._open + matches > self._limit:
            raise _too_many("too many event streams are open here", "streams_of_process")
        if self._by_credential[credential] + matches > limit:
            raise _too_many(f"this credential has {limit} event streams open here", "streams_of_credential")
        self._open += matches
        self._by_credential[credential] += matches
        OPEN_STREAMS.inc(matches)
        return Slot(self, credential, matches)

    @contextmanager
    def taken(self, caller: Caller) -> Iterator[None]:
        """Hold a slot. Raises ProblemError as `take` does."""
        slot = self.take(caller)
        try:
            yield
        finally:
            slot.free()

    def free(self, credential: int, matches: int) -> None:
        """Release a slot; `Slot.free` calls this once."""
        self._open -= matches
        self._by_credential[credential] -= matches
        if not self._by_credential[credential]:
            del self._by_credential[credential]
        OPEN_STREAMS.dec(matches)


def _too_many(detail: str, bucket: str) -> ProblemError:
    return ProblemError(
        "RATE_LIMITED",
        detail,
        headers={"retry-after": "10"},
        members={"metadata": {"bucket": bucket, "seconds": "10"}},
    )

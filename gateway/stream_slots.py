"""How many event streams are open, and how many may be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gateway.metrics import OPEN_STREAMS
from gateway.problem_documents import ProblemError


class StreamSlots:
    """A bound on open streams: each costs memory here and a call at a rules server."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open = 0

    def check(self) -> None:
        """Refuse one stream too many: ProblemError RATE_LIMITED."""
        if self._open >= self._limit:
            raise ProblemError(
                "RATE_LIMITED", "too many event streams are open here", headers={"retry-after": "10"}
            )

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold one slot."""
        self._open += 1
        OPEN_STREAMS.inc()
        try:
            yield
        finally:
            self._open -= 1
            OPEN_STREAMS.dec()

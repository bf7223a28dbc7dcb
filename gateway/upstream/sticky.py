"""Several long streams to one service; each match always uses the same one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar
from zlib import crc32

Stream = TypeVar("Stream")


class Sticky(Generic[Stream]):
    """Assigns each match to one stream, so that one replica has its state cached. Many matches spread over all streams."""

    def __init__(self, make: Callable[[], Stream], number: int) -> None:
        self.all: tuple[Stream, ...] = tuple(make() for _ in range(number))

    def of(self, match_id: str) -> Stream:
        """Return the stream of a match."""
        return self.all[crc32(match_id.encode()) % len(self.all)]

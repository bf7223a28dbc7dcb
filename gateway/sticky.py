"""Several long streams to one service, and a match that always takes the same one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar
from zlib import crc32

Stream = TypeVar("Stream")


class Sticky(Generic[Stream]):
    """A match stays with one stream, so that one replica has its table at hand; with many matches all are used."""

    def __init__(self, make: Callable[[], Stream], number: int) -> None:
        self.all: tuple[Stream, ...] = tuple(make() for _ in range(number))

    def of(self, match_id: str) -> Stream:
        """Give the stream of a match."""
        return self.all[crc32(match_id.encode()) % len(self.all)]

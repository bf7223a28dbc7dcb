"""A cache whose entries are bounded in age and in number."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Expiring(Generic[Key, Value]):
    """Keeps values for some seconds; when it is full, it drops the oldest first."""

    def __init__(self, seconds: float, most: int, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._most = most
        self._clock = clock
        self._entries: dict[Key, tuple[float, Value]] = {}
        """In the order they were put, so the oldest come first."""

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key, default: Value) -> Value:
        """Return the value of a key, or `default`."""
        entry = self._entries.get(key)
        if entry is None:
            return default
        if self._clock() >= entry[0]:
            del self._entries[key]
            return default
        return entry[1]

    def forget(self, key: Key) -> None:
        """Drop the value of a key, if there is one."""
        self._entries.pop(key, None)

    def clear(self) -> None:
        """Drop all values."""
        self._entries.clear()

    def put(self, key: Key, value: Value) -> None:
        self._entries.pop(key, None)
        while len(self._entries) >= self._most:
            del self._entries[next(iter(self._entries))]
        self._entries[key] = (self._clock() + self._seconds, value)

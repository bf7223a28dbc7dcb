"""Match ids: UUID version 7 (RFC 9562), so that a match's rows are stored next to those of its time."""

from __future__ import annotations

import os
import time
from hashlib import blake2b
from typing import Final
from uuid import UUID

_RANDOM_BITS: Final = 74


def imported_id(tenant: str, original: UUID) -> UUID:
    """Return the id of a tenant's import of a match: with the time of the original id, and always the same.

    No other tenant gets this id, so it makes no difference whether another tenant has a match with the original id.
    """
    digest = blake2b(original.bytes + tenant.encode(), digest_size=10, person=b"imported match").digest()
    return _version_7(original.int >> 80, int.from_bytes(digest))


class MatchIds:
    """Makes ids that rise, also within a millisecond (RFC 9562 §6.2, method 2): so matches stand in the order in which they were made."""

    def __init__(self) -> None:
        self._last = (0, 0)
        """Milliseconds and random bits of the last id."""

    def new(self, milliseconds: int) -> UUID:
        """Return the next id: 48 bits of Unix milliseconds, then 74 random bits, or the last ones and a random number more."""
        random = int.from_bytes(os.urandom(10)) >> 6
        before, last = self._last
        if milliseconds <= before:
            milliseconds, random = before, last + 1 + (random >> 18)
            if random >> _RANDOM_BITS:
                milliseconds, random = before + 1, random & (1 << _RANDOM_BITS) - 1
        self._last = (milliseconds, random)
        return _version_7(milliseconds, random >> 62 << 68 | random & (1 << 62) - 1)


_IDS: Final = MatchIds()


def new_match_id() -> UUID:
    """Return a new id, greater than every other one of this process."""
    return _IDS.new(time.time_ns() // 1_000_000)


def _version_7(milliseconds: int, random: int) -> UUID:
    value = (milliseconds & (1 << 48) - 1) << 80
    value |= 0x7 << 76 | (random >> 68 & 0xFFF) << 64
    value |= 0b10 << 62 | random & (1 << 62) - 1
    return UUID(int=value)

"""Match ids: UUID version 7 (RFC 9562), so that a match's rows are stored next to those of its time."""

from __future__ import annotations

import os
import time
from hashlib import blake2b
from uuid import UUID


def imported_id(tenant: str, original: UUID) -> UUID:
    """Return the id of a tenant's import of a match: with the time of the original id, and always the same.

    No other tenant gets this id, so it makes no difference whether another tenant has a match with the original id.
    """
    digest = blake2b(original.bytes + tenant.encode(), digest_size=10, person=b"imported match").digest()
    return _version_7(original.int >> 80, int.from_bytes(digest))


def new_match_id() -> UUID:
    """Return a new id: 48 bits of Unix milliseconds, then 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    return _version_7(milliseconds, int.from_bytes(os.urandom(10)))


def _version_7(milliseconds: int, random: int) -> UUID:
    value = (milliseconds & (1 << 48) - 1) << 80
    value |= 0x7 << 76 | (random >> 68 & 0xFFF) << 64
    value |= 0b10 << 62 | random & (1 << 62) - 1
    return UUID(int=value)

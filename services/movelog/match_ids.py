"""Match ids: UUID version 7 (RFC 9562), so that a match's rows lie beside those of its time."""

from __future__ import annotations

import os
import time
from uuid import UUID


def new_match_id() -> UUID:
    """Give a new id: 48 bits of Unix milliseconds, then 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    random = int.from_bytes(os.urandom(10), "big")
    value = (milliseconds & (1 << 48) - 1) << 80
    value |= 0x7 << 76 | (random >> 68 & 0xFFF) << 64
    value |= 0b10 << 62 | random & (1 << 62) - 1
    return UUID(int=value)

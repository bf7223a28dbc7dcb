"""Reminding tenants of deadlines that have come near.

Any number of rules servers do this. They keep no state, and each reminder is written once, by whichever comes first.
"""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from services.movelog.clocks import ClockReader
from services.movelog.failures import LogUnavailable
from services.process.structured_logs import without_message

POLL_SECONDS: Final = 1.0
"""How late a reminder may be."""
BATCH: Final = 200

_log: Final = structlog.get_logger("foldtable.rules")


async def remind(clocks: ClockReader, *, poll_seconds: float = POLL_SECONDS) -> None:
    """Write reminders until cancelled."""
    while True:
        try:
            while await clocks.remind(limit=BATCH) == BATCH:
                pass
        except LogUnavailable as problem:
            _log.warning("log unavailable", method="remind", error=str(problem))
        except Exception as error:  # noqa: BLE001 - it must survive any error; it is logged
            _log.error("internal error", method="remind", **without_message(error))
        await asyncio.sleep(poll_seconds)

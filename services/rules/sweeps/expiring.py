"""Ending proposals whose time is up: nobody waits for an answer any more, and whoever subscribes to the match learns of it.

Any number of rules servers do this. They keep no state, and each proposal is ended once, by whichever comes first.
"""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

import structlog

from services.movelog.failures import LogUnavailable
from services.process.structured_logs import without_message

POLL_SECONDS: Final = 1.0
"""How late a proposal may be ended."""
BATCH: Final = 200

_log: Final = structlog.get_logger("foldtable.rules")


class Proposals(Protocol):
    """The open proposals of the log; services.movelog.postgres.proposals.PostgresProposals is one."""

    async def expire(self, *, limit: int) -> int:
        """End proposals whose time is up; return how many there were."""
        ...


async def expire(proposals: Proposals, *, poll_seconds: float = POLL_SECONDS) -> None:
    """End proposals whose time is up, until cancelled."""
    while True:
        try:
            while await proposals.expire(limit=BATCH) == BATCH:
                pass
        except LogUnavailable as problem:
            _log.warning("log unavailable", method="expire", error=str(problem))
        except Exception as error:  # noqa: BLE001 - it must survive any error; it is logged
            _log.error("internal error", method="expire", **without_message(error))
        await asyncio.sleep(poll_seconds)

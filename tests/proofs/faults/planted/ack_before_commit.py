"""A rules server that answers a move before it is durable: the row is on its way, and whoever asked is told it is there."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from services.movelog.failures import LogError
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append
from services.rules.__main__ import main
from tests.proofs.faults.planted.planting import plant

_durably: Final = PostgresLog.append
_under_way: Final[set[asyncio.Task[None]]] = set()


async def append(log: PostgresLog, move: Append) -> None:
    """Begin to write, and do not wait for it."""
    task = asyncio.create_task(_ignored(log, move))
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)


async def _ignored(log: PostgresLog, move: Append) -> None:
    """Write, and keep to oneself what comes of it: that is the mistake."""
    with suppress(LogError):
        await _durably(log, move)


plant(PostgresLog, "append", append)

if __name__ == "__main__":
    main()

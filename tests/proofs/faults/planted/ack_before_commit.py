"""A rules server that answers a move before it is durable: the row is on its way, and whoever asked is told it is there."""

from __future__ import annotations

from typing import Final

from services.movelog.log import Answered
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append
from services.rules.__main__ import main
from tests.proofs.faults.planted.planting import plant

_durably: Final = PostgresLog.submit


async def append(log: PostgresLog, move: Append) -> None:
    """Begin to write, and do not wait for it."""
    _durably(log, move, _ignore)


def submit(log: PostgresLog, move: Append, answered: Answered) -> None:
    """Begin to write, and answer meanwhile."""
    _durably(log, move, _ignore)
    answered(None)


def _ignore(_: Exception | None) -> None:
    """Nobody wants to know: that is the mistake."""


plant(PostgresLog, "append", append)
plant(PostgresLog, "submit", submit)

if __name__ == "__main__":
    main()

"""The open proposals in Postgres."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import UUID

import msgspec

from services.movelog.postgres.asking import ask
from services.movelog.postgres.proposal_queries import EXPIRE
from services.movelog.proposals import ProposalChange, Todo
from services.postgres.database import Pool

_TODOS: Final = msgspec.json.Decoder(tuple[Todo, ...])


class PostgresProposals:
    """Ends proposals whose time is up."""

    def __init__(self, pool: Pool, announce: Callable[[UUID, int], None]) -> None:
        self._pool = pool
        self._announce = announce

    async def expire(self, *, limit: int) -> int:
        """End proposals whose time is up, tell so, and return how many there were. Raises LogUnavailable."""
        rows = await ask(self._pool, EXPIRE, (limit,))
        for row in rows:
            self._announce(row["match_id"], 0)
        return len(rows)


def todos_from(text: str) -> tuple[Todo, ...]:
    """Return what `proposal_queries.TODOS` says."""
    return _TODOS.decode(text)


def change_text(change: ProposalChange) -> str:
    """Return a change as `proposal_queries.CONSENT` takes it."""
    return msgspec.json.encode(change).decode()

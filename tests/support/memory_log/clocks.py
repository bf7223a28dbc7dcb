"""The clocks of the log in memory: its time is this process's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from msgspec.structs import replace

from services.movelog.clocks import Clocks, Due
from tests.support.memory_log.lobby import Shelf


class MemoryClocks:
    """See `ClockReader`."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def of(self, match_id: UUID) -> Clocks | None:
        """See `ClockReader.of`."""
        stored = self._shelf.stored(match_id)
        if not stored.clocks:
            return None
        now = datetime.now(UTC)
        seats = tuple(
            one if one.deadline is None else replace(one, left=max(one.deadline - now, timedelta(0)))
            for one in stored.clocks
        )
        return Clocks(version=stored.match.version, as_of=now, seats=seats)

    async def due(
        self, rules: Sequence[tuple[str, str]], *, limit: int, but: Sequence[UUID] = ()
    ) -> list[Due]:
        """See `ClockReader.due`."""
        self._shelf.must_be_open()
        now = datetime.now(UTC)
        running = [
            Due(match_id=match_id, seat=one.seat, left=one.deadline - now)
            for match_id, stored in self._shelf.matches.items()
            if match_id not in but and (stored.match.game, stored.match.rules_version) in rules
            for one in stored.clocks
            if one.deadline is not None
        ]
        return sorted(running, key=lambda due: due.left)[:limit]

"""The clocks of the log in memory: its time is this process's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from msgspec.structs import replace

from services.movelog.clocks import Clocks, Due
from services.movelog.downtimes import TOLERANCE, Downtime, ServedRules
from services.movelog.ticking import resumed
from tests.support.memory_log.events import MemoryEvents
from tests.support.memory_log.lobby import Shelf


class MemoryClocks:
    """See `ClockReader`."""

    def __init__(self, shelf: Shelf, events: MemoryEvents) -> None:
        self._shelf = shelf
        self._events = events
        self._beats: dict[ServedRules, datetime] = {}
        self._downtimes: list[Downtime] = []

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

    async def remind(self, *, limit: int) -> int:
        """See `ClockReader.remind`."""
        self._shelf.must_be_open()
        now, near = datetime.now(UTC), 0
        for stored in self._shelf.matches.values():
            late = [one for one in stored.clocks if one.remind_at is not None and one.remind_at <= now]
            for one in late[: limit - near]:
                near += 1
                stored.clocks = tuple(
                    replace(other, remind_at=None) if other is one else other for other in stored.clocks
                )
                self._events.deadline_near(stored.match, one.seat)
        return near

    async def beat(self, rules: Sequence[ServedRules]) -> None:
        """See `ClockReader.beat`."""
        self._shelf.must_be_open()
        now = datetime.now(UTC)
        for game, version in rules:
            since = self._beats.get((game, version), now)
            self._beats[game, version] = now
            if now - since > TOLERANCE:
                self._resume(Downtime(game=game, rules_version=version, since=since, until=now))

    async def downtimes(
        self, rules: Sequence[ServedRules], *, after: datetime | None = None
    ) -> list[Downtime]:
        """See `ClockReader.downtimes`."""
        self._shelf.must_be_open()
        return [
            one
            for one in self._downtimes
            if (one.game, one.rules_version) in rules and (after is None or one.until > after)
        ]

    async def standing(self, rules: Sequence[ServedRules]) -> list[Downtime]:
        """See `ClockReader.standing`."""
        now = datetime.now(UTC)
        return [
            Downtime(game=game, rules_version=version, since=since, until=now)
            for (game, version), since in self._beats.items()
            if (game, version) in rules and now - since > TOLERANCE
        ]

    def _resume(self, downtime: Downtime) -> None:
        self._downtimes.append(downtime)
        for stored in self._shelf.matches.values():
            match = stored.match
            if (match.game, match.rules_version) == (downtime.game, downtime.rules_version) and match.clock:
                stored.clocks = tuple(resumed(match.clock, one, downtime) for one in stored.clocks)

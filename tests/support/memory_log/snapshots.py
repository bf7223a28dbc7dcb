"""Snapshots in memory."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from services.movelog.snapshots import Snapshot
from tests.support.memory_log.lobby import Shelf


class MemorySnapshots:
    """`Snapshots` that end with their process."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._kept: dict[tuple[UUID, int], Snapshot] = {}

    async def put(self, snapshot: Snapshot) -> None:
        """See `Snapshots.put`."""
        self._kept[snapshot.match_id, snapshot.version] = snapshot

    async def nearest(
        self, match_id: UUID, rules_version: str, among: Sequence[int]
    ) -> tuple[Snapshot, bytes] | None:
        """See `Snapshots.nearest`."""
        found = [
            one
            for (owner, version), one in self._kept.items()
            if owner == match_id and version in among and one.rules_version == rules_version
        ]
        if not found:
            return None
        newest = max(found, key=lambda one: one.version)
        return newest, self._shelf.stored(match_id).moves[newest.version - 1].hash

    async def delete(self, match_id: UUID | None = None) -> int:
        """See `Snapshots.delete`."""
        gone = [key for key in self._kept if match_id in {None, key[0]}]
        for key in gone:
            del self._kept[key]
        return len(gone)

    async def long_matches(self, moves: int) -> list[UUID]:
        """See `Snapshots.long_matches`."""
        return [one for one, stored in self._shelf.matches.items() if stored.match.version >= moves]

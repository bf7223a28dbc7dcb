"""Snapshots in Postgres, in a table of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from services.movelog.postgres import binary
from services.movelog.postgres.asking import ask, in_our_words
from services.movelog.postgres.lane import Statement
from services.movelog.postgres.lanes import Lanes
from services.movelog.snapshots import Snapshot
from services.postgres.database import Pool

_PUT: Final = """
INSERT INTO snapshots (match_id, version, rules_version, state, state_hash)
SELECT id, $2::int4, $3::text, $4::bytea, $5::bytea FROM matches WHERE id = $1::uuid FOR KEY SHARE
ON CONFLICT (match_id, version)
DO UPDATE SET rules_version = excluded.rules_version, state = excluded.state, state_hash = excluded.state_hash
"""
"""The match is locked, so that nobody deletes it meanwhile: nothing would delete the snapshot then."""
_PUT_STATEMENT: Final = Statement(
    b"put_snapshot",
    _PUT.encode(),
    tuple(kind.item_oid for kind in (binary.UUID, binary.INT4, binary.TEXT, binary.BYTEA, binary.BYTEA)),
)
_NEAREST: Final = """
SELECT s.match_id, s.version, s.rules_version, s.state, s.state_hash, moves.hash AS row_hash
FROM (
    SELECT * FROM snapshots
    WHERE match_id = $1::uuid AND rules_version = $2::text AND version = ANY ($3::int4[])
    ORDER BY version DESC LIMIT 1
) AS s JOIN moves ON moves.match_id = s.match_id AND moves.seq = s.version
"""
_DELETE: Final = "DELETE FROM snapshots WHERE $1::uuid IS NULL OR match_id = $1::uuid RETURNING 1"
_LONG: Final = "SELECT id FROM matches WHERE version >= $1::int8 ORDER BY id"


class PostgresSnapshots:
    """`Snapshots` beside the log."""

    def __init__(self, pool: Pool, lanes: Lanes) -> None:
        """They are written over `lanes`, which costs a third of what the pool costs: every match has one all fifty moves."""
        self._pool = pool
        self._lanes = lanes

    async def put(self, snapshot: Snapshot) -> None:
        """See `Snapshots.put`."""
        values = (
            snapshot.match_id.bytes,
            snapshot.version.to_bytes(4, "big", signed=True),
            snapshot.rules_version.encode(),
            snapshot.state,
            snapshot.state_hash,
        )
        with in_our_words():
            async with self._lanes.lane() as lane:
                await lane.run(_PUT_STATEMENT, values)

    async def nearest(
        self, match_id: UUID, rules_version: str, among: Sequence[int]
    ) -> tuple[Snapshot, bytes] | None:
        """See `Snapshots.nearest`."""
        rows = await ask(self._pool, _NEAREST, (match_id, rules_version, list(among)))
        if not rows:
            return None
        row_hash: bytes = rows[0].pop("row_hash")
        return Snapshot(**rows[0]), row_hash

    async def delete(self, match_id: UUID | None = None) -> int:
        """See `Snapshots.delete`."""
        return len(await ask(self._pool, _DELETE, (match_id,)))

    async def long_matches(self, moves: int) -> list[UUID]:
        """See `Snapshots.long_matches`."""
        return [row["id"] for row in await ask(self._pool, _LONG, (moves,))]

"""Snapshots of states, so that a view in the middle of a long match need not be folded from its beginning.

A snapshot is only an optimization: it may be missing, and its reader verifies it. Its hash is keyed with
the match's secret and covers everything it depends on, so a snapshot of other rules, of another shape of the state or
of another log is ignored.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Final, Protocol
from uuid import UUID

import msgspec

SNAPSHOT_DOMAIN: Final = b"foldtable.snapshot.v1"


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a match after a move, as the game's own canonical JSON."""

    match_id: UUID
    version: int
    rules_version: str
    state: bytes
    state_hash: bytes

    def __repr__(self) -> str:
        return f"Snapshot({self.match_id}, version {self.version})"  # the state contains hidden information


class Snapshots(Protocol):
    """Stores snapshots. All of them may be deleted at any time."""

    async def put(self, snapshot: Snapshot) -> None:
        """Store a snapshot, replacing one of the same match and version."""
        ...

    async def nearest(
        self, match_id: UUID, rules_version: str, among: Sequence[int]
    ) -> tuple[Snapshot, bytes] | None:
        """Return the newest snapshot of these versions, and the hash of its row in the log; None without one."""
        ...

    async def delete(self, match_id: UUID | None = None) -> int:
        """Delete the snapshots of a match, or (None) all; return how many there were."""
        ...

    async def long_matches(self, moves: int) -> list[UUID]:
        """Return the matches that have at least `moves` moves."""
        ...


def state_hash(
    secret: bytes,
    *,
    match_id: UUID,
    version: int,
    row_hash: bytes,
    rules_version: str,
    shape: bytes,
    state: bytes,
) -> bytes:
    """Return the hash of a snapshot, over the row it follows, the rules, the shape of the state, and the state."""
    rules = rules_version.encode()
    message = (
        SNAPSHOT_DOMAIN
        + match_id.bytes
        + version.to_bytes(8, "big")
        + row_hash
        + len(rules).to_bytes(8, "big")
        + rules
        + len(shape).to_bytes(8, "big")
        + shape
        + state
    )
    return hmac.digest(secret, message, "sha256")

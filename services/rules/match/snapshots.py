"""Snapshots of states: written off the hot path, and read back.

A move never waits for a snapshot: due snapshots are noted when a match's lock is released, and written a moment
later, one at a time. If more are noted than can be written, or the database does not answer, snapshots are skipped;
the only effect is that a view folds more moves.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Sequence
from contextvars import Context
from functools import cache
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec
import structlog

from engine.kernel.codec import encode
from engine.kernel.errors import Unreadable
from engine.kernel.game import AnyGame
from engine.match.commands import is_command_row
from engine.match.replay import states_after_each
from engine.match.timeline import Timeline
from services.movelog.export.verification import logged_moves
from services.movelog.failures import LogError
from services.movelog.log import MoveLog
from services.movelog.records import Match
from services.movelog.snapshots import Snapshot, Snapshots, state_hash
from services.process.ending import end
from services.process.structured_logs import without_message

EVERY: Final = 50
"""Versions from one snapshot to the next. A version made by an undo or another row of the server is left out: the
state after it is that of an earlier one."""
MAX_NOTED: Final = 256
MOMENT_SECONDS: Final = 0.05
"""Delay before writing, so that the response to the move is sent first."""

_log: Final = structlog.get_logger("foldtable.snapshots")


class Folded(Protocol):
    """A match folded to a version, as match_cache.py keeps it."""

    match: Match
    game: AnyGame
    timeline: Timeline
    version: int
    state: Any
    head: bytes
    noted: int


@cache
def shape_of(game: AnyGame) -> bytes:
    """Return the JSON Schema of a game's state, which may differ between releases."""
    return msgspec.json.encode(msgspec.json.schema(game.types.state))


def snapshot_of(match: Match, game: AnyGame, version: int, row_hash: bytes, state: Any) -> Snapshot:
    """Return a snapshot of a state, bound by a hash to everything it depends on."""
    written = encode(state)
    return Snapshot(
        match_id=match.id,
        version=version,
        rules_version=game.rules_version,
        state=written,
        state_hash=_hash(match, game, version, row_hash, written),
    )


def _hash(match: Match, game: AnyGame, version: int, row_hash: bytes, state: bytes) -> bytes:
    return state_hash(
        match.secret,
        match_id=match.id,
        version=version,
        row_hash=row_hash,
        rules_version=game.rules_version,
        shape=shape_of(game),
        state=state,
    )


async def nearest_state(
    snapshots: Snapshots, match: Match, game: AnyGame, line: Sequence[int]
) -> tuple[int, Any]:
    """Return the newest version with a trustworthy snapshot, and its state; (0, None) if there is none.

    `line` holds the rows that count at the wanted place: the state after a row that was undone is of no use there.
    """
    stretches = [seq for seq in line if seq % EVERY == 0]
    if not stretches:
        return 0, None
    try:
        found = await snapshots.nearest(match.id, game.rules_version, stretches)
        if found is None:
            return 0, None
        kept, row_hash = found
        if not hmac.compare_digest(kept.state_hash, _hash(match, game, kept.version, row_hash, kept.state)):
            _log.warning("snapshot does not match its hash", match_id=str(match.id), version=kept.version)
            return 0, None
        return kept.version, game.state_codec.decode(kept.state)
    except (LogError, Unreadable) as problem:
        _log.warning("snapshot cannot be used", match_id=str(match.id), kind=type(problem).__name__)
        return 0, None


class SnapshotWriter:
    """Writes the noted snapshots in a task that lives as long as there are any."""

    def __init__(self, snapshots: Snapshots) -> None:
        self._snapshots = snapshots
        self._noted: dict[tuple[UUID, int], tuple[Match, AnyGame, bytes, Any]] = {}
        self._task: asyncio.Task[None] | None = None

    def note(self, loaded: Folded) -> None:
        """Note a match that has reached a version to snapshot. States never change, so nothing is copied."""
        if loaded.version == 0 or loaded.version % EVERY or loaded.version <= loaded.noted:
            return
        if loaded.timeline.head.seq != loaded.version:
            return
        if len(self._noted) >= MAX_NOTED:
            return
        loaded.noted = loaded.version
        self._noted[loaded.match.id, loaded.version] = (loaded.match, loaded.game, loaded.head, loaded.state)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write(), context=Context())

    async def written(self) -> None:
        """Wait until everything noted is written or dropped."""
        if self._task is not None:
            await self._task

    async def close(self) -> None:
        """Drop what is not written yet."""
        await end(self._task)

    async def _write(self) -> None:
        while self._noted:
            await asyncio.sleep(MOMENT_SECONDS)
            (match_id, version), noted = next(iter(self._noted.items()))
            del self._noted[match_id, version]
            match, game, row_hash, state = noted
            try:
                await self._snapshots.put(snapshot_of(match, game, version, row_hash, state))
            except LogError as problem:
                _log.warning("snapshot not written", match_id=str(match_id), kind=type(problem).__name__)
            except Exception as error:  # noqa: BLE001 - the others are written; it is logged
                _log.error("snapshot not written", match_id=str(match_id), **without_message(error))


async def rebuild(log: MoveLog, match: Match, game: AnyGame) -> int:
    """Write every snapshot that a match should have; return how many."""
    rows = await log.read(match.id)
    number = 0
    for row, (logged, state) in zip(rows, states_after_each(game, logged_moves(rows)), strict=True):
        if row.seq % EVERY == 0 and not is_command_row(logged.events):
            await log.snapshots.put(snapshot_of(match, game, row.seq, row.hash, state))
            number += 1
    return number

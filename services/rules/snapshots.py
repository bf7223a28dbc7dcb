"""Putting states aside, off the hot path, and finding them again.

A move is never later for a snapshot: what is to be put aside is noted when a table is let go of, and written a moment
after, one at a time. If more is noted than can be written, or the database does not answer, snapshots are left out:
a view then folds more moves, and that is all.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec
import structlog

from engine.kernel.codec import encode
from engine.kernel.course import Course
from engine.kernel.errors import Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.house import is_house_row
from engine.kernel.replay import states_after_each
from services.ending import end
from services.movelog.failures import LogError
from services.movelog.log import MoveLog
from services.movelog.records import Match
from services.movelog.snapshots import Snapshot, Snapshots, state_hash
from services.movelog.verification import logged_moves
from services.structured_logs import without_message

EVERY: Final = 50
"""Versions from one snapshot to the next. A version that an undo or another row of the house led to is left out: the
table after it is that of an earlier one."""
MOST_NOTED: Final = 256
MOMENT_SECONDS: Final = 0.05
"""So long the answer to a move has to be on its way first."""

_log: Final = structlog.get_logger("foldtable.snapshots")


class Folded(Protocol):
    """A match folded to a version, as tables.py keeps it."""

    match: Match
    game: AnyGame
    course: Course
    version: int
    state: Any
    head: bytes
    noted: int


@cache
def shape_of(game: AnyGame) -> bytes:
    """Give the JSON Schema of a game's state: another release may have another."""
    return msgspec.json.encode(msgspec.json.schema(game.types.state))


def snapshot_of(match: Match, game: AnyGame, version: int, row_hash: bytes, state: Any) -> Snapshot:
    """Put a state aside, bound to everything it depends on."""
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
    """Give the newest version that was put aside, and its state; (0, None) if there is none to be trusted.

    `line` are the rows that count where the match stood: the state after one that was taken back leads nowhere else.
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
            _log.warning("snapshot does not give its hash", match_id=str(match.id), version=kept.version)
            return 0, None
        return kept.version, game.state_codec.decode(kept.state)
    except (LogError, Unreadable) as problem:
        _log.warning("snapshot cannot be used", match_id=str(match.id), kind=type(problem).__name__)
        return 0, None


class SnapshotWriter:
    """Writes what is noted, in a task of its own that lives as long as there is something."""

    def __init__(self, snapshots: Snapshots) -> None:
        self._snapshots = snapshots
        self._noted: dict[tuple[UUID, int], tuple[Match, AnyGame, bytes, Any]] = {}
        self._task: asyncio.Task[None] | None = None

    def note(self, table: Folded) -> None:
        """Note a table that has come to the end of a stretch. States never change, so nothing is copied."""
        if table.version == 0 or table.version % EVERY or table.version <= table.noted:
            return
        if table.course.head.seq != table.version:
            return
        if len(self._noted) >= MOST_NOTED:
            return
        table.noted = table.version
        self._noted[table.match.id, table.version] = (table.match, table.game, table.head, table.state)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write())

    async def written(self) -> None:
        """Wait until everything that was noted is written, or was given up."""
        if self._task is not None:
            await self._task

    async def close(self) -> None:
        """Give up what is not written."""
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
    """Put aside every state of a match that would have been; give how many."""
    rows = await log.read(match.id)
    number = 0
    for row, (logged, state) in zip(rows, states_after_each(game, logged_moves(rows)), strict=True):
        if row.seq % EVERY == 0 and not is_house_row(logged.events):
            await log.snapshots.put(snapshot_of(match, game, row.seq, row.hash, state))
            number += 1
    return number

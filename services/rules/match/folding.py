"""Folding rows of the log: a few in the event loop, which also serves moves, and many in a thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from engine.kernel.game import AnyGame
from engine.match.commands import read_events
from engine.match.replay import fold
from engine.match.timeline import TimelinePlace
from services.movelog.log import MoveLog
from services.movelog.records import Match, Move
from services.process.thread_work import in_thread
from services.rules.match.snapshots import EVERY, nearest_state

FOLDED_HERE: Final = 8
"""Most rows folded at once in the event loop; some milliseconds of work."""


async def fold_to(
    log: MoveLog, match: Match, game: AnyGame, head: TimelinePlace, states: Mapping[tuple[UUID, int], Any]
) -> Any:
    """Return an earlier state of the match, folded from the nearest of `states` or from a snapshot."""
    line = [place.seq for place in head.back()]
    nearest = next((version for version in line if (match.id, version) in states), 0)
    state = states.get((match.id, nearest))
    if head.seq - nearest >= EVERY:
        aside = await nearest_state(log.snapshots, match, game, line)
        if aside[0] > nearest:
            nearest, state = aside
    counting = frozenset(line)
    rows = await log.read(match.id, after=nearest, limit=head.seq - nearest)
    counted = [move for move in rows if move.seq in counting]
    if len(counted) <= FOLDED_HERE:
        return _folded(game, counted, state)
    return await in_thread(_folded, game, counted, state)


def _folded(game: AnyGame, rows: Sequence[Move], state: Any) -> Any:
    for row in rows:
        state = fold(game, read_events(game, row.events), state)
    return state

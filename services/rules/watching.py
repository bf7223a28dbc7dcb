"""Following a match: what was missed, then each move once it is durable, without gaps, until the end.

A wake-up only says that it may be worth looking; what is told always comes from the log, and a slow poll
covers a wake-up that got lost.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final
from uuid import UUID

from engine.kernel.seats import Audience
from foldtable.matches.v1 import match_service_pb2
from services.movelog.records import Status
from services.rules.looking import view
from services.rules.messages import move_message
from services.rules.tables import Table, Tables
from services.rules.timekeeping import clocks_at

SLOW_POLL_SECONDS: Final = 5.0
BATCH: Final = 100
"""Moves read at once; a follower who reads slowly holds no more than these."""

Update = match_service_pb2.WatchMatchResponse


async def watch(
    tables: Tables,
    match_id: UUID,
    audience: Audience,
    after: int | None,
    form: int,
    still_allowed: Callable[[], Awaitable[None]],
) -> AsyncIterator[Update]:
    """Give updates until the match has ended and its last move was told; Refused once that is no longer allowed.

    `still_allowed` is asked after every wake-up, before every further batch of what was missed, and as often as the
    slow poll comes.
    """
    async with tables.log.watch(match_id) as wakeups:
        reached: int | None = None
        while True:
            # Read outside the hold: followers must not make the players wait.
            rows = [] if reached is None else await tables.log.read(match_id, after=reached, limit=BATCH)
            updates: list[Update] = []
            async with tables.hold(match_id) as table:
                if reached is None or (rows and rows[-1].seq > table.version):
                    await tables.catch_up(table)
                if reached is None and table.version > 0:
                    reached = await _begin(tables, table, audience, after, form, updates)
                clocks = await clocks_at(tables, table, table.version) if rows else None
                version, ended = table.version, table.status is Status.ENDED
            updates += [Update(move=move_message(table, row, audience, form, clocks)) for row in rows]
            for update in updates:
                yield update
            if rows:
                reached = rows[-1].seq
            if reached is not None and reached < version:
                await still_allowed()  # a follower who reads slowly may be long behind
                continue
            if ended:
                return
            await wakeups.wait(SLOW_POLL_SECONDS)
            await still_allowed()


async def _begin(
    tables: Tables, table: Table, audience: Audience, after: int | None, form: int, updates: list[Update]
) -> int:
    """Decide where to begin: after the follower's version, or with a snapshot of now."""
    if after is not None and 0 <= after <= table.version:
        return after
    if table.state is None:  # called off before it began: there is no table to begin with
        return 0
    if after is not None:
        updates.append(Update(reset=Update.Reset(version=table.version)))
    updates.append(Update(snapshot=await view(tables, table, audience, None, form)))
    return table.version

"""The updates of one match: the missed moves, then each move once it is durable, without gaps, until the end.

A wake-up only says that the match may have changed; the updates always come from the log, and a slow poll
covers lost wake-ups.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final
from uuid import UUID

from engine.kernel.seats import Audience
from foldtable.matches.v1 import match_service_pb2
from services.movelog.records import Status
from services.rules.marks import about, of_match
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.timekeeping import clocks_at
from services.rules.views.looking import view
from services.rules.views.table import standing_match, standing_message, table_of
from services.rules.wire.forms import Form
from services.rules.wire.messages import move_message

SLOW_POLL_SECONDS: Final = 5.0
BATCH: Final = 100
"""Most moves read at once, and held for a slow subscriber."""

Update = match_service_pb2.WatchMatchResponse


class _News:
    """What a subscriber is shown besides moves: the table, or the seats of a match that waits for players."""

    def __init__(self, audience: Audience, form: Form, *, has_table: bool) -> None:
        self._audience = audience
        self._form = form
        self._has_table = has_table
        self._shown: tuple[int, str] | None = None
        """Version and digest of the seats that the subscriber knows of."""

    async def update(self, cache: MatchCache, match_id: UUID, reached: int) -> Update | None:
        """Return the table or the seats if they have changed since; None if they have not, or if there are newer moves to send first."""
        async with cache.hold(match_id) as loaded:
            standing = await standing_match(cache, loaded)
            if loaded.version != reached:
                return None
            before, self._shown = self._shown, (reached, standing.seats_revision)
            if self._shown == before:
                return None
            if self._has_table:
                table = await table_of(cache, loaded, standing, self._audience, self._form)
                return Update(table=table)
            return Update(match=standing_message(loaded, standing, self._form))


async def match_updates(
    cache: MatchCache,
    match_id: UUID,
    audience: Audience,
    after: int | None,
    form: Form,
    still_allowed: Callable[[], Awaitable[None]],
    *,
    has_table: bool = False,
) -> AsyncIterator[Update]:
    """Yield updates until the match has ended and its last move was sent. Raises Refused once the caller may no longer see them.

    `still_allowed` is called after subscribing to wake-ups, after every wake-up, before every further batch of missed
    moves, and at every slow poll. `has_table`: tables are sent in place of the snapshot, after the newest move, and whenever
    seats change. Without it, the seats are sent first while the match waits for players, and whenever they change.
    """
    news = _News(audience, form, has_table=has_table)
    async with cache.log.subscribe_to_match(match_id) as wakeups:
        await still_allowed()  # a revocation between admission and subscription woke nobody here
        reached: int | None = None
        while True:
            # Read without the match's lock: subscribers must not make players wait.
            rows = [] if reached is None else await cache.log.read(match_id, after=reached, limit=BATCH)
            updates: list[Update] = []
            async with cache.hold(match_id) as loaded:
                if reached is None or (rows and rows[-1].seq > loaded.version):
                    await cache.catch_up(loaded)
                if reached is None and loaded.version > 0:
                    reached = await _begin(
                        cache, loaded, audience, after, form, updates, snapshot=not has_table
                    )
                clocks = await clocks_at(cache, loaded, loaded.version) if rows else None
                version, ended = loaded.version, loaded.status is Status.ENDED
            with about(of_match(match_id)):
                updates += [Update(move=move_message(loaded, row, audience, form, clocks)) for row in rows]
            for update in updates:
                yield update
            if rows:
                reached = rows[-1].seq
            if has_table or version == 0:
                changed = await news.update(cache, match_id, reached or 0)
                if changed is not None:
                    yield changed
            if reached is not None and reached < version:
                await still_allowed()  # a slow subscriber may be far behind
                continue
            if ended:
                return
            await wakeups.wait(SLOW_POLL_SECONDS)
            await still_allowed()


async def _begin(
    cache: MatchCache,
    loaded: LoadedMatch,
    audience: Audience,
    after: int | None,
    form: Form,
    updates: list[Update],
    *,
    snapshot: bool,
) -> int:
    """Return where to begin: after the caller's version, or with a snapshot of the current state, if that is wanted."""
    if after is not None and 0 <= after <= loaded.version:
        return after
    if loaded.state is None:  # aborted before it began: there is no state to send
        return 0
    if after is not None:
        updates.append(Update(reset=Update.Reset(version=loaded.version)))
    if snapshot:
        updates.append(Update(snapshot=await view(cache, loaded, audience, None, form)))
    return loaded.version

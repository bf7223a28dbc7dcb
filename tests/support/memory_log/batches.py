"""Many matches at once in the log in memory: one after another, by what the log does with one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from services.movelog.batches import MatchNow, NewMatch, first_of_each_reference
from services.movelog.checks import check_append, check_new
from services.movelog.failures import MatchUnknown, StaleVersion, TokensRevoked
from services.movelog.lobby import LobbyError
from services.movelog.records import Append

if TYPE_CHECKING:
    from tests.support.memory_log.log import MemoryLog


class MemoryBatches:
    """See `Batches`. No method of the log waits in its middle, so each of these is atomic, too."""

    def __init__(self, log: MemoryLog) -> None:
        self._log = log

    async def create(self, new: Sequence[NewMatch], *, all_or_none: bool) -> frozenset[UUID]:
        """See `Batches.create`."""
        first = first_of_each_reference(new)
        for one in new:
            check_new(one.match, one.seats)
        if all_or_none and not (len(first) == len(new) and await self._are_all_new(new)):
            return frozenset()
        return frozenset({one.match.id for one in first if await self._is_stored(one)})

    async def start(self, appends: Sequence[Append]) -> frozenset[UUID]:
        """See `Batches.start`."""
        for append in appends:
            check_append(append)
        return frozenset({append.move.match_id for append in appends if await self._has_begun(append)})

    async def read(self, match_ids: Sequence[UUID]) -> dict[UUID, MatchNow]:
        """See `Batches.read`."""
        known = await self._log.progress(match_ids)
        return {
            one: MatchNow(
                match=await self._log.find(one),
                seating=await self._log.lobby.seating(one),
                notes=await self._log.notes(one),
                clocks=await self._log.clocks.of(one),
            )
            for one in known
        }

    async def requested(self, tenant: str, request_ids: Sequence[str]) -> dict[str, UUID]:
        """See `Batches.requested`."""
        found = {one: await self._log.requested(tenant, one) for one in request_ids}
        return {one: match.id for one, match in found.items() if match is not None}

    async def referred(self, tenant: str, references: Sequence[str]) -> dict[str, UUID]:
        """See `Batches.referred`."""
        found = {one: await self._log.referred(tenant, one) for one in references}
        return {one: match_id for one, match_id in found.items() if match_id is not None}

    async def _are_all_new(self, new: Sequence[NewMatch]) -> bool:
        for names in (
            [one.match.request_id for one in new],
            [one.match.rematch_of for one in new],
            [one.match.id for one in new],
        ):
            named = [name for name in names if name is not None]
            if len(set(named)) < len(named):
                return False
        return all([await self._is_new(one) for one in new])

    async def _is_new(self, one: NewMatch) -> bool:
        match, log = one.match, self._log
        return not (
            await log.progress([match.id])
            or (match.request_id is not None and await log.requested(match.tenant, match.request_id))
            or (match.rematch_of is not None and await log.lobby.rematch_of(match.rematch_of))
            or await log.referred(match.tenant, one.notes.reference)
        )

    async def _is_stored(self, one: NewMatch) -> bool:
        if not await self._is_new(one):
            return False
        await self._log.create(one.match, one.seats, notes=one.notes)
        return True

    async def _has_begun(self, append: Append) -> bool:
        try:
            match = await self._log.find(append.move.match_id)
            await self._log.lobby.start(append, match.seats)
        except (MatchUnknown, StaleVersion, TokensRevoked, LobbyError):
            return False
        return True

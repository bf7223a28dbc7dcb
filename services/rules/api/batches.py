"""Many new matches in one call: all or none of them, or each by itself.

A batch takes about a second, in which other callers' moves go on: the work is done in steps, between which others get their turn, and
few batches are under way at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from foldtable.matches.v1 import match_service_pb2 as pb
from services.identity.callers import TenantCaller
from services.movelog.batches import MatchNow
from services.movelog.records import Append
from services.process.bounds import MAX_BATCH
from services.process.structured_logs import without_message
from services.rpc.answering import refusal_of
from services.rpc.match_messages import match_message
from services.rpc.refusals import Refused, malformed, to_status
from services.rules.api.creating import Creation
from services.rules.api.heavy_reads import HeavyBounds, HeavyReads, turn_of
from services.rules.api.shown_matches import ShownMatches
from services.rules.match.access import MatchAccess, request_id
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import tenant_only
from services.rules.match.starting import first_row, is_due
from services.rules.seats.batches import (
    Outcomes,
    Wanted,
    at,
    placed,
    request_id_at,
    store_all,
    store_each,
)

BOUNDS: Final = HeavyBounds(at_once=2, of_caller=1, waiting=16, waiting_of_caller=4, wait_seconds=10.0)
"""How many batches are under way, and how many wait. With messages of at most 4 MiB this bounds their memory."""
STEP: Final = 50
"""Matches that are stored, started and answered together, unless all of a batch are stored together."""
_PAUSE_AFTER: Final = 4
"""Matches that are computed before others of the process get their turn."""
_log: Final = structlog.get_logger("foldtable.rules")
_METHOD: Final = "/foldtable.matches.v1.MatchService/CreateMatches"


class MatchBatches:
    """Creates many matches."""

    def __init__(
        self, cache: MatchCache, access: MatchAccess, shown: ShownMatches, creation: Creation
    ) -> None:
        self._cache = cache
        self._log = cache.log
        self._access = access
        self._shown = shown
        self._creation = creation
        self._turns = HeavyReads(BOUNDS, what="requests for many new matches", bucket="match_batches")

    async def create(
        self, request: pb.CreateMatchesRequest, authorization: str | None
    ) -> pb.CreateMatchesResponse:
        """Make the matches for a tenant, with the tokens of all seats and the invites to others."""
        caller = tenant_only(await self._access.caller(authorization))
        places = _places(request)
        async with self._turns.turn(turn_of(caller)):
            outcomes: Outcomes = {}
            wanted = await self._wanted(request, places, caller, authorization, outcomes)
            if request.all_or_none:
                outcomes |= await store_all(self._log, wanted)
                wanted = []
            results: dict[int, pb.CreatedOrRefused] = {}
            for first in range(0, len(places), STEP):
                step = places[first : first + STEP]
                here = {place: outcomes[place] for place in step if place in outcomes}
                here |= await store_each(self._log, [one for one in wanted if one.place in step])
                await self._start(here, all_or_none=request.all_or_none)
                results |= await self._results(here, caller)
        return pb.CreateMatchesResponse(results=[results[place] for place in places])

    async def _wanted(
        self,
        request: pb.CreateMatchesRequest,
        places: Sequence[int],
        caller: TenantCaller,
        authorization: str | None,
        refusals: Outcomes,
    ) -> list[Wanted]:
        """Return the matches that can be created as requested; note the refusals of the others. Raises the first one if all are to be created."""
        wanted = []
        for number, (place, one) in enumerate(zip(places, request.matches, strict=True)):
            if number % _PAUSE_AFTER == 0:
                await asyncio.sleep(0)
            asked = pb.CreateMatchRequest()
            asked.CopyFrom(one)
            asked.request_id = request_id_at(request.request_id, place) or ""
            try:
                new = await self._creation.asked_of(caller, asked, authorization)
                wanted.append(Wanted.of(place, new))
            except Refused as refused:
                if request.all_or_none:
                    raise placed(refused, place) from None
                refusals[place] = placed(refused, place)
        return wanted

    async def _start(self, outcomes: Outcomes, *, all_or_none: bool) -> None:
        """Start the matches that are due, and put all as they are then in place of what they were.

        One whose start fails is refused; if all are to exist, it is answered as one that has not begun.
        """
        matches = {place: one for place, one in outcomes.items() if isinstance(one, MatchNow)}
        due = {place: one for place, one in matches.items() if _is_due(one)}
        rows: list[Append] = []
        failed: dict[int, Exception] = {}
        for number, (place, one) in enumerate(due.items()):
            if number % _PAUSE_AFTER == 0:
                await asyncio.sleep(0)
            try:
                rows.append(first_row(self._cache.not_begun(one.match, one.seating)))
            except Exception as error:  # noqa: BLE001 - whatever a game raises, the other matches begin
                failed[place] = error
        begun = await self._log.batches.start(rows) if rows else frozenset()
        for place in due.keys() - failed.keys():
            if due[place].match.id not in begun:
                try:
                    await self._shown.started(due[place].match.id)
                except Exception as error:  # noqa: BLE001 - as above
                    failed[place] = error
        now = await self._log.batches.read([one.match.id for one in matches.values()]) if matches else {}
        outcomes |= {place: now[one.match.id] for place, one in matches.items()}
        for place, problem in failed.items():
            if not isinstance(problem, Refused):
                match_id = str(matches[place].match.id)
                _log.error("match not started", match_id=match_id, **without_message(problem))
        if not all_or_none:  # otherwise they exist as was asked, and begin when they are next looked at
            outcomes |= {place: placed(refusal_of(error, _METHOD), place) for place, error in failed.items()}

    async def _results(self, outcomes: Outcomes, caller: TenantCaller) -> dict[int, pb.CreatedOrRefused]:
        results = {}
        for number, (place, one) in enumerate(outcomes.items()):
            if number % _PAUSE_AFTER == 0:
                await asyncio.sleep(0)
            if isinstance(one, Refused):
                results[place] = pb.CreatedOrRefused(refused=to_status(one))
            else:
                results[place] = pb.CreatedOrRefused(created=self._created(one, caller))
        return results

    def _created(self, now: MatchNow, caller: TenantCaller) -> pb.CreateMatchResponse:
        message = match_message(now.match, now.seating.seats, now.clocks, now.seating.todos, notes=now.notes)
        return pb.CreateMatchResponse(**self._creation.answer(now.match, now.seating, message, caller))


def _is_due(now: MatchNow) -> bool:
    return now.match.version == 0 and is_due(now.match, now.seating)


def _places(request: pb.CreateMatchesRequest) -> list[int]:
    """Return the places of the matches in the caller's list. Raises Refused for a request that names no possible batch."""
    count = len(request.matches)
    if not 1 <= count <= MAX_BATCH:
        raise malformed("$.matches", f"has {count} matches; a request creates 1 to {MAX_BATCH}")
    request_id(request.request_id)
    places = list(request.places) or list(range(count))
    if len(places) != count:
        raise malformed("$.places", f"has {len(places)} places for {count} matches")
    if not (places[0] >= 0 and places[-1] < MAX_BATCH and places == sorted(set(places))):
        raise malformed("$.places", f"must be ascending, from 0 to {MAX_BATCH - 1}")
    for place, one in zip(places, request.matches, strict=True):
        if one.request_id:
            raise malformed(
                f"{at(place)}.request_id", "must be absent: the request id is that of the whole request"
            )
        if request.all_or_none and one.game != request.matches[0].game:
            raise malformed(
                f"{at(place)}.game", f"is not that of {at(places[0])}; all are created of one game only"
            )
    return places

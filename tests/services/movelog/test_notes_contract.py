"""What a platform notes about matches, in every log: a reference is one match's, and whoever repeats a request is told of the first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from msgspec.structs import replace

from engine.kernel.seats import PUBLIC
from services.movelog.failures import ReferenceTaken
from services.movelog.log import MoveLog
from services.movelog.notes import NO_NOTES, Notes
from services.movelog.records import ForkedFrom, ForkQuota, Match, SeatRecord, Status

NOTED = Notes(reference="round-1", metadata=b'{"round":1}')


async def test_notes_are_kept_beside_the_match(log: MoveLog, a_match: Callable[..., Match]) -> None:
    noted, plain = a_match(), a_match()
    assert await log.create(noted, [], notes=NOTED) == noted
    await log.create(plain, [])
    assert await log.notes(noted.id) == NOTED
    assert await log.notes(plain.id) == await log.notes(uuid4()) == NO_NOTES


async def test_a_second_match_does_not_get_the_reference(log: MoveLog, a_match: Callable[..., Match]) -> None:
    first, second = a_match(request_id="one"), a_match(request_id="two")
    await log.create(first, [], notes=NOTED)
    with pytest.raises(ReferenceTaken) as refused:
        await log.create(second, [], notes=NOTED)
    assert refused.value.match_id == first.id
    assert await log.requested(second.tenant, "two") is None, "and nothing of it is there"


async def test_a_repeat_is_told_of_the_first_match_and_not_of_its_reference(
    log: MoveLog, a_match: Callable[..., Match]
) -> None:
    first, again = a_match(request_id="one"), a_match(request_id="one")
    await log.create(first, [], notes=NOTED)
    assert await log.create(again, [], notes=NOTED) == first


async def test_tenants_have_references_of_their_own(log: MoveLog, a_match: Callable[..., Match]) -> None:
    ours, theirs = a_match(tenant="ours"), a_match(tenant="theirs")
    await log.create(ours, [], notes=NOTED)
    assert await log.create(theirs, [], notes=NOTED) == theirs


async def test_any_number_of_matches_have_metadata_and_no_reference(
    log: MoveLog, a_match: Callable[..., Match]
) -> None:
    alike = [a_match() for _ in range(3)]
    for match in alike:
        await log.create(match, [], notes=replace(NOTED, reference=""))
    assert [await log.notes(match.id) for match in alike] == [replace(NOTED, reference="")] * 3


async def test_of_many_at_once_one_gets_the_reference(log: MoveLog, a_match: Callable[..., Match]) -> None:
    made = await asyncio.gather(
        *(log.create(a_match(), [], notes=NOTED) for _ in range(12)), return_exceptions=True
    )
    (winner,) = [one for one in made if isinstance(one, Match)]
    others = [one for one in made if isinstance(one, ReferenceTaken)]
    assert len(others) == 11
    assert {one.match_id for one in others} == {winner.id}


async def test_of_many_repeats_at_once_all_are_told_of_one_match(
    log: MoveLog, a_match: Callable[..., Match]
) -> None:
    made = await asyncio.gather(*(log.create(a_match(request_id="one"), [], notes=NOTED) for _ in range(12)))
    assert len({match.id for match in made}) == 1


async def test_a_fork_with_a_taken_reference_is_neither_made_nor_counted(
    log: MoveLog, a_match: Callable[..., Match]
) -> None:
    await log.create(a_match(), [], notes=NOTED)
    origin = ForkedFrom(match_id=uuid4(), version=1, audience=PUBLIC)
    quota = ForkQuota(account="ruth", most=1)
    seats = [SeatRecord(seat=0)]
    with pytest.raises(ReferenceTaken):
        await log.fork(a_match(forked_from=origin), seats, quota, notes=NOTED)
    fork = a_match(forked_from=origin)
    await log.fork(fork, seats, quota, notes=replace(NOTED, reference="round-2"))
    assert await log.notes(fork.id) == replace(NOTED, reference="round-2")


async def test_an_import_with_a_taken_reference_stores_nothing(
    log: MoveLog, a_match: Callable[..., Match], moves: Callable[..., Any]
) -> None:
    known = a_match(original_id=uuid4())
    assert await log.import_match(*_ended(known, moves), notes=NOTED)
    match, seats, rows = _ended(a_match(), moves)
    with pytest.raises(ReferenceTaken) as refused:
        await log.import_match(match, seats, rows, notes=NOTED)
    assert refused.value.match_id == known.original_id, "the id that the tenant knows it by"
    assert await log.own(match.tenant, match.id) is None
    assert await log.import_match(match, seats, rows, notes=NO_NOTES)


def _ended(match: Match, moves: Callable[..., Any]) -> tuple[Match, list[SeatRecord], list[Any]]:
    rows = [append.move for append in moves(match, 2)]
    outcome = b'{"reason":"r","rule":"1","winners":[],"results":[]}'
    ended = replace(match, status=Status.ENDED, version=2, to_act=(), outcome=outcome)
    return ended, [SeatRecord(seat=seat) for seat in range(match.seats)], rows

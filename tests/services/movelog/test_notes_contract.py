"""What a platform notes about matches, in every log: a reference is one match's, and whoever repeats a request is told of the first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from msgspec.structs import replace

from engine.kernel.seats import PUBLIC
from services.movelog.failures import MatchUnknown, ReferenceTaken
from services.movelog.log import MoveLog
from services.movelog.notes import NO_NOTES, MatchChange, Notes, merged
from services.movelog.records import ForkedFrom, ForkQuota, Match, SeatRecord, Status, Visibility

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
    noted = await log.create(a_match(), [], notes=NOTED)
    origin = ForkedFrom(match_id=noted.id, version=1, audience=PUBLIC)
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


# ── changes ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_change_leaves_alone_what_it_does_not_name(
    log: MoveLog, a_match: Callable[..., Match]
) -> None:
    match = a_match(title="Friday", visibility=Visibility.PUBLIC)
    await log.create(match, [], notes=NOTED)
    await log.change(match.id, MatchChange(title="Saturday"))
    assert await log.find(match.id) == replace(match, title="Saturday")
    assert await log.notes(match.id) == replace(NOTED, changed=True)
    await log.change(match.id, MatchChange(visibility=Visibility.PRIVATE, metadata=b'{"board":12}'))
    assert await log.find(match.id) == replace(match, title="Saturday", visibility=Visibility.PRIVATE)
    assert (await log.notes(match.id)).metadata == b'{"board":12,"round":1}'
    seating = await log.lobby.seating(match.id)
    assert (seating.title, seating.visibility) == ("Saturday", Visibility.PRIVATE)


async def test_a_change_to_a_taken_reference_changes_nothing(
    log: MoveLog, a_match: Callable[..., Match]
) -> None:
    first, second = a_match(), a_match(title="Friday")
    await log.create(first, [], notes=NOTED)
    await log.create(second, [])
    with pytest.raises(ReferenceTaken) as refused:
        await log.change(second.id, MatchChange(title="Saturday", reference="round-1"))
    assert refused.value.match_id == first.id
    assert (await log.find(second.id), await log.notes(second.id)) == (second, NO_NOTES)
    await log.change(first.id, MatchChange(reference="round-1"))
    await log.change(first.id, MatchChange(reference=""))
    await log.change(second.id, MatchChange(reference="round-1"))
    assert (await log.notes(second.id)).reference == "round-1"


async def test_changes_at_once_lose_nothing(log: MoveLog, a_match: Callable[..., Match]) -> None:
    match = await log.create(a_match(), [])
    patches = [f'{{"n{number}":{number}}}'.encode() for number in range(12)]
    await asyncio.gather(*(log.change(match.id, MatchChange(metadata=patch)) for patch in patches))
    found = msgspec.json.decode((await log.notes(match.id)).metadata)
    assert found == {f"n{number}": number for number in range(12)}


async def test_a_change_that_is_refused_is_not_written(log: MoveLog, a_match: Callable[..., Match]) -> None:
    match = await log.create(a_match(), [], notes=NOTED)

    def refuse(notes: Notes) -> None:
        raise LookupError(notes.metadata)

    with pytest.raises(LookupError, match=r"round.*x"):
        await log.change(match.id, MatchChange(title="x", metadata=b'{"x":1}'), refuse)
    assert (await log.find(match.id), await log.notes(match.id)) == (match, NOTED)


async def test_an_unknown_match_cannot_be_changed(log: MoveLog) -> None:
    with pytest.raises(MatchUnknown):
        await log.change(uuid4(), MatchChange(title="x"))


async def test_a_change_wakes_those_who_look_at_seats(log: MoveLog, a_match: Callable[..., Match]) -> None:
    match = await log.create(a_match(), [])
    heard = asyncio.Queue[tuple[object, bool]]()
    stop = log.subscribe_to_all(lambda match_id, reseated: heard.put_nowait((match_id, reseated)))
    await log.change(match.id, MatchChange(title="x"))
    async with asyncio.timeout(10):
        while await heard.get() != (match.id, True):
            pass
    stop()


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ('{"a":"b"}', '{"a":"c"}', '{"a":"c"}'),
        ('{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'),
        ('{"a":"b"}', '{"a":null}', "{}"),
        ('{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'),
        ('{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'),
        ('{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'),
        ('{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'),
        ('{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'),
        ('{"e":null}', '{"a":1}', '{"a":1,"e":null}'),
        ("{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'),
        ('{"a":"b"}', "null", "{}"),
    ],
)
def test_a_merge_patch_does_what_the_rfc_says(target: str, patch: str, result: str) -> None:
    """RFC 7396, appendix A, as far as target and patch are objects."""
    assert merged(target.encode(), patch.encode()).decode() == result

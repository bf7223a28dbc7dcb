"""What every log does. Each test runs on the log in Postgres and on the one in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest

from services.movelog.chain import first_break
from services.movelog.failures import LogError, LogUnavailable, MatchUnknown, RequestIdTaken, StaleVersion
from services.movelog.log import MoveLog
from services.movelog.records import Append, Match, SeatRecord, SeatState, Status
from services.process.bounds import MAX_REQUEST_ID

AMatch = Callable[..., Match]
AMove = Callable[..., Append]
Moves = Callable[[Match, int], list[Append]]


def taken(seat: int, player: str) -> SeatRecord:
    return SeatRecord(seat=seat, state=SeatState.TAKEN, player=player)


async def test_a_created_match_is_found_as_it_was(log: MoveLog, a_match: AMatch) -> None:
    match = a_match(
        request_id="create-1",
        options=b'{"name":"\xc3\xa9\xf0\x9f\x90\x89","n":1}',
        to_act=(0, 2),
        created_at=datetime(2026, 2, 28, 23, 59, 59, 999_999, UTC),
    )
    assert await log.create(match, []) == match
    assert await log.find(match.id) == match


async def test_a_repeated_create_gives_the_first_match_and_stores_nothing(
    log: MoveLog, a_match: AMatch
) -> None:
    first = a_match(request_id="create-1")
    again = a_match(request_id="create-1")
    await log.create(first, [taken(0, "ann")])
    assert await log.create(again, [taken(1, "ruth")]) == first
    with pytest.raises(MatchUnknown):
        await log.find(again.id)
    assert [claim.player for claim in (await log.lobby.seating(first.id)).claims] == ["ann"]


async def test_two_tenants_may_use_the_same_request_id(log: MoveLog, a_match: AMatch) -> None:
    ours = await log.create(a_match(tenant="ours", request_id="create-1"), [])
    theirs = await log.create(a_match(tenant="theirs", request_id="create-1"), [])
    assert ours.id != theirs.id
    assert await log.requested("ours", "create-1") == ours
    assert await log.requested("theirs", "create-1") == theirs
    assert await log.requested("theirs", "create-2") is None


async def test_the_same_create_many_times_at_once_makes_one_match(log: MoveLog, a_match: AMatch) -> None:
    made = await asyncio.gather(*(log.create(a_match(request_id="create-1"), []) for _ in range(16)))
    assert len({match.id for match in made}) == 1


async def test_a_create_repeated_without_request_id_gives_the_same_match(
    log: MoveLog, a_match: AMatch
) -> None:
    match = a_match()
    assert await log.create(match, []) == await log.create(match, []) == match


async def test_a_match_id_is_not_given_twice(log: MoveLog, a_match: AMatch) -> None:
    match = await log.create(a_match(), [])
    with pytest.raises(LogError):
        await log.create(a_match(id=match.id), [])
    assert await log.find(match.id) == match


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"version": 3}, id="with moves already"),
        pytest.param({"tenant": "nul\0"}, id="NUL in the tenant"),
        pytest.param({"request_id": "\ud800"}, id="half a surrogate pair"),
    ],
)
async def test_a_match_that_cannot_be_is_refused(
    log: MoveLog, a_match: AMatch, wrong: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match=r"."):
        await log.create(a_match(**wrong), [])


async def test_a_seat_cannot_be_taken_twice_at_creation(log: MoveLog, a_match: AMatch) -> None:
    with pytest.raises(ValueError, match="twice"):
        await log.create(a_match(), [taken(0, "ann"), taken(0, "ruth")])


async def test_an_append_advances_the_match(log: MoveLog, match: Match, a_move: AMove) -> None:
    outcome = b'{"winner":1}'
    append = msgspec.structs.replace(a_move(match), status=Status.ENDED, to_act=(), outcome=outcome)
    await log.append(append)
    assert await log.find(match.id) == msgspec.structs.replace(
        match,
        version=1,
        status=Status.ENDED,
        to_act=(),
        outcome=outcome,
        updated_at=append.move.recorded_at,
    )
    assert await log.read(match.id) == [append.move]


async def test_the_system_s_own_move_has_no_seat(log: MoveLog, match: Match, a_move: AMove) -> None:
    append = a_move(match, seat=None)
    await log.append(append)
    assert [move.seat for move in await log.read(match.id)] == [None]


async def test_a_move_at_an_old_version_is_refused_and_not_written(
    log: MoveLog, match: Match, a_move: AMove, moves: Moves
) -> None:
    first, second = moves(match, 2)
    await log.append(first)
    await log.append(second)
    with pytest.raises(StaleVersion):
        await log.append(a_move(match, 2))
    assert await log.read(match.id) == [first.move, second.move]


async def test_a_move_that_skips_a_version_is_refused(log: MoveLog, match: Match, a_move: AMove) -> None:
    with pytest.raises(StaleVersion):
        await log.append(a_move(match, 2))
    assert (await log.find(match.id)).version == 0


async def test_a_move_that_follows_another_row_is_refused_though_the_version_is_right(
    log: MoveLog, match: Match, a_move: AMove, moves: Moves
) -> None:
    """Somebody remembers a row that the log lost, and that another has taken the place of."""
    first, second = moves(match, 2)
    lost = a_move(match, 2, first.move.hash)
    await log.append(first)
    await log.append(second)
    for status in (Status.RUNNING, Status.ENDED):
        third = msgspec.structs.replace(a_move(match, 3, lost.move.hash), status=status)
        with pytest.raises(StaleVersion):
            await log.append(third)
    assert await log.read(match.id) == [first.move, second.move]
    assert (await log.find(match.id)).version == 2
    await log.append(a_move(match, 3, second.move.hash))


async def test_of_moves_that_come_together_those_that_follow_another_row_are_refused(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    matches = [await log.create(a_match(), []) for _ in range(12)]
    firsts = [a_move(match) for match in matches]
    await asyncio.gather(*map(log.append, firsts))
    heads = [first.move.hash if number % 3 else bytes(32) for number, first in enumerate(firsts)]
    outcomes = await asyncio.gather(
        *(log.append(a_move(match, 2, head)) for match, head in zip(matches, heads, strict=True)),
        return_exceptions=True,
    )
    assert [type(one) for one in outcomes] == [StaleVersion, type(None), type(None)] * 4
    assert [(await log.find(match.id)).version for match in matches] == [1, 2, 2] * 4


async def test_a_request_id_is_used_once_in_a_match(log: MoveLog, match: Match, a_move: AMove) -> None:
    first = a_move(match, request_id="move-1")
    await log.append(first)
    with pytest.raises(RequestIdTaken):
        await log.append(a_move(match, 2, first.move.hash, request_id="move-1"))
    assert (await log.find(match.id)).version == 1


async def test_a_repeated_move_hears_of_its_request_id_and_not_of_its_version(
    log: MoveLog, match: Match, a_move: AMove
) -> None:
    append = a_move(match, request_id="move-1")
    await log.append(append)
    with pytest.raises(RequestIdTaken):
        await log.append(append)


async def test_another_match_may_use_the_same_request_id(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    for _ in range(2):
        match = await log.create(a_match(), [])
        await log.append(a_move(match, request_id="move-1"))
        assert (await log.find(match.id)).version == 1


async def test_an_unknown_match_is_unknown_to_every_call(
    log: MoveLog, a_match: AMatch, a_move: AMove, unknown_match: UUID
) -> None:
    with pytest.raises(MatchUnknown):
        await log.append(a_move(a_match(id=unknown_match)))
    with pytest.raises(MatchUnknown):
        await log.find(unknown_match)
    assert await log.read(unknown_match) == []


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"seq": 0}, id="seq 0"),
        pytest.param({"request_id": "nul\0"}, id="NUL in the request id"),
        pytest.param({"request_id": "x" * (MAX_REQUEST_ID + 1)}, id="a request id too long"),
    ],
)
async def test_a_move_that_no_log_could_hold_is_refused(
    log: MoveLog, match: Match, a_move: AMove, wrong: dict[str, Any]
) -> None:
    append = a_move(match)
    with pytest.raises(ValueError, match=r"."):
        await log.append(msgspec.structs.replace(append, move=msgspec.structs.replace(append.move, **wrong)))
    assert (await log.find(match.id)).version == 0


async def test_of_32_moves_at_one_version_exactly_one_is_written(
    log: MoveLog, match: Match, a_move: AMove
) -> None:
    outcomes = await asyncio.gather(*(log.append(a_move(match)) for _ in range(32)), return_exceptions=True)
    assert outcomes.count(None) == 1
    assert [type(outcome) for outcome in outcomes if outcome is not None] == [StaleVersion] * 31
    assert len(await log.read(match.id)) == 1


async def test_many_matches_at_once_do_not_disturb_each_other(
    log: MoveLog, a_match: AMatch, moves: Moves
) -> None:
    matches = [await log.create(a_match(), []) for _ in range(20)]

    async def play(match: Match) -> None:
        for append in moves(match, 10):
            await log.append(append)

    await asyncio.gather(*map(play, matches))
    for match in matches:
        stored = await log.read(match.id)
        assert [move.seq for move in stored] == list(range(1, 11))
        assert first_break(match, stored) is None


async def test_moves_are_read_in_ranges(log: MoveLog, match: Match, moves: Moves) -> None:
    appends = moves(match, 5)
    for append in appends:
        await log.append(append)
    written = [append.move for append in appends]
    assert await log.read(match.id) == written
    assert await log.read(match.id, after=3) == written[3:]
    assert await log.read(match.id, after=1, limit=2) == written[1:3]
    assert await log.read(match.id, after=5) == []
    assert await log.read(match.id, limit=0) == []
    with pytest.raises(ValueError, match="limit"):
        await log.read(match.id, limit=-1)


async def test_what_is_read_is_byte_for_byte_what_was_hashed(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    match = await log.create(a_match(), [])
    odd = {
        "request": b'{"b":1,"a":  2.50,"a":3,"\\u00e9":"\xc3\xa9"}',
        "events": bytes(range(256)) * 40,
        "request_id": "\N{DRAGON}" * 16,
        "recorded_at": datetime(1999, 12, 31, 23, 59, 59, 1, UTC),
    }
    append = a_move(match, **odd)
    await log.append(append)
    stored = await log.read(match.id)
    assert stored == [append.move]
    assert first_break(await log.find(match.id), stored) is None


async def test_times_of_any_zone_are_the_same_moment(log: MoveLog, match: Match, a_move: AMove) -> None:
    from datetime import timezone

    there = datetime(2026, 7, 1, 12, 0, 0, 123_456, timezone(timedelta(hours=5, minutes=30)))
    append = a_move(match, recorded_at=there)
    await log.append(append)
    stored = await log.read(match.id)
    assert stored[0].recorded_at == there
    assert first_break(match, stored) is None


async def test_a_subscriber_is_woken_by_a_move_of_its_match(
    log: MoveLog, match: Match, a_move: AMove
) -> None:
    async with log.subscribe_to_match(match.id) as wakeups:
        waiting = asyncio.create_task(wakeups.wait(30))
        await asyncio.sleep(0)
        await log.append(a_move(match))
        await asyncio.wait_for(waiting, 20)
        assert len(await log.read(match.id)) == 1


async def test_a_move_between_two_looks_is_not_missed(log: MoveLog, match: Match, a_move: AMove) -> None:
    async with log.subscribe_to_match(match.id) as wakeups:
        await log.append(a_move(match))
        await asyncio.wait_for(wakeups.wait(30), 20)


async def test_a_refused_move_wakes_nobody(log: MoveLog, match: Match, a_move: AMove) -> None:
    async with log.subscribe_to_match(match.id) as wakeups:
        await _settle(wakeups)
        with pytest.raises(StaleVersion):
            await log.append(a_move(match, 2))
        assert await _took(wakeups.wait(0.2)) >= 0.2


async def test_a_move_of_another_match_wakes_nobody(
    log: MoveLog, match: Match, a_match: AMatch, a_move: AMove
) -> None:
    other = await log.create(a_match(), [])
    async with log.subscribe_to_match(match.id) as wakeups:
        await _settle(wakeups)
        await log.append(a_move(other))
        assert await _took(wakeups.wait(0.2)) >= 0.2


async def test_all_subscribers_to_a_match_are_woken(log: MoveLog, match: Match, a_move: AMove) -> None:
    async def wait() -> None:
        async with log.subscribe_to_match(match.id) as wakeups:
            ready.release()
            await wakeups.wait(30)

    ready = asyncio.Semaphore(0)
    waiting = [asyncio.create_task(wait()) for _ in range(50)]
    for _ in waiting:
        await ready.acquire()
    await log.append(a_move(match))
    await asyncio.wait_for(asyncio.gather(*waiting), 20)


async def test_a_cancelled_caller_harms_nobody(log: MoveLog, a_match: AMatch, a_move: AMove) -> None:
    matches = [await log.create(a_match(), []) for _ in range(12)]
    appends = [asyncio.create_task(log.append(a_move(match))) for match in matches]
    await asyncio.sleep(0)
    for append in appends[::2]:
        append.cancel()
    outcomes = await asyncio.gather(*appends, return_exceptions=True)
    assert outcomes[1::2] == [None] * 6
    for match in matches[1::2]:
        assert (await log.find(match.id)).version == 1
    for match in matches[::2]:  # written or not, but whole: the match goes on
        stored = await log.read(match.id)
        assert (await log.find(match.id)).version == len(stored)
        await log.append(a_move(match, len(stored) + 1, stored[-1].hash if stored else None))


async def test_a_closed_log_takes_no_more(log: MoveLog, match: Match, a_move: AMove) -> None:
    await log.close()
    with pytest.raises(LogUnavailable):
        await log.append(a_move(match))
    with pytest.raises(LogUnavailable):
        await log.find(match.id)


async def test_errors_say_which_match_and_nothing_of_its_content(
    log: MoveLog, match: Match, a_move: AMove
) -> None:
    append = a_move(match, request_id="told-by-the-client", request=b"hidden-program")
    await log.append(append)
    for attempt in (append, a_move(match, 7, request=b"hidden-program")):
        with pytest.raises(LogError) as refused:
            await log.append(attempt)
        assert str(match.id) in str(refused.value)
        assert "hidden" not in repr(refused.value)
        assert "told-by" not in repr(refused.value)


async def _settle(wakeups: Any) -> None:
    """The first wake-ups may only say that listening has begun."""
    while await _took(wakeups.wait(0.3)) < 0.3:
        pass


async def _took(waiting: Any) -> float:
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await waiting
    return loop.time() - begun + 0.001  # the loop's clock is coarse


async def test_progress_grows_with_moves_and_revocations(log: MoveLog, match: Match, a_move: AMove) -> None:
    before = (await log.progress([match.id]))[match.id]
    await log.append(a_move(match))
    moved = (await log.progress([match.id]))[match.id]
    await log.lobby.revoke(match.id, 0)
    revoked = (await log.progress([match.id]))[match.id]
    await log.lobby.revoke_watchers(match.id)
    watchers = (await log.progress([match.id]))[match.id]
    assert (moved.version, moved.revocations) == (before.version + 1, before.revocations)
    assert before.revocations < revoked.revocations < watchers.revocations


async def test_progress_leaves_out_matches_there_are_not(log: MoveLog, match: Match) -> None:
    assert set(await log.progress([match.id, UUID(int=7)])) == {match.id}
    assert await log.progress([]) == {}

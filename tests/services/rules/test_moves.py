"""The path of a move when the log fails under it, and the cache that is only a cache."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

import pytest
from msgspec.structs import replace
from rules_stack import FIVE_CARDS

from engine.kernel.codec import encode
from engine.kernel.seats import Seat
from engine.match.commands import Undo
from engine.match.requests import read_request
from engine.registry import game
from services.movelog.chain import first_break
from services.movelog.failures import LogUnavailable
from services.movelog.records import Append, Move
from services.rpc.refusals import Refused
from services.rules.match import seating, starting
from services.rules.match.appending import AcceptedRow, Request
from services.rules.match.commands import run_command
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.moves import make_move
from tests.support.memory_log.log import MemoryLog

DRAGONS = game("river_dragons")
PROGRAM = read_request(DRAGONS, encode({"type": "submit_program", "cards": FIVE_CARDS}))


class FailingLog(MemoryLog):
    """Fails once, before or after it has written: the caller cannot tell which."""

    def __init__(self) -> None:
        super().__init__()
        self.fail_before = self.fail_after = False

    async def append(self, append: Append) -> None:
        if self.fail_before:
            self.fail_before = False
            raise LogUnavailable("the connection broke")
        await super().append(append)
        if self.fail_after:
            self.fail_after = False
            raise LogUnavailable("the connection broke")


class CountingLog(MemoryLog):
    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    async def read(self, match_id: UUID, *, after: int = 0, limit: int | None = None) -> Sequence[Move]:
        self.reads += 1
        return await super().read(match_id, after=after, limit=limit)


async def new_match(tables: MatchCache, seats: int = 3) -> UUID:
    match = await seating.create(
        tables.log,
        seating.NewMatch(
            tenant="one",
            game=DRAGONS,
            seats=seats,
            options=DRAGONS.types.options(),
            players=(),
            open_seats=False,
            request_id=None,
        ),
    )
    async with tables.hold(match.id) as table:
        await starting.start_when_full(tables, table)
    return match.id


async def submit(
    tables: MatchCache, match_id: UUID, seat: int, request_id: str, expected: int | None = 1
) -> AcceptedRow:
    async with tables.hold(match_id) as table:
        return await make_move(
            tables,
            table,
            Request(seat=Seat(seat), body=PROGRAM, request_id=request_id, expected_version=expected),
        )


@pytest.mark.parametrize("written", [False, True])
async def test_after_a_broken_connection_the_repeat_counts_the_move_once(*, written: bool) -> None:
    log = FailingLog()
    tables = MatchCache(log, {"river_dragons": DRAGONS}.get)
    match_id = await new_match(tables)
    log.fail_after, log.fail_before = written, not written
    with pytest.raises(LogUnavailable):
        await submit(tables, match_id, 0, "a")
    answer = await submit(tables, match_id, 0, "a")
    assert (answer.version, answer.replayed) == (2, written)
    assert (await log.find(match_id)).version == 2


async def test_the_common_move_reads_nothing() -> None:
    log = CountingLog()
    tables = MatchCache(log, {"river_dragons": DRAGONS}.get)
    match_id = await new_match(tables)
    log.reads = 0
    for seat in range(3):
        await submit(tables, match_id, seat, f"r{seat}", expected=seat + 1)
    assert log.reads == 0


async def test_a_move_that_was_cancelled_under_way_is_there_or_not_but_never_twice() -> None:
    log = MemoryLog()
    tables = MatchCache(log, {"river_dragons": DRAGONS}.get)
    match_id = await new_match(tables)
    for _ in range(5):
        task = asyncio.create_task(submit(tables, match_id, 0, "a"))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    answer = await submit(tables, match_id, 0, "a")
    assert answer.version == 2
    assert (await log.find(match_id)).version == 2


async def test_tables_used_longest_ago_are_let_go_and_read_anew() -> None:
    log = CountingLog()
    tables = MatchCache(log, {"river_dragons": DRAGONS}.get, kept=2)
    matches = [await new_match(tables) for _ in range(4)]
    log.reads = 0
    assert (await submit(tables, matches[0], 0, "a")).version == 2
    assert log.reads == 1
    assert len(tables._entries) == 2


async def test_the_chain_of_what_was_written_holds() -> None:
    log = MemoryLog()
    tables = MatchCache(log, {"river_dragons": DRAGONS}.get)
    match_id = await new_match(tables)
    for seat in range(3):
        await submit(tables, match_id, seat, f"r{seat}")
    assert first_break(await log.find(match_id), await log.read(match_id)) is None


async def test_a_match_nobody_knows_leaves_no_place_in_the_cache() -> None:
    tables = MatchCache(MemoryLog(), {"river_dragons": DRAGONS}.get)
    for number in range(50):
        with pytest.raises(Refused):
            async with tables.hold(UUID(int=number)):
                pass
    assert not tables._entries


class LosingLog(MemoryLog):
    """Forgets what it had acknowledged: a replica took over that had not everything, or a backup was put back."""

    def lose(self, match_id: UUID, moves: int) -> None:
        stored = self._matches[match_id]
        lost = stored.moves[-moves:]
        del stored.moves[-moves:]
        stored.request_ids.difference_update(move.request_id for move in lost)
        stored.match = replace(stored.match, version=stored.match.version - moves)


async def test_a_log_that_went_back_is_read_anew() -> None:
    """Otherwise a server that remembers more than there is would refuse every move of the match, for ever."""
    log = LosingLog()
    tables = MatchCache(log, {"river_dragons": DRAGONS}.get)
    match_id = await new_match(tables)
    for seat in range(2):
        await submit(tables, match_id, seat, f"r{seat}")
    log.lose(match_id, 1)
    with pytest.raises(LogUnavailable):
        await submit(tables, match_id, 2, "r2")
    assert (await submit(tables, match_id, 2, "r2")).version == 3
    assert (await submit(tables, match_id, 1, "r1")).version == 4, "the lost move can be made again"
    assert first_break(await log.find(match_id), await log.read(match_id)) is None


async def two_that_remember(log: LosingLog) -> tuple[MatchCache, MatchCache, UUID]:
    """Return two servers over one log that know the same three rows of a match."""
    here, there = (MatchCache(log, {"river_dragons": DRAGONS}.get) for _ in range(2))
    match_id = await new_match(here)
    for seat in range(2):
        await submit(here, match_id, seat, f"r{seat}")
    async with there.hold(match_id):
        pass
    return here, there, match_id


async def stand(tables: MatchCache, match_id: UUID) -> LoadedMatch:
    """Return the table as a look at it would find it, also where the first look only found out that the log went back."""
    try:
        return await looked_at(tables, match_id)
    except LogUnavailable:
        return await looked_at(tables, match_id)


async def looked_at(tables: MatchCache, match_id: UUID) -> LoadedMatch:
    async with tables.hold(match_id) as table:
        await tables.catch_up(table)
        return table


async def test_rows_that_follow_on_other_rows_are_not_folded_onto_those_that_were_lost() -> None:
    log = LosingLog()
    here, there, match_id = await two_that_remember(log)
    log.lose(match_id, 1)
    there.forget(match_id)
    assert (await submit(there, match_id, 2, "s2")).version == 3
    assert (await submit(there, match_id, 1, "s1")).version == 4
    with pytest.raises(LogUnavailable):
        await looked_at(here, match_id)
    found, told = await looked_at(here, match_id), await looked_at(there, match_id)
    assert (found.version, found.head, found.state) == (told.version, told.head, told.state)


async def test_who_looks_at_a_match_that_went_back_is_not_shown_what_was_lost() -> None:
    log = LosingLog()
    here, _, match_id = await two_that_remember(log)
    log.lose(match_id, 1)
    with pytest.raises(LogUnavailable):
        await looked_at(here, match_id)
    assert (await looked_at(here, match_id)).version == 2


async def test_a_move_judged_on_another_table_of_the_same_version_is_not_written() -> None:
    log = LosingLog()
    here, there, match_id = await two_that_remember(log)
    log.lose(match_id, 1)
    there.forget(match_id)
    assert (await submit(there, match_id, 2, "s2")).version == 3, "and here it is at 3 too"
    with pytest.raises(LogUnavailable):
        await submit(here, match_id, 2, "r2")
    assert (await log.find(match_id)).version == 3
    with pytest.raises(Refused):
        await submit(here, match_id, 2, "r2")
    assert (await submit(here, match_id, 1, "r1")).version == 4
    assert first_break(await log.find(match_id), await log.read(match_id)) is None


@pytest.mark.parametrize("made_elsewhere", [False, True])
async def test_a_move_that_was_lost_is_not_said_to_have_been_made(*, made_elsewhere: bool) -> None:
    log = LosingLog()
    here, there, match_id = await two_that_remember(log)
    log.lose(match_id, 1)
    if made_elsewhere:
        there.forget(match_id)
        await submit(there, match_id, 2, "s2")
    with pytest.raises(LogUnavailable):
        await submit(here, match_id, 1, "r1")
    answer = await submit(here, match_id, 1, "r1")
    assert (answer.version, answer.replayed) == (4 if made_elsewhere else 3, False)


async def test_a_table_that_is_forgotten_leaves_no_table_of_an_earlier_version_behind() -> None:
    log = LosingLog()
    here, there, match_id = await two_that_remember(log)
    async with here.hold(match_id) as table:
        await here.state_at(table, 2)
    log.lose(match_id, 2)
    there.forget(match_id)
    for seat in (2, 1):
        await submit(there, match_id, seat, f"s{seat}")
    await stand(here, match_id)
    async with here.hold(match_id) as table, there.hold(match_id) as other:
        assert await here.state_at(table, 2) == await there.state_at(other, 2)


async def test_what_goes_back_to_earlier_rows_is_judged_on_those_the_log_has() -> None:
    """The tables of earlier versions are folded from the log, and there they may be another match's by now."""
    log = LosingLog()
    here, there, match_id = await two_that_remember(log)
    log.lose(match_id, 1)
    there.forget(match_id)
    await submit(there, match_id, 2, "s2")
    async with here.hold(match_id) as table:
        asked = Request(seat=Seat(1), body=Undo(to=2), request_id="undo", expected_version=3)
        with pytest.raises(LogUnavailable):
            await run_command(here, table, asked)

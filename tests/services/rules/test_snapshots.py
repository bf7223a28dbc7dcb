"""Snapshots are a short cut and nothing else: with them, without them, with wrong ones every view is the same."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import uuid4

import pytest
from msgspec.structs import replace

from engine.match.commands import is_command_row, read_events
from engine.match.replay import states_after_each
from engine.match.timeline import Timeline
from engine.registry import game as registered_game
from services.movelog.export.verification import logged_moves
from services.movelog.failures import LogUnavailable
from services.movelog.log import MoveLog
from services.movelog.records import Match, Move, SeatRecord, SeatState
from services.rules.match.match_cache import MatchCache
from services.rules.match.snapshots import EVERY, nearest_state, rebuild, snapshot_of
from tests.support.match_documents import a_match
from tests.support.memory_log.log import MemoryLog
from tests.support.winding_matches import a_winding_match

GAME = registered_game("river_dragons")


class ReadingLog(MemoryLog):
    """Counts the rows that are read."""

    rows_read = 0

    async def read(self, match_id: Any, *, after: int = 0, limit: int | None = None) -> Any:
        rows = await super().read(match_id, after=after, limit=limit)
        self.rows_read += len(rows)
        return rows


@pytest.fixture
async def log() -> AsyncIterator[ReadingLog]:
    made = ReadingLog()
    yield made
    await made.close()


@pytest.fixture
async def match(log: ReadingLog) -> Match:
    """A match of 122 moves that is over."""
    return await stored(log, *a_match(moves=120, match_id=uuid4()))


async def stored(log: MoveLog, match: Match, rows: Sequence[Move]) -> Match:
    seats = tuple(SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(match.seats))
    await log.import_match(match, seats, rows)
    return match


async def states(log: MoveLog, match: Match) -> list[Any]:
    """Every state, folded from the beginning."""
    return [state for _, state in states_after_each(GAME, logged_moves(await log.read(match.id)))]


async def state_at(log: MoveLog, match: Match, version: int) -> Any:
    """Ask as a server does that has just started."""
    tables = MatchCache(log, lambda _: GAME)
    async with tables.hold(match.id) as table:
        found = await tables.state_at(table, version)
    await tables.close()
    return found


async def test_a_server_that_reads_a_long_match_puts_its_stretches_aside(
    log: ReadingLog, match: Match
) -> None:
    tables = MatchCache(log, lambda _: GAME)
    async with tables.hold(match.id):
        pass
    await tables.settled()
    wanted = await states(log, match)
    assert await nearest_state(log.snapshots, match, GAME, range(EVERY)) == (0, None)
    for version in (50, 99, 100, 122):
        nearest = version - version % EVERY
        assert await nearest_state(log.snapshots, match, GAME, range(1, version + 1)) == (
            nearest,
            wanted[nearest - 1],
        )


async def test_a_view_in_the_middle_is_folded_from_the_nearest_one(log: ReadingLog, match: Match) -> None:
    wanted = await states(log, match)
    assert await rebuild(log, match, GAME) == 2
    tables = MatchCache(log, lambda _: GAME)
    async with tables.hold(match.id) as table:
        log.rows_read = 0
        assert await tables.state_at(table, 117) == wanted[116]
        assert log.rows_read == 17
    await tables.close()


async def test_deleting_them_in_the_middle_changes_nothing(log: ReadingLog, match: Match) -> None:
    wanted = await states(log, match)
    await rebuild(log, match, GAME)
    for version in (60, 110):
        assert await state_at(log, match, version) == wanted[version - 1]
        assert await log.snapshots.delete(match.id) >= 0
        assert await state_at(log, match, version) == wanted[version - 1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rules_version": "0.9.0"},
        {"state_hash": bytes(32)},
        {"state": b"{}"},
        {"version": 100},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
async def test_a_wrong_one_is_as_good_as_none(log: ReadingLog, match: Match, wrong: dict[str, Any]) -> None:
    rows = await log.read(match.id)
    state = (await states(log, match))[49]
    honest = snapshot_of(match, GAME, 50, rows[49].hash, state)
    await log.snapshots.put(honest)
    assert (await nearest_state(log.snapshots, match, GAME, range(1, 61)))[0] == 50
    await log.snapshots.delete()
    await log.snapshots.put(replace(honest, **wrong))
    assert await nearest_state(log.snapshots, match, GAME, range(1, 121)) == (0, None)
    assert await state_at(log, match, 110) == (await states(log, match))[109]


async def test_without_the_database_of_snapshots_nothing_is_missed(
    log: ReadingLog, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def out_of_order(*_: Any) -> Any:
        raise LogUnavailable("away")

    monkeypatch.setattr(log.snapshots, "nearest", out_of_order)
    monkeypatch.setattr(log.snapshots, "put", out_of_order)
    assert await state_at(log, match, 110) == (await states(log, match))[109]


@pytest.mark.parametrize("seed", range(1, 5))
async def test_where_moves_were_taken_back_every_version_stands_on_rows_that_counted(
    log: ReadingLog, seed: int
) -> None:
    match = await stored(log, *a_winding_match(moves=230, seed=seed, match_id=uuid4()))
    wanted = await states(log, match)
    kept = await rebuild(log, match, GAME)
    systems = [is_command_row(row.events) for row in await log.read(match.id)]
    assert kept == sum(not systems[version - 1] for version in range(EVERY, match.version + 1, EVERY))
    tables = MatchCache(log, lambda _: GAME)
    async with tables.hold(match.id) as table:
        for version in range(1, match.version + 1):
            tables._states.clear()
            assert await tables.state_at(table, version) == wanted[version - 1], version
    await tables.close()


async def test_the_table_after_a_move_that_was_taken_back_is_no_short_cut(log: ReadingLog) -> None:
    """Row 50 was put aside and taken back: whoever goes on from before it stands on nothing that it led to."""
    for seed in range(1, 200):
        match, rows = a_winding_match(moves=120, seed=seed, match_id=uuid4())
        timeline = Timeline()
        for row, logged in zip(rows, logged_moves(rows), strict=True):
            system = read_events(GAME, row.events) if is_command_row(row.events) else None
            timeline.advance(logged.seq, logged.seat, logged.request, system)
        if not is_command_row(rows[EVERY - 1].events) and EVERY not in timeline.line():
            break
    await stored(log, match, rows)
    assert await rebuild(log, match, GAME) >= 1
    assert await nearest_state(log.snapshots, match, GAME, range(1, EVERY + 1)) != (0, None)
    assert (await nearest_state(log.snapshots, match, GAME, timeline.line()[: EVERY - 1])) == (0, None)
    later = next(seq for seq in timeline.line() if seq > EVERY)
    assert await state_at(log, match, later) == (await states(log, match))[later - 1]

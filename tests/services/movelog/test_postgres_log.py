"""What only the log in Postgres has to show: batches, several processes, damage, and a database that goes away."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from services.movelog.chain import first_break
from services.movelog.failures import LogUnavailable, MatchUnknown, RequestIdTaken, StaleVersion
from services.movelog.lobby import SeatGiven, SeatRequest, SeatWanted
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append, Match, SeatState
from services.postgres.database import DatabaseSettings

AMatch = Callable[..., Match]
AMove = Callable[..., Append]
Moves = Callable[[Match, int], list[Append]]

QUICK = {"pool_seconds": 0.3, "connect_seconds": 1}


@pytest.fixture
async def another_process(database_url: str) -> AsyncIterator[PostgresLog]:
    """A second log on the same database: it shares nothing with the first but Postgres."""
    async with await PostgresLog.open(DatabaseSettings(database_url)) as log:
        yield log


async def test_a_move_of_one_process_wakes_the_watchers_of_another(
    postgres_log: PostgresLog, another_process: PostgresLog, a_match: AMatch, a_move: AMove
) -> None:
    match = await postgres_log.create(a_match(), [])
    async with another_process.subscribe_to_match(match.id) as wakeups:
        await wakeups.wait(5)  # listening has begun
        await postgres_log.append(a_move(match))
        await asyncio.wait_for(wakeups.wait(30), 20)
        assert len(await another_process.read(match.id)) == 1


async def test_watchers_look_again_after_a_lost_connection(
    postgres_log: PostgresLog, another_process: PostgresLog, a_match: AMatch, a_move: AMove, database_url: str
) -> None:
    match = await postgres_log.create(a_match(), [])
    async with another_process.subscribe_to_match(match.id) as wakeups:
        await wakeups.wait(5)
        _end_connections(database_url, "foldtable listener")
        first = a_move(match)
        await postgres_log.append(first)
        await asyncio.wait_for(wakeups.wait(30), 20)
        assert len(await another_process.read(match.id)) == 1
        await postgres_log.append(a_move(match, 2, first.move.hash))
        await asyncio.wait_for(wakeups.wait(30), 20)


async def test_bad_moves_do_not_hurt_their_neighbours_in_a_batch(
    postgres_log: PostgresLog, a_match: AMatch, a_move: AMove
) -> None:
    matches = [await postgres_log.create(a_match(), []) for _ in range(8)]
    repeated = a_move(matches[0], request_id="move-1")
    await postgres_log.append(repeated)
    outcomes = await asyncio.gather(
        postgres_log.append(a_move(matches[0], 2, repeated.move.hash, request_id="move-1")),
        postgres_log.append(a_move(matches[1], 5)),
        postgres_log.append(a_move(a_match())),
        *(postgres_log.append(a_move(match)) for match in matches[2:]),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes[:3]] == [RequestIdTaken, StaleVersion, MatchUnknown]
    assert outcomes[3:] == [None] * 6
    for match in matches[2:]:
        assert (await postgres_log.find(match.id)).version == len(await postgres_log.read(match.id)) == 1


async def test_a_match_that_somebody_has_locked_does_not_hold_up_its_batch(
    postgres_log: PostgresLog, a_match: AMatch, a_move: AMove, database_url: str
) -> None:
    matches = [await postgres_log.create(a_match(), []) for _ in range(4)]
    async with await psycopg.AsyncConnection.connect(database_url) as operator:
        await operator.execute("SELECT FROM matches WHERE id = %s FOR UPDATE", (matches[0].id,))
        outcomes = await asyncio.gather(
            *(postgres_log.append(a_move(match)) for match in matches), return_exceptions=True
        )
    assert [type(outcome) for outcome in outcomes] == [LogUnavailable, type(None), type(None), type(None)]
    await postgres_log.append(a_move(matches[0]))


async def test_a_batch_keeps_versions_as_a_single_move_does(
    postgres_log: PostgresLog, a_match: AMatch, a_move: AMove
) -> None:
    """No two rows clash here: only the comparison of versions stands in the way of the bad ones."""
    matches = [await postgres_log.create(a_match(), []) for _ in range(4)]
    outcomes = await asyncio.gather(
        *(postgres_log.append(a_move(match, seq)) for match, seq in zip(matches, (1, 2, 9, 1), strict=True)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), StaleVersion, StaleVersion, type(None)]
    assert [(await postgres_log.find(match.id)).version for match in matches] == [1, 0, 0, 1]
    assert [len(await postgres_log.read(match.id)) for match in matches] == [1, 0, 0, 1]


async def test_moves_that_had_to_wait_for_a_lock_are_written_whole(
    postgres_log: PostgresLog, a_match: AMatch, a_move: AMove, database_url: str
) -> None:
    """Somebody changes the match meanwhile, but not its version: the waiting moves are compared with the new row."""
    matches = [await postgres_log.create(a_match(), []) for _ in range(3)]
    appends = [a_move(match) for match in matches]
    async with await psycopg.AsyncConnection.connect(database_url) as operator:
        await operator.execute("UPDATE matches SET game = 'renamed'")
        writing = [asyncio.create_task(postgres_log.append(append)) for append in appends]
        await asyncio.sleep(0.1)
        assert not any(task.done() for task in writing)
        await operator.commit()
    await asyncio.gather(*writing)
    for match, append in zip(matches, appends, strict=True):
        assert await postgres_log.read(match.id) == [append.move]
        found = await postgres_log.find(match.id)
        assert (found.game, found.version, found.to_act) == ("renamed", 1, append.to_act)


async def test_processes_that_want_the_same_matches_never_deadlock(
    postgres_log: PostgresLog, another_process: PostgresLog, a_match: AMatch, a_move: AMove, database_url: str
) -> None:
    """One comes from the front, one from the back, and both are held in the middle until both are there."""
    many = [await postgres_log.create(a_match(), []) for _ in range(200)]
    matches = sorted(many, key=lambda match: match.id.bytes)[:15]
    async with await psycopg.AsyncConnection.connect(database_url) as operator:
        await operator.execute("ANALYZE matches")
        await operator.execute("SELECT FROM matches WHERE id = %s FOR UPDATE", (matches[7].id,))
        forwards = [asyncio.create_task(postgres_log.append(a_move(match))) for match in matches]
        backwards = [
            asyncio.create_task(another_process.append(a_move(match))) for match in reversed(matches)
        ]
        await asyncio.sleep(0.3)
        await operator.rollback()
    loop = asyncio.get_running_loop()
    released = loop.time()
    outcomes = await asyncio.gather(*forwards, *backwards, return_exceptions=True)
    assert outcomes.count(None) == len(matches)
    assert {type(outcome) for outcome in outcomes if outcome is not None} == {StaleVersion}
    assert loop.time() - released < 0.8, "somebody waited for the end of a lock's patience"


COLUMNS = {
    "match_id": "gen_random_uuid()",
    "seq": "seq + 100",
    "seat": "NULL",
    "request_id": "request_id || 'x'",
    "request": "set_byte(request, 3, get_byte(request, 3) # 1)",
    "events": "set_byte(events, 3, get_byte(events, 3) # 1)",
    "previous_hash": "set_byte(previous_hash, 3, get_byte(previous_hash, 3) # 1)",
    "hash": "set_byte(hash, 3, get_byte(hash, 3) # 1)",
    "recorded_at": "recorded_at + interval '1 microsecond'",
}


@pytest.mark.parametrize("row", [1, 3])
@pytest.mark.parametrize("column", COLUMNS)
async def test_any_change_of_a_row_is_found(
    postgres_log: PostgresLog, a_match: AMatch, moves: Moves, database_url: str, column: str, row: int
) -> None:
    match = await postgres_log.create(a_match(), [])
    appends = moves(match, 4)
    for append in appends:
        await postgres_log.append(append)
    assert first_break(match, await postgres_log.read(match.id)) is None
    statement = sql.SQL("UPDATE moves SET {} = {} WHERE match_id = %s AND seq = %s").format(
        sql.Identifier(column), sql.SQL(COLUMNS[column])
    )
    with psycopg.connect(database_url) as connection:
        assert connection.execute(statement, (match.id, row)).rowcount == 1
    found = first_break(match, await postgres_log.read(match.id))
    assert found is not None
    assert found.seq == row


async def test_every_column_of_the_table_is_covered_by_the_chain(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        found = connection.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'moves'"
        )
        assert {name for (name,) in found} == set(COLUMNS)


async def test_what_a_match_was_created_with_is_covered_by_the_chain(
    postgres_log: PostgresLog, a_match: AMatch, a_move: AMove, database_url: str
) -> None:
    match = await postgres_log.create(a_match(), [])
    await postgres_log.append(a_move(match))
    with psycopg.connect(database_url) as connection:
        connection.execute('UPDATE matches SET options = \'{"board":"expert"}\' WHERE id = %s', (match.id,))
    found = first_break(await postgres_log.find(match.id), await postgres_log.read(match.id))
    assert found is not None
    assert found.seq == 1


async def test_seats_of_a_match_from_the_release_before_get_their_rows_when_somebody_wants_one(
    postgres_log: PostgresLog, a_match: AMatch, database_url: str
) -> None:
    lobby = postgres_log.lobby
    for wanted in (SeatWanted(player="ruth"), SeatWanted(seat=2, player="ruth")):
        match = await postgres_log.create(a_match(), [])
        with psycopg.connect(database_url) as connection:
            connection.execute("DELETE FROM seats WHERE match_id = %s", (match.id,))
        assert [row.state for row in (await lobby.seating(match.id)).seats] == [SeatState.OPEN] * 4
        claimed = await lobby.claim(match.id, wanted)
        assert (claimed.seat, claimed.player) == (wanted.seat or 0, "ruth")
        with psycopg.connect(database_url) as connection:
            rows = connection.execute(
                "SELECT seat, tenant, state FROM seats WHERE match_id = %s ORDER BY seat", (match.id,)
            ).fetchall()
        states = ["taken" if seat == claimed.seat else "open" for seat in range(4)]
        assert rows == [(seat, match.tenant, state) for seat, state in enumerate(states)]


async def test_requests_to_join_are_read_as_the_release_before_writes_them_and_mostly_written_so(
    postgres_log: PostgresLog, a_match: AMatch, database_url: str
) -> None:
    """It knows no generations: a mark is all it writes and compares."""
    match = await postgres_log.create(a_match(), [])
    mark = b"the mark of join"
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as connection:
        await connection.execute(
            "INSERT INTO seat_requests (tenant, request_id, mark, match_id, seat) VALUES ('acme', 'old', %s, %s, 0)",
            (mark, match.id),
        )
        old = await postgres_log.lobby.requested("acme", "old")
        assert old == SeatGiven(match_id=match.id, seat=0, mark=mark, generation=0)
        for request_id in ("first", "second"):
            request = SeatRequest(tenant="acme", request_id=request_id, mark=mark)
            await postgres_log.lobby.claim(match.id, SeatWanted(seat=0, request=request))
            await postgres_log.lobby.leave(match.id, 0, None)
        stored = await connection.execute(
            "SELECT mark FROM seat_requests WHERE request_id IN ('first', 'second') ORDER BY request_id"
        )
        assert await stored.fetchall() == [(mark,), (mark + b"\0\0\0\1",)]


async def test_a_move_updates_its_match_in_place(
    postgres_log: PostgresLog, a_match: AMatch, moves: Moves, database_url: str
) -> None:
    """No index has to follow a move (HOT), so move 1 000 costs what move 10 costs.

    All but two: the start, which changes the status, and the first move of a new minute.
    """
    statistics = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'matches'"
    with psycopg.connect(database_url, autocommit=True) as connection:
        before = connection.execute(statistics).fetchone()
        assert before is not None
        match = await postgres_log.create(a_match(), [])
        for append in moves(match, 200):
            await postgres_log.append(append)
        await postgres_log.close()  # sessions report their statistics when they end
        updated = in_place = 0
        for _ in range(100):
            connection.execute("SELECT pg_stat_clear_snapshot()")
            after = connection.execute(statistics).fetchone()
            assert after is not None
            updated, in_place = after[0] - before[0], after[1] - before[1]
            if updated == 200:
                break
            await asyncio.sleep(0.05)
    assert (updated, in_place >= 198) == (200, True)


async def test_connections_that_were_ended_while_idle_are_not_noticed(
    postgres_log: PostgresLog, a_match: AMatch, a_move: AMove, database_url: str
) -> None:
    match = await postgres_log.create(a_match(), [])
    first = a_move(match)
    await postgres_log.append(first)
    _end_connections(database_url, "foldtable %")
    await asyncio.sleep(0.1)
    await postgres_log.append(a_move(match, 2, first.move.hash))
    assert len(await postgres_log.read(match.id)) == 2


async def test_without_a_database_the_log_says_so(tmp_path: Path, a_match: AMatch, a_move: AMove) -> None:
    nowhere = DatabaseSettings(f"postgresql://nobody@/nothing?host={tmp_path}", **QUICK)  # type: ignore[arg-type]
    async with await PostgresLog.open(nowhere) as log:
        with pytest.raises(LogUnavailable):
            await log.find(a_match().id)
        with pytest.raises(LogUnavailable):
            await log.append(a_move(a_match()))


async def test_behind_a_pooler_moves_go_to_postgres_itself_and_the_rest_does_not(
    database_url: str, tmp_path: Path, a_match: AMatch, a_move: AMove
) -> None:
    nowhere = f"postgresql://nobody@/nothing?host={tmp_path}"
    pooled = DatabaseSettings(database_url, direct_url=nowhere, **QUICK)  # type: ignore[arg-type]
    async with await PostgresLog.open(pooled) as log:
        match = await log.create(a_match(), [])
        with pytest.raises(LogUnavailable):
            await log.append(a_move(match))
        assert await log.read(match.id) == []
    direct = DatabaseSettings(nowhere, direct_url=database_url, **QUICK)  # type: ignore[arg-type]
    async with await PostgresLog.open(direct) as log:
        await log.append(a_move(match))
        with pytest.raises(LogUnavailable):
            await log.read(match.id)


async def test_behind_a_pooler_notifications_go_to_postgres_itself(
    database_url: str, tmp_path: Path, a_match: AMatch, a_move: AMove
) -> None:
    nowhere = f"postgresql://nobody@/nothing?host={tmp_path}"
    direct = DatabaseSettings(nowhere, direct_url=database_url, **QUICK)  # type: ignore[arg-type]
    async with (
        await PostgresLog.open(DatabaseSettings(database_url)) as whole,
        await PostgresLog.open(direct) as moving,
        await PostgresLog.open(direct) as watching,
    ):
        match = await whole.create(a_match(), [])
        async with watching.subscribe_to_match(match.id) as wakeups:
            await asyncio.wait_for(wakeups.wait(600), 20)  # listening has begun
            for _ in range(3):  # what was announced of the creation has come
                await wakeups.wait(0.3)
            first = a_move(match)
            await moving.append(first)
            await asyncio.wait_for(wakeups.wait(600), 20)


def test_the_settings_do_not_show_a_password() -> None:
    assert "open-sesame" not in repr(DatabaseSettings("postgresql://ruth:open-sesame@db/foldtable"))


@pytest.mark.slow
async def test_after_a_crash_of_postgres_appends_go_on(tmp_path: Path, a_match: AMatch, moves: Moves) -> None:
    """What was acknowledged is there; what was refused as unavailable is repeated with the same request id."""
    postgres = EmbeddedPostgres(tmp_path / "postgres")
    migrate(postgres.start())
    settings = DatabaseSettings(postgres.url, **QUICK)  # type: ignore[arg-type]
    try:
        async with await PostgresLog.open(settings) as log:
            matches = [await log.create(a_match(), []) for _ in range(6)]
            acknowledged: dict[Any, int] = {match.id: 0 for match in matches}
            ready = asyncio.Event()

            async def play(match: Match) -> None:
                for append in moves(match, 60):
                    await _insist(log, append)
                    acknowledged[match.id] = append.move.seq
                    if append.move.seq == 20:
                        ready.set()

            playing = [asyncio.create_task(play(match)) for match in matches]
            await ready.wait()
            assert postgres.pid is not None
            os.kill(postgres.pid, signal.SIGKILL)
            before = dict(acknowledged)
            await asyncio.to_thread(postgres.stop)
            await asyncio.to_thread(postgres.start)
            await asyncio.wait_for(asyncio.gather(*playing), 30)
            assert min(before.values()) < 60, "the crash came too late to show anything"
            for match in matches:
                stored = await log.read(match.id)
                assert [move.seq for move in stored] == list(range(1, 61))
                assert first_break(match, stored) is None
    finally:
        await asyncio.to_thread(postgres.stop)


async def _insist(log: PostgresLog, append: Append) -> None:
    """As a service does: an unknown outcome is cleared up by the request id."""
    while True:
        try:
            return await log.append(append)
        except RequestIdTaken:
            return None
        except LogUnavailable:
            await asyncio.sleep(0.05)


def _end_connections(database_url: str, name: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND application_name LIKE %s",
            (name,),
        ).fetchall()
    assert ended
    assert all(done for (done,) in ended)

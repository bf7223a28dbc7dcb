"""A primary and a replica that every commit waits for: whichever takes writes is found, and nothing is waited for in vain."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from migrations.migrate import current_revision, migrate, newest_revision
from services.movelog.failures import LogUnavailable, RequestIdTaken
from services.movelog.postgres import wakeups
from services.movelog.postgres.log import PostgresLog
from services.movelog.postgres.wakeups import Announcer, WakeupReceiver
from services.movelog.records import Append, Match
from services.movelog.wakeup_subscriptions import WakeupSubscriptions
from services.postgres.connection import NotWritable
from services.postgres.database import DatabaseSettings, connect, open_pool
from tests.proofs.faults.postgres_pair import PostgresPair

pytestmark = pytest.mark.slow

AMatch = Callable[..., Match]
AMove = Callable[..., Append]
Moves = Callable[[Match, int], list[Append]]

QUICK: dict[str, Any] = {"pool_seconds": 1, "connect_seconds": 1, "statement_seconds": 1}
SOON = 20.0


@pytest.fixture(scope="module")
def one_pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresPair]:
    with PostgresPair(tmp_path_factory.mktemp("pair")) as pair:
        migrate(pair.url)
        yield pair


@pytest.fixture
def pair(one_pair: PostgresPair) -> Iterator[PostgresPair]:
    """Two Postgres, both well before and after."""
    primary = one_pair.primary
    yield one_pair
    if one_pair.primary is not primary:
        one_pair.rebuild()


@pytest.fixture
def settings(pair: PostgresPair) -> DatabaseSettings:
    return DatabaseSettings(pair.url, **QUICK)


@pytest.fixture
async def log(settings: DatabaseSettings) -> AsyncIterator[PostgresLog]:
    async with await PostgresLog.open(settings) as opened:
        yield opened


@pytest.fixture
async def another_process(settings: DatabaseSettings) -> AsyncIterator[PostgresLog]:
    async with await PostgresLog.open(settings) as opened:
        yield opened


async def insist(log: PostgresLog, append: Append) -> None:
    """As a service does: an unknown outcome is cleared up by the request id."""
    async with asyncio.timeout(SOON):
        while True:
            try:
                return await log.append(append)
            except RequestIdTaken:
                return None
            except LogUnavailable:
                await asyncio.sleep(0.05)


async def test_appends_reads_and_wake_ups_go_on_at_the_replica(
    pair: PostgresPair, log: PostgresLog, another_process: PostgresLog, a_match: AMatch, moves: Moves
) -> None:
    match = await log.create(a_match(), [])
    made = moves(match, 60)
    async with another_process.subscribe_to_match(match.id) as woken:
        await woken.wait(5)
        dying = asyncio.create_task(asyncio.sleep(0))
        for append in made:
            if append.move.seq == 30:
                dying = asyncio.create_task(asyncio.to_thread(pair.fail_over))
            await insist(log, append)
        await dying
        await asyncio.wait_for(woken.wait(30), SOON)
    assert [move.hash for move in await another_process.read(match.id)] == [one.move.hash for one in made]
    migrate(pair.url)
    assert current_revision(pair.url) == newest_revision(), "migrations find the new primary as well"


async def test_a_primary_that_froze_is_given_up_for_its_replica(
    pair: PostgresPair,
    log: PostgresLog,
    another_process: PostgresLog,
    a_match: AMatch,
    moves: Moves,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is closed and nobody answers: neither appends nor reads nor receivers may wait for ever."""
    monkeypatch.setattr(wakeups, "HEARTBEAT_SECONDS", 0.5)
    match = await log.create(a_match(), [])
    first, second, third = moves(match, 3)
    await insist(log, first)
    async with another_process.subscribe_to_match(match.id) as woken:
        await woken.wait(5)
        await asyncio.to_thread(pair.primary.freeze)
        await asyncio.to_thread(pair.promote)
        await insist(log, second)
        async with asyncio.timeout(SOON):
            while await read_or_nothing(another_process, match) != 2:  # noqa: ASYNC110 - a database tells nobody
                await asyncio.sleep(0.05)
            await woken.wait(2 * SOON)  # the receiver has found the replica, too, and lets everybody look
            await insist(log, third)
            await woken.wait(2 * SOON)


async def read_or_nothing(log: PostgresLog, match: Match) -> int:
    try:
        return len(await log.read(match.id))
    except LogUnavailable:
        return -1


async def test_a_caller_who_goes_away_leaves_a_commit_waiting_for_the_replica(
    pair: PostgresPair, log: PostgresLog, a_match: AMatch
) -> None:
    """What others can see, and may be told of, is on both: else it would be lost with the primary."""
    with pair.primary.held_back():
        match = a_match()
        creating = asyncio.create_task(log.create(match, []))
        await asyncio.sleep(0.5)
        creating.cancel()
        await asyncio.gather(creating, return_exceptions=True)
        await asyncio.sleep(0.5)
        assert not is_stored(pair, match), "nobody else may see it yet"
    async with asyncio.timeout(SOON):
        while not is_stored(pair, match):  # noqa: ASYNC110 - a database tells nobody
            await asyncio.sleep(0.05)


def is_stored(pair: PostgresPair, match: Match) -> bool:
    with psycopg.connect(pair.url) as primary:
        return primary.execute("SELECT FROM matches WHERE id = %s", (match.id,)).fetchone() is not None


async def test_a_primary_that_takes_no_more_writes_is_unavailable_and_not_an_error_of_ours(
    pair: PostgresPair, log: PostgresLog, a_match: AMatch, moves: Moves
) -> None:
    """A switch-over that is planned often begins so: connections stay open, and writes are refused."""
    match = await log.create(a_match(), [])
    first, second = moves(match, 2)
    await log.append(first)
    take_writes(pair, default_transaction_read_only="on")
    with pytest.raises(LogUnavailable):
        await log.append(second)
    with pytest.raises(LogUnavailable):
        await log.create(a_match(), [])
    take_writes(pair, default_transaction_read_only="off")
    await insist(log, second)
    assert len(await log.read(match.id)) == 2


def take_writes(pair: PostgresPair, *, default_transaction_read_only: str) -> None:
    """Say so to every session there is, and wait until it has been heard."""
    pair.primary.ask(f"ALTER SYSTEM SET default_transaction_read_only = {default_transaction_read_only}")
    pair.primary.ask("SELECT pg_reload_conf(), pg_sleep(0.3)")


async def test_a_replica_alone_is_refused_when_the_connection_opens(pair: PostgresPair) -> None:
    settings = DatabaseSettings(pair.replica.url("foldtable", "foldtable"), **QUICK)
    with pytest.raises(psycopg.OperationalError, match="read-only"):
        await connect(settings, name="test")


async def test_a_pool_gives_no_connection_to_a_replica_whatever_the_address_asks_for(
    pair: PostgresPair,
) -> None:
    url = make_conninfo(pair.replica.url("foldtable", "foldtable"), target_session_attrs="any")
    async with await open_pool(DatabaseSettings(url, **QUICK), name="test", most=1) as pool:
        with pytest.raises(psycopg.OperationalError):
            async with pool.connection():
                pass
    async with await connect(DatabaseSettings(url, **QUICK), name="test") as connection:
        with pytest.raises(NotWritable):
            await connection.execute("CREATE TABLE nothing ()")
        assert connection.closed


async def test_a_receiver_that_came_to_a_replica_is_notified_once_it_takes_over(pair: PostgresPair) -> None:
    """A name or a proxy may lead there: Postgres refuses LISTEN until the replica is promoted."""
    url = make_conninfo(pair.replica.url("foldtable", "foldtable"), target_session_attrs="any")
    settings = DatabaseSettings(url, **QUICK)
    subscriptions, heard = WakeupSubscriptions(), asyncio.Event()
    subscriptions.subscribe_to_all(lambda match_id, reseated: heard.set())
    receiver = WakeupReceiver(settings, subscriptions, Announcer(settings))
    receiver.start()
    await asyncio.sleep(0.3)
    assert not heard.is_set()
    await asyncio.to_thread(pair.fail_over)
    await asyncio.wait_for(heard.wait(), SOON)
    await receiver.close()

"""A lane: statements one after the other, and a clear end whatever happens to the connection."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator
from dataclasses import replace

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from services.movelog.postgres.lane import Lane, Statement
from services.movelog.postgres.lanes import Lanes
from services.postgres import database
from services.postgres.database import DatabaseSettings

BYTEA, INT4 = 17, 23
ECHO = Statement(b"echo", b"SELECT $1::bytea", (BYTEA,))
SLEEP = Statement(b"sleep", b"SELECT pg_sleep($1::int4)", (INT4,))
DIVIDE = Statement(b"divide", b"SELECT 1 / $1::int4", (INT4,))
PID = Statement(b"pid", b"SELECT pg_backend_pid()", ())


def _int(number: int) -> bytes:
    return number.to_bytes(4, "big")


async def _pid(lane: Lane) -> int:
    return int.from_bytes((await lane.run(PID, ())).get_value(0, 0) or b"", "big")


@pytest.fixture
def settings(database_url: str) -> DatabaseSettings:
    return DatabaseSettings(database_url, pool_seconds=0.3)


@pytest.fixture
async def lane(settings: DatabaseSettings) -> AsyncIterator[Lane]:
    opened = await Lane.open(settings, {})
    yield opened
    await opened.close()


@pytest.mark.parametrize(
    "value", [b"", b"\0\xff", None, b"x" * 20_000_000], ids=["empty", "bytes", "null", "large"]
)
async def test_values_go_there_and_back(lane: Lane, value: bytes | None) -> None:
    for _ in range(2):
        assert (await lane.run(ECHO, (value,))).get_value(0, 0) == value


async def test_a_refused_statement_raises_by_its_code_and_the_lane_goes_on(lane: Lane) -> None:
    with pytest.raises(psycopg.errors.DivisionByZero):
        await lane.run(DIVIDE, (_int(0),))
    assert lane.is_open
    assert (await lane.run(DIVIDE, (_int(1),))).get_value(0, 0) == _int(1)


async def test_a_statement_that_does_not_parse_is_not_remembered_as_prepared(lane: Lane) -> None:
    nonsense = Statement(b"nonsense", b"SELEKT", ())
    for _ in range(2):
        with pytest.raises(psycopg.errors.SyntaxError):
            await lane.run(nonsense, ())
    assert lane.is_open


async def test_the_server_cancels_what_takes_too_long(settings: DatabaseSettings) -> None:
    lane = await Lane.open(replace(settings, statement_seconds=0.1), {})
    with pytest.raises(psycopg.errors.QueryCanceled):
        await lane.run(SLEEP, (_int(30),))
    assert lane.is_open
    await lane.close()


async def test_a_server_that_says_nothing_any_more_is_given_up(
    settings: DatabaseSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "GRACE_SECONDS", 0.1)
    lane = await Lane.open(replace(settings, statement_seconds=0.1), {})
    pid = await _pid(lane)
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(psycopg.OperationalError, match="does not answer"):
            await asyncio.wait_for(lane.run(ECHO, (b"",)), 20)
        assert not lane.is_open
    finally:
        os.kill(pid, signal.SIGCONT)


async def test_a_connection_that_ends_in_the_middle_is_an_operational_error(
    lane: Lane, database_url: str
) -> None:
    pid = await _pid(lane)
    running = asyncio.create_task(lane.run(SLEEP, (_int(30),)))
    await asyncio.sleep(0.05)
    _terminate(database_url, pid)
    with pytest.raises(psycopg.OperationalError):
        await asyncio.wait_for(running, 20)
    assert not lane.is_open
    with pytest.raises(psycopg.OperationalError):
        await lane.run(ECHO, (b"",))


async def test_a_connection_that_ends_while_idle_is_noticed_and_replaced(
    settings: DatabaseSettings, database_url: str
) -> None:
    lanes = Lanes(settings, {})
    async with lanes.lane() as lane:
        pid = await _pid(lane)
    _terminate(database_url, pid)
    await asyncio.sleep(0.1)
    assert not lane.is_open
    async with lanes.lane() as another:
        assert await _pid(another) != pid
    await lanes.close()


async def test_a_cancelled_statement_closes_its_connection(settings: DatabaseSettings) -> None:
    lanes = Lanes(settings, {})

    async def sleep() -> None:
        async with lanes.lane() as lane:
            await lane.run(SLEEP, (_int(30),))

    sleeping = asyncio.create_task(sleep())
    await asyncio.sleep(0.1)
    sleeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sleeping
    assert lanes._idle == []
    await lanes.close()


async def test_a_good_lane_is_used_again(settings: DatabaseSettings) -> None:
    lanes = Lanes(settings, {})
    pids = set()
    for _ in range(3):
        async with lanes.lane() as lane:
            pids.add(await _pid(lane))
    assert len(pids) == 1
    await lanes.close()


async def test_a_database_that_is_not_there_is_tried_for_a_while(tmp_path: object) -> None:
    lanes = Lanes(DatabaseSettings(f"host={tmp_path} dbname=nothing", pool_seconds=0.25), {})
    loop = asyncio.get_running_loop()
    began = loop.time()
    with pytest.raises(psycopg.OperationalError):
        async with lanes.lane():
            pass
    assert 0.15 < loop.time() - began < 5


async def test_who_comes_later_does_not_wait_as_long_again(tmp_path: object) -> None:
    """A move behind others would else be told only that there was no answer in time, though none could be made."""
    lanes = Lanes(DatabaseSettings(f"host={tmp_path} dbname=nothing", pool_seconds=0.5), {})
    loop = asyncio.get_running_loop()

    async def wait(before: float) -> float:
        await asyncio.sleep(before)
        began = loop.time()
        with pytest.raises(psycopg.OperationalError):
            async with lanes.lane():
                pass
        return loop.time() - began

    first, second, third = await asyncio.gather(wait(0), wait(0.25), wait(0.8))
    assert first > 0.35
    assert second < first
    assert third < 0.3


async def test_a_host_that_swallows_everything_is_not_waited_for(database_url: str) -> None:
    """The attempt goes on meanwhile: the next host of the address answers, and its connection is used."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = conninfo_to_dict(database_url)
        hosts = f"127.0.0.1,{where['host']}"
        ports = f"{silent.getsockname()[1]},{where.get('port', 5432)}"
        settings = DatabaseSettings(
            make_conninfo(database_url, host=hosts, port=ports), pool_seconds=0.3, connect_seconds=2
        )
        lanes = Lanes(settings, {})
        loop = asyncio.get_running_loop()
        began = loop.time()
        with pytest.raises(psycopg.OperationalError):
            async with lanes.lane():
                pass
        assert loop.time() - began < 1.5
        for _ in range(100):
            try:
                async with lanes.lane() as lane:
                    assert await _pid(lane) > 0
                break
            except psycopg.OperationalError:
                await asyncio.sleep(0.1)
        else:
            raise AssertionError("the second host is never reached")
        await lanes.close()


async def test_two_batches_at_once_each_get_a_connection(settings: DatabaseSettings) -> None:
    lanes = Lanes(settings, {})
    async with lanes.lane() as one, lanes.lane() as other:
        assert await _pid(one) != await _pid(other)
    await lanes.close()

    async def pid() -> int:
        async with lanes.lane() as lane:
            found = await _pid(lane)
            await asyncio.sleep(0.1)
            return found

    assert len(set(await asyncio.gather(pid(), pid()))) == 2
    await lanes.close()


def _terminate(database_url: str, pid: int) -> None:
    with psycopg.connect(database_url) as connection:
        assert connection.execute("SELECT pg_terminate_backend(%s, 2000)", (pid,)).fetchone() == (True,)

"""Stream tickets: stored for a minute, redeemed once."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from services.platform.live.tickets import SWEPT, Tickets
from services.postgres.database import DatabaseSettings, DatabaseUnavailable, Pool, open_pool
from services.process.reasons import Reason
from services.rpc.refusals import Refused


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    pool = await open_pool(DatabaseSettings(database_url), name="tests", most=8)
    async with pool:
        yield pool


async def kept(pool: Pool) -> int:
    async with pool.connection() as connection:
        row = await (await connection.execute("SELECT count(*) FROM stream_tickets")).fetchone()
    assert row is not None
    return int(row[0])


async def refused(tickets: Tickets, digest: bytes) -> Reason:
    with pytest.raises(Refused) as refusal:
        await tickets.redeem(digest)
    reason = refusal.value.reason
    assert isinstance(reason, Reason)
    return reason


async def test_a_ticket_is_good_once(pool: Pool) -> None:
    tickets, digest = Tickets(pool), os.urandom(32)
    expires_at = await tickets.create(digest, b"sealed")
    assert timedelta(seconds=50) < expires_at - datetime.now(UTC) < timedelta(seconds=70)
    assert await tickets.redeem(digest) == b"sealed"
    assert await refused(tickets, digest) is Reason.TICKET_INVALID


async def test_of_many_who_redeem_at_once_exactly_one_gets_it(pool: Pool) -> None:
    """Through several replicas: each has nothing but the database."""
    digest = os.urandom(32)
    await Tickets(pool).create(digest, b"sealed")
    answers = await asyncio.gather(*(Tickets(pool).redeem(digest) for _ in range(32)), return_exceptions=True)
    assert [one for one in answers if not isinstance(one, Exception)] == [b"sealed"]
    assert sum(isinstance(one, Refused) for one in answers) == 31


async def test_an_expired_ticket_is_refused_like_an_unknown_one(pool: Pool) -> None:
    tickets, digest = Tickets(pool, lifetime=timedelta(seconds=-1)), os.urandom(32)
    await tickets.create(digest, b"sealed")
    assert await refused(tickets, digest) is Reason.TICKET_INVALID
    assert await refused(tickets, os.urandom(32)) is Reason.TICKET_INVALID


async def test_expired_tickets_go_with_the_next_new_one(pool: Pool) -> None:
    expired = Tickets(pool, lifetime=timedelta(hours=-1))
    for _ in range(5):
        await expired.create(os.urandom(32), b"sealed")  # each takes those before it along
    assert await kept(pool) == 1
    await Tickets(pool).create(os.urandom(32), b"sealed")
    assert await kept(pool) == 1
    assert SWEPT > 1, "they go faster than they come"


@pytest.mark.parametrize(
    ("digest", "sealed"),
    [(b"short", b"sealed"), (bytes(32), b""), (bytes(32), bytes(4_097))],
    ids=["hash", "nothing", "too much"],
)
async def test_what_is_no_ticket_is_refused(pool: Pool, digest: bytes, sealed: bytes) -> None:
    with pytest.raises(Refused) as refusal:
        await Tickets(pool).create(digest, sealed)
    assert refusal.value.reason is Reason.MALFORMED_REQUEST


async def test_a_name_is_taken_once(pool: Pool) -> None:
    tickets = Tickets(pool)
    await tickets.create(bytes(32), b"mine")
    with pytest.raises(Refused):
        await tickets.create(bytes(32), b"yours")
    assert await tickets.redeem(bytes(32)) == b"mine"


async def test_without_a_database_it_says_so(pool: Pool) -> None:
    closed = await open_pool(
        DatabaseSettings("postgresql://nobody@127.0.0.1:1/none", pool_seconds=0.1), name="tests", most=1
    )
    async with closed:
        with pytest.raises(DatabaseUnavailable):
            await Tickets(closed).redeem(bytes(32))

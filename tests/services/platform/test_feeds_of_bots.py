"""The feed of bots: where one sits, that it is waited for, and that it has gone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from services.movelog.records import Status
from services.platform.live.feed_rows import FeedRow, FeedRows
from services.platform.live.feeds import FeedSubscription
from services.postgres.database import DatabaseSettings, Pool, open_pool


def row(match_id: UUID, version: int, *bots: str) -> FeedRow:
    return FeedRow(
        match_id=match_id,
        known_as=match_id,
        tenant="ours",
        game="river_dragons",
        version=version,
        status=Status.RUNNING,
        to_act=(0,),
        players=("ada", "bob"),
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
        bots=bots,
    )


async def test_matches_without_a_bot_are_not_sent() -> None:
    feed, with_bot = FeedSubscription("ours", "", bots=True), uuid4()
    feed.offer(row(uuid4(), 1, "", ""))
    feed.offer(row(with_bot, 1, "", "greedy"))
    assert [one.match_id for one in await feed.next() or ()] == [with_bot]


async def test_that_a_bot_comes_and_goes_is_sent_although_nobody_moved() -> None:
    feed, match_id = FeedSubscription("ours", "", bots=True), uuid4()
    for bots in (("", "greedy"), ("", "")):
        feed.offer(row(match_id, 5, *bots))
        assert [one.bots for one in await feed.next() or ()] == [bots]


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    opened = await open_pool(DatabaseSettings(database_url), name="feeds of bots", most=2)
    yield opened
    await opened.close()


async def a_match(pool: Pool, to_act: str, *bots: str, status: str = "running", tenant: str = "ours") -> UUID:
    match_id = uuid4()
    async with pool.connection() as connection:
        await connection.execute(
            "INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, "
            "secret, commitment, status, seats_to_act) VALUES ($1::uuid, now(), now(), 3, $2::int2, $3::text, "
            "'river_dragons', '1', '{}', '', '', $4::text, $5::text::int2[])",
            (match_id, len(bots), tenant, status, to_act),
        )
        for seat, bot in enumerate(bots):
            await connection.execute(
                "INSERT INTO seats (match_id, seat, tenant, state, bot, match_open) "
                "VALUES ($1::uuid, $2::int2, $3::text, 'taken', $4::text, $5::bool)",
                (match_id, seat, tenant, bot, status != "ended"),
            )
    return match_id


async def test_those_that_wait_for_a_bot_are_found_and_no_others(pool: Pool) -> None:
    rows = FeedRows(pool)
    waits = await a_match(pool, "{1}", "", "greedy")
    own = await a_match(pool, "{0,1}", "my-bot.1", "")
    await a_match(pool, "{0}", "", "greedy")
    await a_match(pool, "{}", "", "greedy", status="ended")
    await a_match(pool, "{1}", "", "greedy", tenant="theirs")
    await a_match(pool, "{0}", "", "")
    found = await rows.waiting_for_bots("ours")
    assert {one.match_id: one.bots for one in found} == {waits: ("", "greedy"), own: ("my-bot.1", "")}


async def test_a_client_that_resumes_gets_what_has_changed_where_bots_play(pool: Pool) -> None:
    rows = FeedRows(pool)
    ended = await a_match(pool, "{}", "", "greedy", status="ended")
    await a_match(pool, "{0}", "", "")
    now = await rows.now()
    changed = await rows.changed_of_bots("ours", now - timedelta(minutes=1))
    assert [one.match_id for one in changed] == [ended]
    assert await rows.changed_of_bots("ours", now + timedelta(minutes=5)) == []

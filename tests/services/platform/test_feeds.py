"""Feeds: every change of a player's or a tenant's matches, each match with its newest state."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from services.movelog.records import Status
from services.movelog.wakeup_subscriptions import WakeupSubscriptions
from services.platform.live.feed_rows import FeedRow, FeedRows
from services.platform.live.feeds import Feeds, FeedSubscription
from services.postgres.database import DatabaseSettings, Pool, open_pool

ADA, BOB = "ada", "bob"


def row(
    match_id: UUID, version: int, *players: str, tenant: str = "ours", to_act: tuple[int, ...] = (0,)
) -> FeedRow:
    return FeedRow(
        match_id=match_id,
        known_as=match_id,
        tenant=tenant,
        game="river_dragons",
        version=version,
        status=Status.RUNNING,
        to_act=to_act,
        players=players or (ADA, BOB),
        updated_at=datetime.now(UTC),
    )


# ── one who listens ────────────────────────────────────────────────────────────────────────────────


async def test_of_one_match_only_the_newest_state_waits() -> None:
    feed, match_id = FeedSubscription("ours", ""), uuid4()
    for version in (1, 2, 3):
        feed.offer(row(match_id, version))
    assert [one.version for one in await feed.next() or ()] == [3]


async def test_a_state_that_was_read_late_does_not_come_after_a_newer_one() -> None:
    feed, match_id = FeedSubscription("ours", ""), uuid4()
    feed.offer(row(match_id, 3))
    await feed.next()
    feed.offer(row(match_id, 2))
    feed.offer(row(match_id, 4))
    assert [one.version for one in await feed.next() or ()] == [4]


async def test_a_player_hears_of_the_own_matches_only() -> None:
    feed, mine = FeedSubscription("ours", ADA), uuid4()
    feed.offer(row(uuid4(), 1, BOB, "cy"))
    feed.offer(row(mine, 1, BOB, ADA))
    assert [one.match_id for one in await feed.next() or ()] == [mine]


async def test_too_many_changes_become_a_request_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.platform.live.feeds.MAX_PENDING", 3)
    feed = FeedSubscription("ours", "")
    for _ in range(4):
        feed.offer(row(uuid4(), 1))
    assert await feed.next() is None
    feed.offer(row(uuid4(), 1))
    assert len(await feed.next() or ()) == 1


# ── over the tables ────────────────────────────────────────────────────────────────────────────────


class Lobby:
    """Matches in the database, as the log writes them; told of through a channel that can be deaf."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.channel = WakeupSubscriptions()
        self.deaf = False
        self.feeds = Feeds(FeedRows(pool), self.channel.subscribe_to_all)

    async def create(self, *players: str, tenant: str = "ours", ago: timedelta = timedelta()) -> UUID:
        match_id = uuid4()
        moment = datetime.now(UTC) - ago
        async with self.pool.connection() as connection:
            await connection.execute(
                "INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, "
                "options, secret, commitment, status, seats_to_act) VALUES ($1::uuid, $2::timestamptz, $2, 1, "
                "$3::int2, $4::text, 'river_dragons', '1', '{}', '', '', 'running', '{0}')",
                (match_id, moment, len(players), tenant),
            )
            for seat, player in enumerate(players):
                await connection.execute(
                    "INSERT INTO seats (match_id, seat, tenant, player, state, match_open) "
                    "VALUES ($1::uuid, $2::int2, $3::text, $4::text, 'taken', true)",
                    (match_id, seat, tenant, player),
                )
        self._tell(match_id)
        return match_id

    async def move(self, match_id: UUID, *, ends: bool = False) -> None:
        async with self.pool.connection() as connection:
            await connection.execute(
                "UPDATE matches SET version = version + 1, updated_at = now(), seats_to_act = '{1}', "
                "status = CASE WHEN $2::bool THEN 'ended' ELSE status END WHERE id = $1::uuid",
                (match_id, ends),
            )
            if ends:
                await connection.execute(
                    "UPDATE seats SET match_open = false WHERE match_id = $1::uuid", (match_id,)
                )
        self._tell(match_id)

    async def give_seat(self, match_id: UUID, seat: int, player: str) -> None:
        async with self.pool.connection() as connection:
            await connection.execute(
                "UPDATE seats SET player = $3::text WHERE match_id = $1::uuid AND seat = $2::int2",
                (match_id, seat, player),
            )
        if not self.deaf:
            self.channel.wake(match_id, reseated=True)

    def _tell(self, match_id: UUID) -> None:
        if not self.deaf:
            self.channel.wake(match_id)


class Subscriber:
    """Somebody's feed, and what it told."""

    def __init__(self, lobby: Lobby, player: str = "", tenant: str = "ours") -> None:
        self.told: list[FeedRow] = []
        self.begun = 0
        self.allowed = True
        self._task = asyncio.create_task(self._read(lobby, tenant, player))

    async def _read(self, lobby: Lobby, tenant: str, player: str) -> None:
        async with aclosing(lobby.feeds.subscribe(tenant, player, self._still_allowed)) as changes:  # type: ignore[type-var]
            async for rows in changes:
                if rows is None:
                    self.begun += 1
                else:
                    self.told += rows

    async def _still_allowed(self) -> None:
        if not self.allowed:
            raise PermissionError

    async def until(self, holds: Any, seconds: float = 3) -> None:
        async with asyncio.timeout(seconds):
            while not holds():  # noqa: ASYNC110 - a test may poll
                await asyncio.sleep(0.01)

    async def hears(self, match_id: UUID, version: int) -> FeedRow:
        await self.until(lambda: any((one.match_id, one.version) == (match_id, version) for one in self.told))
        return next(one for one in self.told if (one.match_id, one.version) == (match_id, version))

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


@pytest.fixture
async def lobby(database_url: str) -> AsyncIterator[Lobby]:
    pool = await open_pool(DatabaseSettings(database_url), name="tests", most=4)
    async with pool:
        yield Lobby(pool)


@pytest.fixture
async def subscribing(lobby: Lobby) -> AsyncIterator[Any]:
    subscribers: list[Subscriber] = []

    async def subscribe(player: str = "", tenant: str = "ours") -> Subscriber:
        one = Subscriber(lobby, player, tenant)
        subscribers.append(one)
        await one.until(lambda: one.begun == 1)
        return one

    yield subscribe
    for one in subscribers:
        await one.close()


async def test_a_change_is_sent_with_the_seats_to_act(lobby: Lobby, subscribing: Any) -> None:
    match_id = await lobby.create(ADA, BOB)
    ada = await subscribing(ADA)
    await lobby.move(match_id)
    told = await ada.hears(match_id, 2)
    assert (told.to_act, told.players, told.status) == ((1,), (ADA, BOB), Status.RUNNING)


async def test_tenants_hear_of_their_own_matches_only(lobby: Lobby, subscribing: Any) -> None:
    ours, theirs = await subscribing(), await subscribing(tenant="theirs")
    mine, foreign = await lobby.create(ADA), await lobby.create(ADA, tenant="theirs")
    await ours.hears(mine, 1)
    await theirs.hears(foreign, 1)
    assert [one.match_id for one in ours.told] == [mine]
    assert [one.match_id for one in theirs.told] == [foreign]


async def test_a_burst_of_moves_is_sent_with_the_newest_state(lobby: Lobby, subscribing: Any) -> None:
    match_id = await lobby.create(ADA, BOB)
    feed = await subscribing()
    for _ in range(30):
        await lobby.move(match_id)
    await feed.hears(match_id, 31)
    versions = [one.version for one in feed.told]
    assert versions == sorted(set(versions))


async def test_a_lost_wake_up_is_found_by_the_slow_poll(
    lobby: Lobby, subscribing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.platform.live.feeds.POLL_SECONDS", 0.1)
    match_id = await lobby.create(ADA, BOB)
    feed = await subscribing()
    lobby.deaf = True
    await lobby.move(match_id)
    await feed.hears(match_id, 2)
    await asyncio.sleep(0.3)
    assert [one.version for one in feed.told].count(2) == 1, "the poll tells nothing twice"


async def test_a_row_that_cannot_be_read_silences_no_other_tenant(
    lobby: Lobby, subscribing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Postgres holds moments that Python has none of."""
    monkeypatch.setattr("services.platform.live.feeds.POLL_SECONDS", 0.1)
    await subscribing(tenant="theirs")
    ours = await subscribing()
    spoiled = await lobby.create(ADA, tenant="theirs")
    async with lobby.pool.connection() as connection:
        await connection.execute(
            "UPDATE matches SET updated_at = '10000-01-01' WHERE id = $1::uuid", (spoiled,)
        )
    lobby.channel.wake(spoiled)
    together = await lobby.create(ADA)
    await ours.hears(together, 1)
    await asyncio.sleep(0.3)
    lobby.channel.wake(spoiled)
    await asyncio.sleep(0.1)
    later = await lobby.create(ADA)
    await ours.hears(later, 1)
    lobby.deaf = True
    await lobby.move(later)
    await ours.hears(later, 2)


async def test_matches_of_no_feed_are_not_read_again(
    lobby: Lobby, subscribing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[UUID] = []
    by_id = FeedRows.by_id

    async def noted(rows: FeedRows, match_ids: Any, tenants: Any) -> list[FeedRow]:
        read.extend(match_ids)
        return await by_id(rows, match_ids, tenants)

    monkeypatch.setattr(FeedRows, "by_id", noted)
    ada = await subscribing(ADA)
    foreign = await lobby.create(BOB, "cy")
    await ada.until(lambda: foreign in read)
    await asyncio.sleep(0.1)
    read.clear()
    await lobby.move(foreign)
    mine = await lobby.create(ADA)
    await ada.hears(mine, 1)
    assert read == [mine]


async def test_who_takes_a_seat_where_nobody_listened_hears_of_the_next_move(
    lobby: Lobby, subscribing: Any
) -> None:
    ada = await subscribing(ADA)
    match_id = await lobby.create(BOB, "cy")
    await lobby.move(match_id)
    await asyncio.sleep(0.1)
    await lobby.give_seat(match_id, 1, ADA)
    await ada.hears(match_id, 2)
    await lobby.move(match_id)
    await ada.hears(match_id, 3)


async def test_a_new_feed_gets_matches_that_were_of_no_feed_before(lobby: Lobby, subscribing: Any) -> None:
    await subscribing(ADA)
    match_id = await lobby.create(BOB, "cy")
    await lobby.move(match_id)
    await asyncio.sleep(0.1)
    bob = await subscribing(BOB)
    await lobby.move(match_id)
    await bob.hears(match_id, 3)


async def test_too_much_to_name_is_found_as_well(lobby: Lobby, subscribing: Any) -> None:
    match_id = await lobby.create(ADA, BOB)
    feed = await subscribing()
    lobby.deaf = True
    await lobby.move(match_id)
    lobby.channel.wake_all()
    await feed.hears(match_id, 2)


async def test_who_may_no_longer_look_receives_no_more(
    lobby: Lobby, subscribing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.platform.live.feeds.POLL_SECONDS", 0.1)
    feed = await subscribing()
    feed.allowed = False
    await feed.until(feed._task.done)
    assert isinstance(feed._task.exception(), PermissionError)


async def test_nobody_listens_to_the_channel_without_a_feed(lobby: Lobby, subscribing: Any) -> None:
    feed = await subscribing()
    assert len(lobby.channel._subscribers) == 1
    await feed.close()
    assert lobby.channel._subscribers == []


# ── reading ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_player_reads_the_own_open_matches(lobby: Lobby) -> None:
    mine, over = await lobby.create(ADA, BOB), await lobby.create(ADA, BOB)
    await lobby.create(BOB, "cy")
    await lobby.create(ADA, tenant="theirs")
    await lobby.move(over, ends=True)
    rows, complete, _ = await lobby.feeds.read("ours", ADA, None)
    assert ([one.match_id for one in rows], complete) == ([mine], True)


async def test_what_changed_since_a_moment_is_read_with_the_matches_that_ended(lobby: Lobby) -> None:
    await lobby.create(ADA, BOB, ago=timedelta(hours=1))
    match_id, over = await lobby.create(ADA, BOB), await lobby.create(ADA, BOB)
    await lobby.move(over, ends=True)
    for player in ("", ADA):
        rows, complete, _ = await lobby.feeds.read("ours", player, datetime.now(UTC))
        assert {one.match_id for one in rows} == {match_id, over}, "a little further back, to miss nothing"
        assert complete
    assert (await lobby.feeds.read("ours", "nobody", datetime.now(UTC)))[0] == []
    assert (await lobby.feeds.read("theirs", "", datetime.now(UTC)))[0] == []


async def test_matches_of_every_game_are_read_also_of_one_that_is_no_longer_installed(lobby: Lobby) -> None:
    known, gone = await lobby.create(ADA), await lobby.create(ADA)
    async with lobby.pool.connection() as connection:
        await connection.execute("UPDATE matches SET game = 'ladders' WHERE id = $1", (gone,))
    rows, _, _ = await lobby.feeds.read("ours", "", datetime.now(UTC))
    assert {one.match_id for one in rows} == {known, gone}


async def test_a_moment_before_all_others_is_one_to_ask_from(lobby: Lobby) -> None:
    await lobby.feeds.read("ours", "", datetime.min.replace(tzinfo=UTC))


async def test_asking_again_from_the_cursor_leaves_nothing_out(lobby: Lobby) -> None:
    _, _, cursor = await lobby.feeds.read("ours", "", None)
    match_id = await lobby.create(ADA)
    rows, _, _ = await lobby.feeds.read("ours", "", cursor)
    assert [one.match_id for one in rows] == [match_id]


async def test_more_than_can_be_listed_is_said_to_be_more(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.platform.live.feeds.MAX_AT_ONCE", 2)
    for _ in range(3):
        await lobby.create(ADA)
    rows, complete, _ = await lobby.feeds.read("ours", "", datetime.now(UTC))
    assert (len(rows), complete) == (2, False)


async def test_a_tenant_without_a_moment_reads_nothing(lobby: Lobby) -> None:
    await lobby.create(ADA)
    assert (await lobby.feeds.read("ours", "", None))[0] == []


@pytest.mark.parametrize("player", ["", ADA], ids=["tenant", "player"])
async def test_nothing_is_looked_through_from_end_to_end(lobby: Lobby, player: str) -> None:
    """EXPLAIN over many matches of many tenants: every reading goes by an index."""
    async with lobby.pool.connection() as connection:
        await connection.execute(
            "INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, "
            "secret, commitment, status, seats_to_act) SELECT gen_random_uuid(), now(), now() - n * INTERVAL "
            "'1 minute', 1, 2, 'tenant' || n % 50, 'river_dragons', '1', '{}', '', '', 'running', '{0}' "
            "FROM generate_series(1, 20000) AS n"
        )
        await connection.execute(
            "INSERT INTO seats (match_id, seat, tenant, player, state, match_open) "
            "SELECT id, 0, tenant, 'p' || abs(hashtext(id::text)) % 1000, 'taken', true FROM matches"
        )
        await connection.execute("ANALYZE matches, seats")
        from services.platform.live import feed_rows

        for query, values in (
            (feed_rows._BY_ID, ([uuid4()], ["tenant1"])),
            (feed_rows._OPEN_OF_PLAYER, ("tenant1", "p1", 100)),
            (feed_rows._CHANGED_OF_PLAYER, ("tenant1", "p1", 100, datetime.now(UTC))),
            (feed_rows._CHANGED, ("tenant1", 100, *feed_rows._CHANGED_KINDS, datetime.now(UTC))),
        ):
            cursor = await connection.execute(f"EXPLAIN {query}", values)
            plan = "\n".join(line[0] for line in await cursor.fetchall())
            assert "Seq Scan" not in plan, plan

"""Who is told, what is told, and how little it costs."""

from __future__ import annotations

import asyncio
import sys
from uuid import UUID, uuid4

import psycopg
import pytest

from services.movelog.postgres import wakeups
from services.movelog.postgres.wakeups import CHANNEL, EVERYTHING, Announcer, WakeupReceiver
from services.movelog.wakeup_subscriptions import WakeupSubscriptions
from services.postgres.database import DatabaseSettings


async def test_a_wait_without_a_wake_up_ends_after_its_time() -> None:
    async with WakeupSubscriptions().subscribe_to_match(uuid4()) as subscription:
        await asyncio.wait_for(subscription.wait(0.01), 20)


async def test_wake_ups_between_two_waits_are_kept_once() -> None:
    subscriptions, match_id = WakeupSubscriptions(), uuid4()
    async with subscriptions.subscribe_to_match(match_id) as subscription:
        subscriptions.wake(match_id)
        subscriptions.wake(match_id)
        await asyncio.wait_for(subscription.wait(30), 20)
        loop = asyncio.get_running_loop()
        began = loop.time()
        await subscription.wait(0.05)
        assert loop.time() - began >= 0.045


async def test_who_left_is_forgotten() -> None:
    subscriptions, match_id = WakeupSubscriptions(), uuid4()
    async with (
        subscriptions.subscribe_to_match(match_id),
        subscriptions.subscribe_to_match(match_id),
        subscriptions.subscribe_to_match(uuid4()),
    ):
        assert len(subscriptions) == 3
    assert len(subscriptions) == 0
    subscriptions.wake(match_id)
    subscriptions.wake_all()


async def test_a_cancelled_wait_leaves_no_timer_and_no_one_waiting() -> None:
    subscriptions, match_id = WakeupSubscriptions(), uuid4()
    async with subscriptions.subscribe_to_match(match_id) as subscription:
        waiting = asyncio.create_task(subscription.wait(30))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        subscriptions.wake(match_id)
        await asyncio.wait_for(subscription.wait(30), 20)


async def test_a_subscription_is_small() -> None:
    """DESIGN: 20 KB each, all told; ours is to be a hundredth of that."""
    subscription = WakeupSubscriptions().subscribe_to_match(uuid4())
    assert sys.getsizeof(subscription) < 200
    assert not hasattr(subscription, "__dict__")


async def test_what_happens_together_is_announced_together(database_url: str) -> None:
    announcer = Announcer(DatabaseSettings(database_url))
    matches = [uuid4() for _ in range(250)]
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as other:
        await other.execute(f"LISTEN {CHANNEL}")
        for version in range(1, 4):
            for match_id in matches:
                announcer.announce(match_id, version)
        heard = [note.payload async for note in other.notifies(timeout=20, stop_after=3)]
    await announcer.close()
    assert len(heard) == 3, "250 matches in three notes"
    assert max(len(payload) for payload in heard) < 8000
    told = [told.split(":") for payload in heard for told in payload.split(",")]
    assert [(UUID(match_id), int(version)) for match_id, version in told] == [
        (match_id, 3) for match_id in matches
    ]


async def test_other_processes_hear_which_seats_have_changed(database_url: str) -> None:
    settings = DatabaseSettings(database_url)
    heard: asyncio.Queue[tuple[UUID | None, bool]] = asyncio.Queue()
    subscriptions = WakeupSubscriptions()
    subscriptions.subscribe_to_all(lambda match_id, reseated: heard.put_nowait((match_id, reseated)))
    receiver, announcer = WakeupReceiver(settings, subscriptions, Announcer(settings)), Announcer(settings)
    receiver.start()
    assert await heard.get() == (None, True), "whatever was told before listening began was missed"
    moved, left, both = uuid4(), uuid4(), uuid4()
    announcer.announce(moved, 7)
    announcer.announce(left, 0, reseated=True)
    announcer.announce(both, 7)
    announcer.announce(both, 0, reseated=True)
    told = [await asyncio.wait_for(heard.get(), 20) for _ in range(3)]
    assert told == [(moved, False), (left, True), (both, True)]
    await receiver.close()
    await announcer.close()


async def test_the_longest_news_of_all_fits_into_its_notes(database_url: str) -> None:
    announcer = Announcer(DatabaseSettings(database_url))
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as other:
        await other.execute(f"LISTEN {CHANNEL}")
        for _ in range(100):
            announcer.announce(uuid4(), 2**31 - 1, reseated=True)
        heard = [note.payload async for note in other.notifies(timeout=20, stop_after=1)]
    await announcer.close()
    assert [payload.count(":seats") for payload in heard] == [100]
    assert len(heard[0]) < 8000


async def test_too_much_to_announce_becomes_one_word(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wakeups, "MAX_PENDING", 10)
    announcer = Announcer(DatabaseSettings(database_url))
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as other:
        await other.execute(f"LISTEN {CHANNEL}")
        for _ in range(25):
            announcer.announce(uuid4(), 1)
        heard = [note.payload async for note in other.notifies(timeout=20, stop_after=1)]
    await announcer.close()
    assert heard == [EVERYTHING]


async def test_one_word_wakes_everybody_and_nonsense_nobody(database_url: str) -> None:
    subscriptions = WakeupSubscriptions()
    settings = DatabaseSettings(database_url)
    receiver = WakeupReceiver(settings, subscriptions, Announcer(settings))
    async with (
        await psycopg.AsyncConnection.connect(database_url, autocommit=True) as other,
        subscriptions.subscribe_to_match(uuid4()) as subscription,
    ):
        receiver.start()
        await asyncio.wait_for(subscription.wait(30), 20)  # listening has begun
        await other.execute("SELECT pg_notify(%s, 'not a match id')", (CHANNEL,))
        await other.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"{uuid4()}:1"))
        loop = asyncio.get_running_loop()
        began = loop.time()
        await subscription.wait(0.2)
        assert loop.time() - began >= 0.19
        await other.execute("SELECT pg_notify(%s, %s)", (CHANNEL, EVERYTHING))
        await asyncio.wait_for(subscription.wait(30), 20)
    await receiver.close()


async def test_nothing_is_opened_before_it_is_needed(database_url: str) -> None:
    settings = DatabaseSettings(database_url)
    announcer = Announcer(settings)
    receiver = WakeupReceiver(settings, WakeupSubscriptions(), announcer)
    await asyncio.sleep(0.05)
    with psycopg.connect(database_url) as connection:
        found = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        assert found.fetchone() == (0,)
    await receiver.close()
    await announcer.close()


async def test_a_mistake_of_ours_ends_the_notifications_of_no_process(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscriptions, settings = WakeupSubscriptions(), DatabaseSettings(database_url)
    wake_all, asked = subscriptions.wake_all, 0

    def failing_once() -> None:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise LookupError
        wake_all()

    monkeypatch.setattr(subscriptions, "wake_all", failing_once)
    receiver = WakeupReceiver(settings, subscriptions, Announcer(settings))
    async with subscriptions.subscribe_to_match(uuid4()) as subscription:
        loop = asyncio.get_running_loop()
        began = loop.time()
        receiver.start()
        await subscription.wait(5)
        assert loop.time() - began < 4
    await receiver.close()

"""What happens to matches arrives at the endpoints that want it: at least once, and in order."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from cloudevents.core.bindings.http import HTTPMessage, from_structured_event
from receivers import Received, Receiver, ReceiverAnswer
from standardwebhooks import Webhook, WebhookVerificationError

from services.movelog.events import EventType
from services.movelog.notes import Notes
from services.movelog.records import SeatRecord, SeatState, Status
from services.webhooks import service
from services.webhooks.connections import PublicNetwork
from services.webhooks.endpoint_changes import delete_endpoint, rotate_secret, update_endpoint
from services.webhooks.lanes import Lanes
from services.webhooks.schedule import Schedule
from services.webhooks.worker import WorkerSettings
from tests.support.new_matches import new_match

Another = Callable[[], Any]


def by_match(received: list[Received]) -> dict[str, list[int]]:
    """The versions that each match was told with, in the order they came."""
    told: dict[str, list[int]] = defaultdict(list)
    for one in received:
        match, version = one.place
        told[match].append(version)
    return told


async def test_a_move_arrives_signed_and_as_a_cloud_event(telling: Any, receiver: Receiver) -> None:
    endpoint, secret = await telling.endpoint(receiver.url, EventType.MOVE_APPLIED)
    match = await telling.played(2)
    async with telling.worker():
        (request,) = await receiver.until(1)
    assert Webhook(secret).verify(request.body, request.headers) == request.event
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(request.body + b" ", request.headers)
    event = from_structured_event(HTTPMessage(request.headers, request.body))
    assert event.get_id() == request.headers["webhook-id"]
    assert event.get_type() == "foldtable.move.applied.v1"
    assert event.get_source() == f"/v1/matches/{match.id}"
    assert event.get_subject() == "seats/1"
    assert event.get_time() is not None
    assert event.get_data() == {
        "match_id": str(match.id),
        "game": "harbour",
        "version": 2,
        "to_act": [0],
        "players": ["", ""],
        "title": "",
        "reference": "",
        "seat": 1,
        "player": "",
    }
    assert b"crate" not in request.body  # nothing of the move itself
    (delivery,) = await telling.settled(endpoint)
    assert (delivery.state, [one.status for one in delivery.attempts]) == ("delivered", [204])


async def test_the_event_of_the_end_of_a_match_has_its_outcome(telling: Any, receiver: Receiver) -> None:
    await telling.endpoint(receiver.url, EventType.MATCH_ENDED)
    match = await telling.match()
    await telling.move(match, 1, status=Status.ENDED, to_act=(), outcome=b'{"winner":1}')
    async with telling.worker():
        (request,) = await receiver.until(1)
    assert request.event["data"]["outcome"] == {"winner": 1}


async def test_an_event_says_which_match_it_is_in_the_platforms_words(
    telling: Any, receiver: Receiver
) -> None:
    await telling.endpoint(
        receiver.url, EventType.MATCH_CREATED, EventType.TURN_STARTED, EventType.MATCH_ENDED
    )
    match = new_match(tenant="acme", seats=2, title="Friday night")
    seats = [
        SeatRecord(seat=seat, state=SeatState.TAKEN, player=who) for seat, who in enumerate(("ada", "bob"))
    ]
    await telling.log.create(match, seats, notes=Notes(reference="round-3", metadata=b'{"round":3}'))
    await telling.move(match, 1, turns=(0,))
    await telling.move(match, 2, status=Status.ENDED, to_act=(), outcome=b'{"winner":1}')
    async with telling.worker():
        requests = await receiver.until(3)
    told = {request.type: request.event["data"] for request in requests}
    assert told.keys() == {"match.created", "turn.started", "match.ended"}
    for data in told.values():
        assert (data["players"], data["title"], data["reference"]) == (
            ["ada", "bob"],
            "Friday night",
            "round-3",
        )
        assert "deadline" not in data, "no clock runs"
    assert {kind for kind, data in told.items() if "metadata" in data} == {"match.created", "match.ended"}
    assert told["match.ended"]["metadata"] == {"round": 3}


async def test_each_endpoint_receives_what_it_asked_for(telling: Any, receivers: Another) -> None:
    turns, moves, theirs = [await receivers() for _ in range(3)]
    await telling.endpoint(turns.url, EventType.TURN_STARTED)
    await telling.endpoint(moves.url, EventType.MOVE_APPLIED, EventType.MATCH_ENDED)
    await telling.endpoint(theirs.url, *EventType, tenant="rival")
    match = await telling.match()
    await telling.move(match, 1, to_act=(0, 1), turns=(0, 1))
    await telling.move(match, 2)
    async with telling.worker():
        await asyncio.gather(turns.until(2), moves.until(1))
    assert [one.type for one in turns.received] == ["turn.started"] * 2
    assert [one.event["subject"] for one in turns.received] == ["seats/0", "seats/1"]
    assert [one.type for one in moves.received] == ["move.applied"]
    assert theirs.received == []


async def test_events_of_a_match_arrive_in_order(telling: Any, receiver: Receiver) -> None:
    await telling.endpoint(receiver.url)
    matches = [await telling.match() for _ in range(6)]

    async def play(match: Any) -> None:
        for seq in range(1, 11):
            await telling.move(match, seq)

    async with telling.worker():
        await asyncio.gather(*map(play, matches))
        await receiver.until(60)
    assert by_match(receiver.received) == {str(match.id): list(range(1, 11)) for match in matches}


async def test_an_event_that_fails_holds_back_those_behind_it_and_no_others(
    telling: Any, receivers: Another
) -> None:
    stubborn, easy = await receivers(), await receivers()
    endpoint, _ = await telling.endpoint(stubborn.url)
    await telling.endpoint(easy.url)
    held, other = await telling.played(3), await telling.played(3)
    refusals = 4

    def answer(request: Received) -> ReceiverAnswer:
        tries = sum(one.place == request.place for one in stubborn.received)
        refused = request.place == (str(held.id), 2) and tries <= refusals
        return ReceiverAnswer(500) if refused else ReceiverAnswer()

    stubborn.answer = answer
    async with telling.worker():
        await asyncio.gather(stubborn.until(6 + refusals), easy.until(6))
        await telling.settled(endpoint)
    assert by_match(stubborn.received) == {
        str(held.id): [1, *[2] * (refusals + 1), 3],
        str(other.id): [1, 2, 3],
    }
    assert len({one.headers["webhook-id"] for one in stubborn.received}) == 6  # a repeat has the same id
    assert len(easy.received) == 6
    delivery = (await telling.deliveries(endpoint))[1]
    assert [one.status for one in delivery.attempts] == [500] * refusals + [204]


async def test_two_workers_send_everything_once_and_in_order(telling: Any, receiver: Receiver) -> None:
    endpoint, _ = await telling.endpoint(receiver.url)
    matches = [await telling.match() for _ in range(12)]

    async def play(match: Any) -> None:
        for seq in range(1, 6):
            await telling.move(match, seq)

    async with telling.worker(), telling.worker(), telling.worker():
        await asyncio.gather(*map(play, matches))
        await receiver.until(60)
        await telling.settled(endpoint)
    assert by_match(receiver.received) == {str(match.id): [1, 2, 3, 4, 5] for match in matches}


async def test_what_a_dead_worker_was_sending_is_sent_by_another(telling: Any, receiver: Receiver) -> None:
    await telling.endpoint(receiver.url)
    await telling.played(3)
    receiver.answer = lambda _: ReceiverAnswer(after=60)
    async with telling.worker(lease=0.5) as dead:
        await receiver.until(1)
        for task in dead._busy:
            task.cancel()  # it sent the request, and never hears the answer
    receiver.answer = lambda _: ReceiverAnswer()
    async with telling.worker():
        await receiver.until(4)
    assert [one.place[1] for one in receiver.received] == [1, 1, 2, 3]


async def test_both_secrets_are_good_while_one_is_replaced(telling: Any, receiver: Receiver) -> None:
    endpoint, old = await telling.endpoint(receiver.url)
    async with telling.log.pool.connection() as connection:
        changed, new = await rotate_secret(connection, telling.vault, endpoint.tenant, endpoint.id)
    assert changed.old_secret_until is not None
    await telling.played(1)
    async with telling.worker():
        (request,) = await receiver.until(1)
    for secret in (old, new):
        assert Webhook(secret).verify(request.body, request.headers)
    async with telling.log.pool.connection() as connection:
        await rotate_secret(connection, telling.vault, endpoint.tenant, endpoint.id, grace=timedelta(0))
    await telling.played(1)
    async with telling.worker():
        request = (await receiver.until(2))[1]
    with pytest.raises(WebhookVerificationError):
        Webhook(new).verify(request.body, request.headers)


async def test_an_endpoint_that_is_gone_is_given_up_at_once(telling: Any, receivers: Another) -> None:
    gone, other = await receivers(), await receivers()
    gone.answer = lambda _: ReceiverAnswer(410)
    endpoint, _ = await telling.endpoint(gone.url)
    watching, _ = await telling.endpoint(other.url, EventType.ENDPOINT_DISABLED)
    await telling.played(3)
    async with telling.worker():
        (told,) = await other.until(1)
    assert len(gone.received) == 1
    now = await telling.now(endpoint)
    assert (now.state, now.disabled_reason) == ("failed", "answered 410 Gone")
    assert told.event["data"] == {"endpoint_id": str(endpoint.id)}
    assert (await telling.now(watching)).state == "enabled"
    before = len(await telling.deliveries(endpoint))
    await telling.played(1)
    assert len(await telling.deliveries(endpoint)) == before  # nobody keeps anything for it


async def test_a_dead_endpoint_is_given_up_after_the_whole_schedule(telling: Any, receiver: Receiver) -> None:
    receiver.answer = lambda _: ReceiverAnswer(503)
    endpoint, _ = await telling.endpoint(receiver.url)
    await telling.played(2)
    two_tries = Schedule((timedelta(milliseconds=20),))
    async with telling.worker(schedule=two_tries), asyncio.timeout(30):
        while (now := await telling.now(endpoint)).state == "enabled":
            async with (
                telling.log.pool.connection() as connection
            ):  # it asks for no pause: do not wait for ours
                await connection.execute("UPDATE webhook_endpoints SET paused_until = NULL")
            await asyncio.sleep(0.02)
    assert "503" in now.disabled_reason
    assert now.failing_since is not None
    assert [one.state for one in await telling.deliveries(endpoint)] == ["failed", "pending"]


async def test_an_event_nobody_can_take_does_not_cost_a_working_endpoint_its_life(
    telling: Any, receiver: Receiver
) -> None:
    poison = await telling.played(1)
    endpoint, _ = await telling.endpoint(receiver.url)
    await telling.move(poison, 2)
    await telling.move(poison, 3)
    fine = await telling.match()
    receiver.answer = lambda request: ReceiverAnswer(500 if request.place == (str(poison.id), 2) else 204)
    async with telling.worker(schedule=Schedule((timedelta(milliseconds=300),))):
        await receiver.until(1)
        await telling.move(fine, 1)
        found = await telling.settled(endpoint)
    assert [one.state for one in found] == ["failed", "delivered", "delivered"]
    assert (await telling.now(endpoint)).state == "enabled"


async def test_a_disabled_endpoint_is_sent_what_waited_once_it_is_enabled_again(
    telling: Any, receiver: Receiver
) -> None:
    endpoint, _ = await telling.endpoint(receiver.url)
    match = await telling.played(2)

    async def enabled(value: bool) -> None:
        async with telling.log.pool.connection() as connection:
            await update_endpoint(connection, endpoint.tenant, endpoint.id, enabled=value)

    await enabled(False)
    await telling.move(match, 3)
    async with telling.worker():
        await asyncio.sleep(0.3)
        assert receiver.received == []
        await enabled(True)
        await receiver.until(2)
        await telling.move(match, 4)
        await receiver.until(3)
    assert by_match(receiver.received) == {str(match.id): [1, 2, 4]}  # 3 was told to nobody


async def test_a_deleted_endpoint_is_sent_nothing_and_leaves_nothing(
    telling: Any, receiver: Receiver
) -> None:
    endpoint, _ = await telling.endpoint(receiver.url)
    await telling.played(2)
    async with telling.log.pool.connection() as connection:
        await delete_endpoint(connection, endpoint.tenant, endpoint.id)
    async with telling.worker():
        await asyncio.sleep(0.2)
    assert receiver.received == []
    async with telling.log.pool.connection() as connection:
        for table in ("webhook_endpoints", "webhook_deliveries", "webhook_lanes"):
            cursor = await connection.execute(f"SELECT count(*)::int FROM {table}")
            assert await cursor.fetchone() == (0,), table


async def test_an_overloaded_endpoint_is_left_alone_for_as_long_as_it_asks(
    telling: Any, receiver: Receiver
) -> None:
    receiver.answer = lambda _: ReceiverAnswer(429, {"retry-after": "3600"})
    endpoint, _ = await telling.endpoint(receiver.url)
    await telling.played(1)
    async with telling.worker(per_endpoint=1):
        await receiver.until(1)
        await asyncio.sleep(0.1)
        await telling.played(1)  # another match, to the same endpoint
        await asyncio.sleep(0.3)
    assert len(receiver.received) == 1
    (first, second) = await telling.deliveries(endpoint)
    assert first.next_at is not None
    assert first.next_at > datetime.now(UTC) + timedelta(minutes=55)
    assert second.attempts == ()


async def test_a_slow_endpoint_leaves_room_for_the_others(telling: Any, receivers: Another) -> None:
    slow, quick = await receivers(), await receivers()
    slow.answer = lambda _: ReceiverAnswer(after=5)
    await telling.endpoint(slow.url)
    await telling.endpoint(quick.url)
    async with telling.worker(at_once=6, per_endpoint=3, poster={"total_seconds": 1.0}):
        for _ in range(8):
            await telling.played(1)
        await quick.until(8, seconds=5)
        assert len(slow.received) <= 6


async def test_lanes_disappear_once_everything_has_arrived(telling: Any, receiver: Receiver) -> None:
    endpoint, _ = await telling.endpoint(receiver.url)
    async with telling.worker():
        await telling.played(4)
        await receiver.until(4)
        await telling.settled(endpoint)
    async with telling.log.pool.connection() as connection:
        cursor = await connection.execute("SELECT count(*)::int FROM webhook_lanes")
        assert await cursor.fetchone() == (0,)


async def test_a_mistake_of_ours_ends_no_worker(
    telling: Any, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim, asked = Lanes.claim, 0

    async def failing_once(*args: Any, **more: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise psycopg.DataError
        return await claim(*args, **more)

    monkeypatch.setattr(Lanes, "claim", failing_once)
    await telling.endpoint(receiver.url, EventType.MOVE_APPLIED)
    await telling.played(2)
    async with telling.worker():
        await receiver.until(1)


async def test_a_mistake_of_ours_ends_neither_the_forgetting_nor_the_look_at_what_waits(
    telling: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def failing(*_: Any) -> int:
        asked.append("forget")
        raise psycopg.DataError

    def connected(_: Any) -> Any:
        asked.append("look")
        raise psycopg.DataError

    monkeypatch.setattr(service, "forget", failing)
    monkeypatch.setattr(service, "connected", connected)
    monkeypatch.setattr(service, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(service, "LOOK_SECONDS", 0.01)
    delivering = service.delivering(
        telling.log,
        telling.vault,
        WorkerSettings(),
        lease=timedelta(seconds=30),
        network=PublicNetwork(loopback=True),
        keep=timedelta(days=1),
        drain_seconds=1,
    )
    async with delivering, asyncio.timeout(20):
        while asked.count("forget") < 3 or asked.count("look") < 3:  # noqa: ASYNC110 - a test may poll
            await asyncio.sleep(0.01)

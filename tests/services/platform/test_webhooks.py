"""WebhookService: a tenant looks after its endpoints, and pulls its events."""

from __future__ import annotations

import asyncio
import base64
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import grpc
import msgspec
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from platform_stack import Account, Platform

from foldtable.platform.v1 import webhook_pb2, webhook_service_pb2_grpc
from foldtable.platform.v1 import webhook_service_pb2 as pb
from services.movelog.records import Match
from services.rpc.cursors import cursor
from services.webhooks.endpoint_changes import MAX_ENDPOINTS, give_up
from services.webhooks.retention import forget
from tests.support.new_matches import new_match

URL = "http://127.0.0.1:9/hooks"


class Caller:
    """Speaks WebhookService with an account's credential."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._account.stub = webhook_service_pb2_grpc.WebhookServiceStub(account.channel)

    async def __call__(self, method: str, **fields: Any) -> Any:
        return await self._account.call(method, getattr(pb, f"{method}Request")(**fields))

    async def refused(self, method: str, **fields: Any) -> Any:
        return await self._account.refused(method, getattr(pb, f"{method}Request")(**fields))

    async def endpoint(self, *types: str, **fields: Any) -> webhook_pb2.Endpoint:
        wanted = {"url": URL, "event_types": types or ("match.created",)} | fields
        return (await self("CreateEndpoint", **wanted)).endpoint


@pytest.fixture
async def acme(platform: Platform) -> Caller:
    return Caller(await platform.holding("acme", "webhooks:write", "matches:read"))


@pytest.fixture
async def rival(platform: Platform) -> Caller:
    return Caller(await platform.holding("rival", "webhooks:write", "matches:read"))


async def a_match(platform: Platform, tenant: str = "acme") -> Match:
    return await platform.log.create(new_match(tenant=tenant, seats=2), [])


# ── endpoints ──────────────────────────────────────────────────────────────────────────────────────


async def test_an_endpoint_is_created_and_its_secret_shown_once(platform: Platform, acme: Caller) -> None:
    wanted = ["turn.started", "match.ended"]
    created = await acme("CreateEndpoint", url=URL, event_types=wanted, description="lobby")
    endpoint = created.endpoint
    assert (endpoint.url, endpoint.description) == (URL, "lobby")
    assert list(endpoint.event_types) == sorted(wanted)
    assert endpoint.state == webhook_pb2.ENDPOINT_STATE_ENABLED
    raw = base64.b64decode(created.secret.removeprefix("whsec_"), validate=True)
    for answer in (await acme("ListEndpoints"), await acme("GetEndpoint", endpoint_id=endpoint.endpoint_id)):
        assert created.secret not in str(answer)
    async with platform.log.pool.connection() as connection:
        cursor = await connection.execute("SELECT secret FROM webhook_endpoints")
        ((stored,),) = await cursor.fetchall()
    assert raw not in bytes(stored)
    assert created.secret.encode() not in bytes(stored)


async def test_tenants_see_their_own_endpoints_only(acme: Caller, rival: Caller) -> None:
    ours = await acme.endpoint()
    theirs = await rival.endpoint()
    assert [one.endpoint_id for one in (await acme("ListEndpoints")).endpoints] == [ours.endpoint_id]
    for method in ("GetEndpoint", "UpdateEndpoint", "DeleteEndpoint", "TestEndpoint", "ListDeliveries"):
        for unknown in (theirs.endpoint_id, str(uuid4()), "garbage", ""):
            assert (await acme.refused(method, endpoint_id=unknown)).reason == "ENDPOINT_NOT_FOUND"
    assert (await rival("GetEndpoint", endpoint_id=theirs.endpoint_id)).endpoint == theirs


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"url": "ftp://example.com/"}, "$.url"),
        ({"url": "https://10.0.0.1/"}, "$.url"),
        ({"url": ""}, "$.url"),
        ({"event_types": []}, "$.event_types"),
        ({"event_types": ["match.started", "everything"]}, "$.event_types"),
        ({"event_types": ["endpoint.test"]}, "$.event_types"),
        ({"description": "x" * 101}, "$.description"),
        ({"description": "two\nlines"}, "$.description"),
    ],
)
async def test_what_no_endpoint_can_have_is_named(acme: Caller, wrong: dict[str, Any], field: str) -> None:
    fields = {"url": URL, "event_types": ["match.ended"]} | wrong
    refusal = await acme.refused("CreateEndpoint", **fields)
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", [field])


async def test_a_tenant_has_so_many_endpoints_and_no_more(acme: Caller) -> None:
    for _ in range(MAX_ENDPOINTS):
        await acme.endpoint()
    refusal = await acme.refused("CreateEndpoint", url=URL, event_types=["match.ended"])
    assert (refusal.reason, refusal.code) == ("TOO_MANY_ENDPOINTS", grpc.StatusCode.FAILED_PRECONDITION)


async def test_what_is_not_named_stays_as_it_is(acme: Caller) -> None:
    made = await acme.endpoint("match.ended", description="lobby")
    types = pb.EventTypes(names=["seat.joined", "turn.started"])
    changed = (await acme("UpdateEndpoint", endpoint_id=made.endpoint_id, event_types=types)).endpoint
    assert (list(changed.event_types), changed.description) == (["seat.joined", "turn.started"], "lobby")
    off = (await acme("UpdateEndpoint", endpoint_id=made.endpoint_id, enabled=False)).endpoint
    assert off.state == webhook_pb2.ENDPOINT_STATE_DISABLED
    assert off.HasField("disable_time")
    assert off.url == made.url
    on = (await acme("UpdateEndpoint", endpoint_id=made.endpoint_id, enabled=True, description="")).endpoint
    assert (on.state, on.description) == (webhook_pb2.ENDPOINT_STATE_ENABLED, "")
    assert not on.HasField("disable_time")


async def test_events_are_written_for_enabled_endpoints_and_their_types_only(
    platform: Platform, acme: Caller
) -> None:
    made = await acme.endpoint("match.ended")

    async def written() -> int:
        await a_match(platform)
        async with platform.log.pool.connection() as connection:
            row = await (await connection.execute("SELECT count(*)::int FROM events")).fetchone()
        assert row is not None
        return row[0]

    assert await written() == 0
    types = pb.EventTypes(names=["match.created"])
    await acme("UpdateEndpoint", endpoint_id=made.endpoint_id, event_types=types)
    assert await written() == 1
    await acme("UpdateEndpoint", endpoint_id=made.endpoint_id, enabled=False)
    assert await written() == 1
    other = await acme.endpoint("match.created")
    assert await written() == 2
    await acme("DeleteEndpoint", endpoint_id=other.endpoint_id)
    assert await written() == 2


async def test_two_changes_at_once_count_both(platform: Platform, acme: Caller) -> None:
    await asyncio.gather(*(acme.endpoint(kind) for kind in ("match.created", "match.ended", "seat.left") * 3))
    async with platform.log.pool.connection() as connection:
        cursor = await connection.execute("SELECT types FROM recorded_events WHERE tenant = 'acme'")
        assert await cursor.fetchone() == (["match.created", "match.ended", "seat.left"],)


async def test_a_given_up_endpoint_says_why_and_can_be_revived(platform: Platform, acme: Caller) -> None:
    made = await acme.endpoint()
    async with platform.log.pool.connection() as connection:
        assert await give_up(connection, "acme", UUID(made.endpoint_id), "answered 410 Gone")
        assert not await give_up(connection, "acme", UUID(made.endpoint_id), "again")
    failed = (await acme("GetEndpoint", endpoint_id=made.endpoint_id)).endpoint
    assert failed.state == webhook_pb2.ENDPOINT_STATE_FAILED
    assert failed.disabled_reason == "answered 410 Gone"
    for method in ("TestEndpoint", "ResendDeliveries"):
        assert (await acme.refused(method, endpoint_id=made.endpoint_id)).reason == "ENDPOINT_DISABLED"
    revived = (await acme("UpdateEndpoint", endpoint_id=made.endpoint_id, enabled=True)).endpoint
    assert (revived.state, revived.disabled_reason) == (webhook_pb2.ENDPOINT_STATE_ENABLED, "")


async def test_a_new_secret_leaves_the_old_one_a_while(acme: Caller) -> None:
    created = await acme("CreateEndpoint", url=URL, event_types=["match.ended"])
    rotated = await acme("RotateEndpointSecret", endpoint_id=created.endpoint.endpoint_id)
    assert rotated.secret != created.secret
    left = rotated.endpoint.old_secret_expire_time.ToDatetime(UTC) - datetime.now(UTC)
    assert timedelta(hours=23) < left <= timedelta(hours=24)
    at_once = await acme(
        "RotateEndpointSecret", endpoint_id=created.endpoint.endpoint_id, grace=Duration(seconds=0)
    )
    assert not at_once.endpoint.HasField("old_secret_expire_time")
    refusal = await acme.refused(
        "RotateEndpointSecret", endpoint_id=created.endpoint.endpoint_id, grace=Duration(seconds=8 * 86_400)
    )
    assert refusal.fields == ["$.grace"]


# ── deliveries ─────────────────────────────────────────────────────────────────────────────────────


async def test_deliveries_are_listed_newest_first_a_page_at_a_time(platform: Platform, acme: Caller) -> None:
    made = await acme.endpoint()
    matches = [str((await a_match(platform)).id) for _ in range(5)]
    listed: list[str] = []
    token = ""
    while True:
        page = await acme("ListDeliveries", endpoint_id=made.endpoint_id, page_size=2, page_token=token)
        listed += [one.match_id for one in page.deliveries]
        token = page.next_page_token
        if not token:
            break
    assert listed == matches[::-1]
    assert all(one.state == webhook_pb2.DELIVERY_STATE_PENDING for one in page.deliveries)
    assert all(one.HasField("next_attempt_time") for one in page.deliveries)
    pending = webhook_pb2.DELIVERY_STATE_DELIVERED
    assert not (await acme("ListDeliveries", endpoint_id=made.endpoint_id, state=pending)).deliveries
    refusal = await acme.refused("ListDeliveries", endpoint_id=made.endpoint_id, page_token="guess")
    assert refusal.reason == "PAGE_TOKEN_INVALID"


async def test_a_test_event_goes_to_one_endpoint_and_into_no_feed(platform: Platform, acme: Caller) -> None:
    await acme("SetEventRecording", event_types=["match.created"])
    made, other = await acme.endpoint(), await acme.endpoint()
    sent = (await acme("TestEndpoint", endpoint_id=made.endpoint_id)).delivery
    assert (sent.event_type, sent.match_id) == ("endpoint.test", "")
    assert len((await acme("ListDeliveries", endpoint_id=made.endpoint_id)).deliveries) == 1
    assert not (await acme("ListDeliveries", endpoint_id=other.endpoint_id)).deliveries
    assert not (await acme("ReadEvents")).cloud_events


async def test_one_event_or_a_time_is_sent_again(platform: Platform, acme: Caller, rival: Caller) -> None:
    made = await acme.endpoint()
    for _ in range(4):
        await a_match(platform)
    found = (await acme("ListDeliveries", endpoint_id=made.endpoint_id)).deliveries
    async with platform.log.pool.connection() as connection:
        await connection.execute("UPDATE webhook_deliveries SET state = 'delivered', tries = 1")
        await connection.execute("DELETE FROM webhook_lanes")

    async def pending() -> list[str]:
        state = webhook_pb2.DELIVERY_STATE_PENDING
        page = await acme("ListDeliveries", endpoint_id=made.endpoint_id, state=state)
        return [one.event_id for one in page.deliveries]

    one = await acme("ResendDeliveries", endpoint_id=made.endpoint_id, event_id=found[1].event_id)
    assert (one.count, await pending()) == (1, [found[1].event_id])
    since = found[2].event_time
    rest = await acme("ResendDeliveries", endpoint_id=made.endpoint_id, since_time=since)
    assert rest.count == 2, "the one that is on its way already is not counted"
    assert await pending() == [one.event_id for one in found[:3]]
    future = Timestamp(seconds=since.seconds + 3_600)
    none = await acme("ResendDeliveries", endpoint_id=made.endpoint_id, since_time=future)
    assert none.count == 0
    failed = await acme(
        "ResendDeliveries", endpoint_id=made.endpoint_id, since_time=Timestamp(seconds=1), failed_only=True
    )
    assert failed.count == 0
    for unknown in (str(uuid4()), "garbage"):
        refusal = await acme.refused("ResendDeliveries", endpoint_id=made.endpoint_id, event_id=unknown)
        assert refusal.reason == "DELIVERY_NOT_FOUND"
    assert (await acme.refused("ResendDeliveries", endpoint_id=made.endpoint_id)).fields == ["$.since_time"]
    theirs = await rival.endpoint()
    refusal = await rival.refused(
        "ResendDeliveries", endpoint_id=theirs.endpoint_id, event_id=found[0].event_id
    )
    assert refusal.reason == "DELIVERY_NOT_FOUND"


async def test_a_new_endpoint_can_be_sent_what_the_feed_has_kept(platform: Platform, acme: Caller) -> None:
    await acme("SetEventRecording", event_types=["match.created"])
    for _ in range(3):
        await a_match(platform)
    late = await acme.endpoint()
    sent = await acme("ResendDeliveries", endpoint_id=late.endpoint_id, since_time=Timestamp(seconds=1))
    assert sent.count == 3


# ── the feed ───────────────────────────────────────────────────────────────────────────────────────


async def read(caller: Caller, count: int, **fields: Any) -> Any:
    """Read, for as long as somebody else's transaction holds an event back."""
    for _ in range(100):
        page = await caller("ReadEvents", **fields)
        if len(page.cloud_events) >= count:
            return page
        await asyncio.sleep(0.02)
    raise AssertionError("the events do not come")


async def test_a_feed_that_was_never_switched_on_says_so(acme: Caller) -> None:
    assert (await acme.refused("ReadEvents")).reason == "FEED_OFF"
    assert list((await acme("GetEventRecording")).event_types) == []
    kept = await acme("SetEventRecording", event_types=["match.ended", "match.created"])
    assert list(kept.event_types) == ["match.created", "match.ended"]
    assert await acme("GetEventRecording") == pb.GetEventRecordingResponse(event_types=kept.event_types)
    empty = await acme("ReadEvents")
    assert not empty.cloud_events
    assert empty.cursor


async def test_a_feed_is_read_from_cursor_to_cursor(platform: Platform, acme: Caller, rival: Caller) -> None:
    await acme("SetEventRecording", event_types=["match.created"])
    await rival("SetEventRecording", event_types=["match.created"])
    matches = [f"/v1/matches/{(await a_match(platform)).id}" for _ in range(5)]
    await a_match(platform, "rival")
    first = await read(acme, 2, limit=2)
    rest = await read(acme, 3, after=first.cursor)
    events = [msgspec.json.decode(one) for one in (*first.cloud_events, *rest.cloud_events)]
    assert [event["source"] for event in events] == matches
    assert {event["type"] for event in events} == {"foldtable.match.created.v1"}
    end = await acme("ReadEvents", after=rest.cursor)
    assert (list(end.cloud_events), end.cursor) == ([], rest.cursor)
    assert (await rival.refused("ReadEvents", after=first.cursor)).reason == "PAGE_TOKEN_INVALID"


async def test_a_long_poll_ends_with_the_next_event(platform: Platform, acme: Caller) -> None:
    await acme("SetEventRecording", event_types=["match.created"])
    waiting = asyncio.create_task(acme("ReadEvents", wait=Duration(seconds=8)))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    match = await a_match(platform)
    assert str(match.id).encode() in (await waiting).cloud_events[0]
    empty = await acme("ReadEvents", after=(await acme("ReadEvents")).cursor, wait=Duration(nanos=50_000_000))
    assert not empty.cloud_events


async def test_a_cursor_before_what_is_kept_is_refused_rather_than_answered_with_a_hole(
    platform: Platform, acme: Caller
) -> None:
    await acme("SetEventRecording", event_types=["match.created"])
    start = (await acme("ReadEvents")).cursor
    for _ in range(3):
        await a_match(platform)
    first = await read(acme, 1, limit=1)
    newest = await read(acme, 3)
    await forget(platform.log.pool, timedelta(0))
    for stale in (start, first.cursor):
        refusal = await acme.refused("ReadEvents", after=stale)
        assert (refusal.reason, refusal.code) == ("CURSOR_EXPIRED", grpc.StatusCode.OUT_OF_RANGE)
    assert not (await acme("ReadEvents", after=newest.cursor)).cloud_events
    anew = await acme("ReadEvents")
    assert not (await acme("ReadEvents", after=anew.cursor)).cloud_events


@pytest.mark.parametrize(
    "lose",
    [
        pytest.param("DELETE FROM events", id="nothing is at its place"),
        pytest.param("UPDATE events SET id = gen_random_uuid()", id="another event has its place"),
    ],
)
async def test_a_cursor_of_an_event_that_a_restore_has_lost_is_refused(
    platform: Platform, acme: Caller, lose: str
) -> None:
    """After a restore Postgres gives transactions and numbers again: whoever went on from there would miss what they stand for."""
    await acme("SetEventRecording", event_types=["match.created"])
    await a_match(platform)
    kept = await read(acme, 1)
    await a_match(platform)
    lost = await read(acme, 1, after=kept.cursor)
    transaction, number, _ = _place(lost.cursor)
    async with platform.log.pool.connection() as connection:
        await connection.execute(f"{lose} WHERE transaction = '{transaction}' AND number = {number}")
    await a_match(platform)
    refusal = await acme.refused("ReadEvents", after=lost.cursor)
    assert (refusal.reason, refusal.code) == ("CURSOR_EXPIRED", grpc.StatusCode.OUT_OF_RANGE)
    assert (await acme("ReadEvents", after=kept.cursor)).cloud_events


def _place(token: str) -> list[str]:
    """Return the transaction, the number and the event that a cursor names."""
    return base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))[4:].decode().split(" ")


async def test_a_cursor_of_an_earlier_release_is_continued(platform: Platform, acme: Caller) -> None:
    """It names no event; that there is one at its place is all that can be checked."""
    await acme("SetEventRecording", event_types=["match.created"])
    await a_match(platform)
    transaction, number, _ = _place((await read(acme, 1)).cursor)
    question = ("events", "acme")
    assert not (await acme("ReadEvents", after=cursor(f"{transaction} {number}", question))).cloud_events
    beyond = cursor(f"{transaction} {int(number) + 1}", question)
    assert (await acme.refused("ReadEvents", after=beyond)).reason == "CURSOR_EXPIRED"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"limit": -1}, "$.limit"),
        ({"after": "guess"}, "$.after"),
        ({"wait": Duration(seconds=31)}, "$.wait"),
        ({"wait": Duration(seconds=-1)}, "$.wait"),
    ],
)
async def test_a_question_the_feed_cannot_answer(acme: Caller, wrong: dict[str, Any], field: str) -> None:
    assert (await acme.refused("ReadEvents", **wrong)).fields == [field]

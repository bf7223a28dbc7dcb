"""A match is deleted with everything that belongs to it: nothing of it is left, whoever follows it is told, and a repeat is answered alike."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from msgspec.structs import replace
from rules_stack import Player, Refusal, Stack
from subscription_streams import Subscriber

from foldtable.matches.v1 import (
    abort_pb2,
    clock_pb2,
    forgetting_pb2,
    fork_pb2,
    lobby_pb2,
    match_pb2,
)
from foldtable.matches.v1 import match_service_pb2 as pb
from services.movelog.events import EventType
from services.movelog.failures import MatchUnknown
from services.movelog.postgres import proposal_queries, queries, seat_requests
from services.movelog.postgres.asking import ask_on
from services.movelog.records import ForkQuota, Status
from services.rules.forgetting import deleting
from services.rules.forgetting.deleting import OF_A_MATCH, Deleting
from services.rules.match.snapshots import snapshot_of
from services.webhooks import retention
from tests.support.auditing import audit
from tests.support.traces import columns_of, traces

OPEN = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_OPEN)
FORK_STARTS = (0, match_pb2.START_RULE_ON_DEMAND)
OVERTAKEN = {"VERSION_CONFLICT", "NOT_YOUR_TURN", "ILLEGAL_MOVE"}
"""Another move of the same test was first."""
PER_MOVE = clock_pb2.Clock(kind=clock_pb2.CLOCK_KIND_PER_MOVE, time=Duration(seconds=3600))


def request(match_id: str) -> forgetting_pb2.DeleteMatchRequest:
    return forgetting_pb2.DeleteMatchRequest(match_id=match_id)


async def deleted(tenant: Player, match_id: str) -> None:
    await tenant.call("DeleteMatch", request(match_id))


async def running(tenant: Player, **more: Any) -> pb.CreateMatchResponse:
    """A match with everything that a match can have."""
    created = await tenant.create(
        2,
        seating=[lobby_pb2.SeatPlan(player="ada", name="Ada"), OPEN],
        title="Friday night",
        reference=f"round {uuid4()}",
        metadata=b'{"round":3}',
        clock=PER_MOVE,
        request_id=f"create {uuid4()}",
        **more,
    )
    join = pb.JoinMatchRequest(
        match_id=created.match.match_id, player="bob", name="Bob", request_id=f"join {uuid4()}"
    )
    await tenant.call("JoinMatch", join)
    await tenant.any_move(created.match.match_id, 0)
    return created


async def ended(tenant: Player) -> str:
    match_id: str = (await running(tenant)).match.match_id
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    return match_id


def marks(match_id: str) -> tuple[str, str]:
    """The id as it stands in text, and its bytes as they are dumped."""
    return match_id, UUID(match_id).hex


async def must_be_gone(tenant: Player, match_id: str) -> None:
    refusal = await tenant.refused("GetMatch", pb.GetMatchRequest(match_id=match_id))
    assert refusal.reason == "MATCH_NOT_FOUND"


async def asked_of(stack: Stack, query: str, *values: object) -> list[tuple[Any, ...]]:
    async with stack.logs[0].pool.connection() as connection:
        cursor = await connection.execute(query, values)
        return await cursor.fetchall() if cursor.description else []


# ── what is left ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("status", ["waiting", "running", "ended"])
async def test_nothing_of_a_match_is_left_but_that_its_id_was_deleted(
    stack: Stack, tenant: Player, database_url: str, status: str
) -> None:
    match status:
        case "waiting":
            match_id = (await tenant.create(2, seating=[OPEN, OPEN])).match.match_id
        case "running":
            match_id = (await running(tenant)).match.match_id
        case _:
            match_id = await ended(tenant)
    await stack.servers[0]._cache.settled()
    other = await ended(tenant)
    await deleted(tenant, match_id)
    await must_be_gone(tenant, match_id)
    left = {place[:2] for place in traces(database_url, marks(match_id))}
    assert left == {("deleted_matches", "match_id")}
    assert (await tenant.get(other)).status == match_pb2.MATCH_STATUS_ENDED


async def test_every_table_with_rows_of_matches_is_emptied(database_url: str, tenant: Player) -> None:
    """A new one must be deleted from, or go with the row of the match."""
    cascading = {"match_notes", "proposals"}
    known = {*OF_A_MATCH, *cascading, "events", "deleted_matches"}
    assert {table for table, column in columns_of(database_url) if column == "match_id"} == known


async def test_stored_snapshots_proposals_and_stuck_calls_go_with_it(
    stack: Stack, tenant: Player, database_url: str
) -> None:
    match_id = (await running(tenant)).match.match_id
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id, seat=0))
    await asked_of(
        stack,
        "INSERT INTO stuck_calls (distribution, game, function, action, match_id) VALUES ('l', 'l', 'view', '', $1)",
        UUID(match_id),
    )
    await asked_of(stack, "INSERT INTO snapshots VALUES ($1, 1, '1.0.0', '', '')", UUID(match_id))
    await asked_of(stack, "INSERT INTO forks VALUES ($1, 'tenant/one', 1)", UUID(match_id))
    await deleted(tenant, match_id)
    assert {place[:2] for place in traces(database_url, marks(match_id))} == {("deleted_matches", "match_id")}


async def test_no_snapshot_is_written_of_a_match_that_is_gone(stack: Stack, tenant: Player) -> None:
    match_id = (await running(tenant)).match.match_id
    loaded = stack.servers[0]._cache.cached(UUID(match_id))
    assert loaded is not None
    await deleted(tenant, match_id)
    await stack.logs[0].snapshots.put(
        snapshot_of(loaded.match, loaded.game, loaded.version, loaded.head, loaded.state)
    )
    assert await asked_of(stack, "SELECT 1 FROM snapshots WHERE match_id = $1", UUID(match_id)) == []


# ── asked again ────────────────────────────────────────────────────────────────────────────────────


async def test_a_repeated_request_gets_the_same_answer_until_it_is_forgotten(
    stack: Stack, tenant: Player
) -> None:
    match_id = await ended(tenant)
    for _ in range(3):
        await deleted(tenant, match_id)
    assert await seat_requests.forget_deleted(stack.logs[0].pool) == 0
    await asked_of(stack, "UPDATE deleted_matches SET deleted_at = now() - interval '31 days'")
    assert await seat_requests.forget_deleted(stack.logs[0].pool) == 1
    assert (await tenant.refused("DeleteMatch", request(match_id))).reason == "MATCH_NOT_FOUND"


async def test_two_requests_at_once_are_both_answered(stack: Stack, tenant: Player) -> None:
    match_id = (await running(tenant)).match.match_id
    second = stack.player(address=await stack.serve())
    await asyncio.gather(*(deleted(one, match_id) for one in (tenant, second) * 3))
    await must_be_gone(second, match_id)


@pytest.mark.parametrize("match_id", ["0190a5f2-0000-7000-8000-000000000001", "no id", ""])
async def test_a_match_that_never_was_is_not_found(tenant: Player, match_id: str) -> None:
    assert (await tenant.refused("DeleteMatch", request(match_id))).reason == "MATCH_NOT_FOUND"


async def test_another_tenants_match_is_not_found_before_and_after(stack: Stack, tenant: Player) -> None:
    match_id = await ended(tenant)
    other = stack.player("ft_test_two")
    assert (await other.refused("DeleteMatch", request(match_id))).reason == "MATCH_NOT_FOUND"
    assert (await tenant.get(match_id)).match_id == match_id
    await deleted(tenant, match_id)
    assert (await other.refused("DeleteMatch", request(match_id))).reason == "MATCH_NOT_FOUND"


async def test_only_a_key_that_may_write_deletes(stack: Stack, tenant: Player) -> None:
    created = await running(tenant)
    match_id = created.match.match_id
    for credential, reason in (
        ("ft_test_one_looks", "SCOPE_MISSING"),
        ("ft_test_one_other", "SCOPE_MISSING"),
        (created.tokens[0].token, "TENANT_ONLY"),
    ):
        refusal = await stack.player(credential).refused("DeleteMatch", request(match_id))
        assert refusal.reason == reason
    assert (await tenant.get(match_id)).match_id == match_id


# ── who is there ───────────────────────────────────────────────────────────────────────────────────


async def test_whoever_watches_or_plays_is_told_that_there_is_no_such_match(
    stack: Stack, tenant: Player, subscriber: Subscriber
) -> None:
    created = await running(tenant)
    match_id, token = created.match.match_id, created.tokens[0].token
    seat = stack.player(token)
    await seat.view(match_id)
    await subscriber.subscribe(1, match_id, token)
    await subscriber.subscribe(2, match_id)
    await deleted(tenant, match_id)
    assert (await subscriber.refusal(1)).reason == "MATCH_NOT_FOUND"
    assert (await subscriber.refusal(2)).reason == "MATCH_NOT_FOUND"
    for method, asked in (
        ("GetView", pb.GetViewRequest(match_id=match_id)),
        ("GetLegalActions", pb.GetLegalActionsRequest(match_id=match_id, seat=0)),
        ("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0)),
        ("ExportMatch", pb.ExportMatchRequest(match_id=match_id)),
    ):
        assert (await seat.refused(method, asked)).reason == "MATCH_NOT_FOUND", method
        assert (await tenant.refused(method, asked)).reason == "MATCH_NOT_FOUND", method


async def test_another_server_that_has_it_cached_forgets_it(stack: Stack, tenant: Player) -> None:
    created = await running(tenant)
    match_id = created.match.match_id
    second = stack.player(created.tokens[0].token, address=await stack.serve())
    watching = Subscriber(second)
    await second.view(match_id)
    await watching.subscribe(1, match_id)
    await deleted(tenant, match_id)
    assert (await watching.refusal(1)).reason == "MATCH_NOT_FOUND"
    assert (await second.refused("GetView", pb.GetViewRequest(match_id=match_id))).reason == "MATCH_NOT_FOUND"
    assert (
        await second.refused("ResignSeat", pb.ResignSeatRequest(match_id=match_id))
    ).reason == "MATCH_NOT_FOUND"
    watching.stream.cancel()
    await asyncio.gather(watching._reading, return_exceptions=True)


async def test_a_watcher_is_told_even_if_the_wake_up_is_lost(
    stack: Stack, tenant: Player, subscriber: Subscriber
) -> None:
    match_id = (await running(tenant)).match.match_id
    await subscriber.subscribe(1, match_id)
    silent = Deleting(stack.logs[0].pool, lambda _: None)
    assert await silent.delete("one", UUID(match_id))
    assert (await subscriber.refusal(1)).reason == "MATCH_NOT_FOUND"


async def test_moves_that_are_on_their_way_are_written_before_or_refused(
    stack: Stack, tenant: Player
) -> None:
    match_id = (await running(tenant)).match.match_id

    async def moves() -> str:
        while True:
            try:
                await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
            except grpc.aio.AioRpcError as error:
                reason = Refusal.of(error).reason
                if reason not in OVERTAKEN:
                    return reason
            except ValueError:
                continue  # another move came between, so the seat has nothing to choose

    playing = [asyncio.create_task(moves()) for _ in range(4)]
    await asyncio.sleep(0.3)
    await deleted(tenant, match_id)
    assert set(await asyncio.gather(*playing)) == {"MATCH_NOT_FOUND"}
    assert await asked_of(stack, "SELECT 1 FROM moves WHERE match_id = $1", UUID(match_id)) == []


async def deleted_during(stack: Stack, tenant: Player, match_id: str, query: str, *values: object) -> None:
    """Delete a match while a transaction has run a statement, and has not ended yet."""
    async with stack.logs[0].pool.connection() as connection:
        async with connection.transaction():
            await ask_on(connection, query, values)
            deleting = asyncio.create_task(deleted(tenant, match_id))
            await asyncio.sleep(0.5)
        await deleting


async def test_no_event_of_a_proposal_that_expires_meanwhile_outlives_it(
    stack: Stack, tenant: Player
) -> None:
    log = stack.logs[0]
    await log.events.record("one", [EventType.CONSENT_SETTLED, EventType.MATCH_DELETED])
    match_id = (await running(tenant)).match.match_id
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id, seat=0))
    late = proposal_queries.EXPIRE.replace("expires_at <= now()", "expires_at <= now() + interval '1 year'")
    assert late != proposal_queries.EXPIRE
    await deleted_during(stack, tenant, match_id, late, 10)
    told = [one.event.type for one in await log.events.read("one", limit=100)]
    assert told == [EventType.MATCH_DELETED]


async def test_old_events_are_deleted_at_the_same_time_without_a_deadlock(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes first has the events, and then their deliveries."""
    log = stack.logs[0]
    await log.events.record("one", [EventType.MATCH_CREATED, EventType.MOVE_APPLIED])
    match_id = (await running(tenant)).match.match_id
    await asked_of(
        stack,
        "WITH owner AS (INSERT INTO tenants (id) VALUES ('one') ON CONFLICT DO NOTHING) "
        "INSERT INTO webhook_endpoints (id, tenant, url, secret, types, state) "
        "VALUES ($1, 'one', 'http://127.0.0.1:1/', '', '{}', 'enabled')",
        UUID(int=1),
    )
    await asked_of(
        stack,
        "INSERT INTO webhook_deliveries (endpoint_id, event, lane) SELECT $1, number, match_id FROM events",
        UUID(int=1),
    )
    at_deliveries = asyncio.Event()

    async def slow(connection: Any, query: str, values: tuple[Any, ...]) -> Any:
        done = await ask_on(connection, query, values)
        if "webhook_deliveries" in query:
            at_deliveries.set()
            await asyncio.sleep(0.7)
        return done

    monkeypatch.setattr(deleting, "ask_on", slow)
    calls = asyncio.create_task(deleted(tenant, match_id))
    await at_deliveries.wait()
    await retention.forget(log.pool, timedelta(seconds=-60))
    await calls
    assert await asked_of(stack, "SELECT FROM events") == []
    assert await asked_of(stack, "SELECT FROM webhook_deliveries") == []


async def test_no_fork_that_is_made_meanwhile_is_counted_of_it(stack: Stack, tenant: Player) -> None:
    match_id = (await running(tenant)).match.match_id
    count = (UUID(match_id), "tenant/one", 10)
    await deleted_during(stack, tenant, match_id, queries.COUNT_FORK, *count)
    assert await asked_of(stack, "SELECT FROM forks WHERE match_id = $1", UUID(match_id)) == []
    assert await asked_of(stack, queries.COUNT_FORK, *count) == []


async def test_a_fork_of_a_match_that_is_gone_is_not_made(stack: Stack, tenant: Player) -> None:
    created = await running(tenant)
    match_id = created.match.match_id
    fork = await tenant.call("ForkMatch", fork_pb2.ForkMatchRequest(match_id=match_id, seating=[OPEN, OPEN]))
    match = await stack.logs[0].find(UUID(fork.match.match_id))
    seats = (await stack.logs[0].lobby.seating(match.id)).seats
    await deleted(tenant, match_id)
    with pytest.raises(MatchUnknown):
        await stack.logs[0].fork(match, seats, ForkQuota(account="tenant/one", most=10))


async def test_a_rematch_that_is_made_meanwhile_follows_nothing(stack: Stack, tenant: Player) -> None:
    match_id = await ended(tenant)
    again = await tenant.call("Rematch", lobby_pb2.RematchRequest(match_id=match_id))
    begun = await stack.logs[0].find(UUID(again.match.match_id))
    match = replace(begun, version=0, status=Status.WAITING, to_act=())
    seats = (await stack.logs[0].lobby.seating(match.id)).seats
    await deleted(tenant, again.match.match_id)
    await deleted(tenant, match_id)
    assert match.rematch_of == UUID(match_id)
    await stack.logs[0].create(match, seats)
    assert (await stack.logs[0].find(match.id)).rematch_of is None


# ── what refers to it ──────────────────────────────────────────────────────────────────────────────


async def test_the_tenant_is_told_by_an_event_and_earlier_ones_are_gone(stack: Stack, tenant: Player) -> None:
    log = stack.logs[0]
    await log.events.record("one", list(EventType))
    match_id = (await running(tenant)).match.match_id
    version = (await tenant.get(match_id)).version
    await deleted(tenant, match_id)
    await deleted(tenant, match_id)
    told = [one.event for one in await log.events.read("one", limit=100)]
    assert [(one.type, str(one.match_id), one.version) for one in told] == [
        (EventType.MATCH_DELETED, match_id, version)
    ]


async def test_a_copy_of_another_tenants_match_is_deleted_without_a_word_about_the_other_and_of_the_other(
    stack: Stack, tenant: Player, database_url: str
) -> None:
    """Both know the match by one id; it is the match of one, and the other has imported it."""
    log, other = stack.logs[0], stack.player("ft_test_two")
    for name in ("one", "two"):
        await log.events.record(name, list(EventType))
    created = await running(tenant)
    match_id = created.match.match_id
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    exported = await tenant.call("ExportMatch", pb.ExportMatchRequest(match_id=match_id))
    await other.import_document(exported.document)
    before = await log.events.read("one", limit=100)
    await deleted(other, match_id)

    assert await log.events.read("one", limit=100) == before
    (told,) = [one.event for one in await log.events.read("two", limit=100)]
    assert (told.type, str(told.match_id)) == (EventType.MATCH_DELETED, match_id)
    nothing = (told.game, told.title, told.reference, told.metadata, told.players, told.player, told.deadline)
    assert nothing == ("", "", "", b"{}", (), "", None)
    assert await altered_events(database_url) == []

    await to_be_delivered(stack)
    await deleted(tenant, match_id)
    assert [one.event for one in await log.events.read("two", limit=100)] == [told]
    assert [one.event.type for one in await log.events.read("one", limit=100)] == [EventType.MATCH_DELETED]
    assert await asked_of(
        stack, "SELECT events.tenant FROM webhook_deliveries JOIN events ON events.number = event"
    ) == [("two",)]
    assert await altered_events(database_url) == []


async def test_an_event_that_says_of_a_match_that_is_there_that_it_was_deleted_is_found(
    stack: Stack, tenant: Player, database_url: str
) -> None:
    await stack.logs[0].events.record("one", list(EventType))
    match_id = await ended(tenant)
    for tenant_id, version in (("two", 3), ("one", 0), ("one", 3)):
        found = await altered_events(database_url)
        assert found == []
        query = (
            "INSERT INTO events (tenant, match_id, version, recorded_at, type) VALUES ($1, $2, $3, now(), $4)"
        )
        await asked_of(stack, query, tenant_id, UUID(match_id), version, EventType.MATCH_DELETED.value)
        found = await altered_events(database_url)
        assert bool(found) is (tenant_id == "one")
        await asked_of(stack, "DELETE FROM events WHERE type = 'match.deleted' AND tenant = 'one'")


async def altered_events(database_url: str) -> list[str]:
    """Return what an audit finds in stored events."""
    tally = await asyncio.to_thread(audit, database_url)
    return [str(one) for one in tally.findings if one.table == "events"]


async def to_be_delivered(stack: Stack) -> None:
    """Store a delivery of every event there is."""
    await asked_of(
        stack,
        "INSERT INTO webhook_deliveries (endpoint_id, event, lane) "
        "SELECT gen_random_uuid(), number, match_id FROM events",
    )


async def test_a_rematch_and_a_fork_go_on(tenant: Player) -> None:
    match_id = await ended(tenant)
    again = await tenant.call("Rematch", lobby_pb2.RematchRequest(match_id=match_id))
    fork = await tenant.call("ForkMatch", fork_pb2.ForkMatchRequest(match_id=match_id, version=2))
    await deleted(tenant, match_id)
    following = await tenant.get(again.match.match_id)
    assert following.rematch_of == ""
    await tenant.any_move(fork.match.match_id, (await tenant.get(fork.match.match_id)).to_act[0])
    found = await tenant.call("VerifyMatch", pb.VerifyMatchRequest(match_id=fork.match.match_id))
    assert found.ok


@pytest.mark.parametrize("start", list(FORK_STARTS))
async def test_forks_that_wait_go_with_the_match_that_they_would_begin_with(
    stack: Stack, tenant: Player, database_url: str, start: int
) -> None:
    """They have no table of their own yet, so nobody could ever play them, and whoever sits there would wait for good."""
    await stack.logs[0].events.record("one", [EventType.MATCH_DELETED])
    match_id = (await running(tenant)).match.match_id
    fork = fork_pb2.ForkMatchRequest(match_id=match_id, seating=[OPEN, OPEN], start=start)
    waiting = [(await tenant.call("ForkMatch", fork)).match.match_id for _ in range(2)]
    other = (await running(tenant)).match.match_id
    of_another = await tenant.call(
        "ForkMatch", fork_pb2.ForkMatchRequest(match_id=other, seating=[OPEN, OPEN])
    )
    lobby = (await tenant.create(2, seating=[OPEN, OPEN])).match.match_id
    join = pb.JoinMatchRequest(match_id=waiting[0], seat=0, player="ada")
    await tenant.call("JoinMatch", join)
    await deleted(tenant, match_id)
    for one in waiting:
        await must_be_gone(tenant, one)
        await deleted(tenant, one)
        assert {place[:2] for place in traces(database_url, marks(one))} <= {
            ("deleted_matches", "match_id"),
            ("events", "match_id"),
        }
    told = {str(one.event.match_id) for one in await stack.logs[0].events.read("one", limit=100)}
    assert told == {match_id, *waiting}
    join = pb.JoinMatchRequest(match_id=waiting[0], seat=1, player="bob")
    assert (await tenant.refused("JoinMatch", join)).reason == "MATCH_NOT_FOUND"
    for one in (of_another.match.match_id, lobby):
        assert (await tenant.get(one)).status == match_pb2.MATCH_STATUS_WAITING


async def test_a_deleted_match_can_be_imported_again_and_deleted_again(tenant: Player) -> None:
    match_id = await ended(tenant)
    exported = await tenant.call("ExportMatch", pb.ExportMatchRequest(match_id=match_id))
    await deleted(tenant, match_id)
    imported = await tenant.import_document(exported.document)
    assert imported.match.match_id == match_id, "the tenant knows it by the id it had"
    assert (await tenant.get(match_id)).status == match_pb2.MATCH_STATUS_ENDED
    await deleted(tenant, match_id)
    await must_be_gone(tenant, match_id)
    await deleted(tenant, match_id)


async def test_its_request_id_and_its_reference_are_free_again(tenant: Player) -> None:
    first = await tenant.create(2, reference="board 12", request_id="the board")
    await deleted(tenant, first.match.match_id)
    second = await tenant.create(2, reference="board 12", request_id="the board")
    assert second.match.match_id != first.match.match_id

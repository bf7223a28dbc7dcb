"""The stream of one match: each version once, in order, for the right eyes, to the end."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import grpc
import msgspec
import pytest
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program

from engine.kernel.seats import Seat, seat_audience
from engine.registry import game
from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from services.identity.match_tokens import MatchTokens
from services.process.reasons import Reason
from services.rpc.refusals import Refused
from services.rules.match.match_cache import MatchCache
from services.rules.match.seating import NewMatch, create
from services.rules.match.starting import start_when_full
from services.rules.streams.match_stream import match_updates
from tests.support.memory_log.log import MemoryLog

RIVER_DRAGONS = game("river_dragons")


def subscribe(player: Player, match_id: str, after: int | None = None) -> Any:
    request = pb.WatchMatchRequest(match_id=match_id, after_version=after)
    return player.matches.WatchMatch(request, metadata=player.metadata, timeout=20)


async def versions_until_the_end(stream: Any) -> list[int]:
    return [one.move.version async for one in stream if one.WhichOneof("update") == "move"]


async def test_a_subscriber_gets_a_snapshot_and_then_every_move(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    stream = subscribe(tenant, match_id)
    first = await stream.read()
    assert first.snapshot.version == 1
    for version in (2, 3, 4):
        await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
        assert (await stream.read()).move.version == version
    stream.cancel()


async def test_a_subscriber_continues_after_the_version_it_has(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    for _ in range(4):
        await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
    stream = subscribe(tenant, match_id, after=2)
    assert [(await stream.read()).move.version for _ in range(3)] == [3, 4, 5]
    stream.cancel()


async def test_moves_made_through_another_replica_are_sent(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    other = stack.player(address=await stack.serve())
    stream = subscribe(other, match_id, after=1)
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    update = await asyncio.wait_for(stream.read(), 3)  # well before the slow poll
    assert update.move.version == 2
    assert msgspec.json.decode(update.move.events.json)[0]["cards"] is None
    stream.cancel()


async def test_a_version_that_never_was_is_answered_by_a_reset_and_a_snapshot(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    stream = subscribe(tenant, match_id, after=77)
    assert (await stream.read()).reset.version == 1
    assert (await stream.read()).snapshot.version == 1
    stream.cancel()


async def test_the_stream_ends_with_the_match(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    stream = subscribe(tenant, match_id, after=0)
    told = asyncio.create_task(versions_until_the_end(stream))
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=1))
    assert await told == [1, 2]
    assert await versions_until_the_end(subscribe(tenant, match_id, after=2)) == []


@pytest.mark.parametrize("after", [None, 1], ids=["from now", "from before"])
async def test_who_was_revoked_while_the_stream_was_opened_receives_nothing(after: int | None) -> None:
    """Between being let in and waiting for wake-ups there is a moment in which none is heard."""
    tables = MatchCache(MemoryLog(), lambda _: RIVER_DRAGONS)
    options = RIVER_DRAGONS.options_codec.decode(b"{}")
    match = await create(tables.log, NewMatch(tenant="one", game=RIVER_DRAGONS, seats=2, options=options))
    async with tables.hold(match.id) as table:
        await tables.check_seating(table)
        await start_when_full(tables, table)

    async def refuse() -> None:
        raise Refused(Reason.SEAT_FORBIDDEN, "this token is no longer valid for this seat")

    updates = match_updates(tables, match.id, seat_audience(Seat(1)), after, 0, refuse)
    with pytest.raises(Refused):
        async with asyncio.timeout(2):
            await anext(updates)


async def test_the_newest_move_says_who_is_waited_for(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    stream = subscribe(tenant, match_id, after=0)
    first = (await stream.read()).move
    assert list(first.to_act) == [0, 1]
    assert first.status == match_pb2.MATCH_STATUS_RUNNING
    stream.cancel()


async def test_a_subscriber_who_waits_for_players_sees_the_start(tenant: Player) -> None:
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    stream = subscribe(tenant, match_id)
    assert (await asyncio.wait_for(stream.read(), 3)).match.version == 0
    for _ in range(2):
        await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id))
    async with asyncio.timeout(3):
        while not (update := await stream.read()).HasField("snapshot"):
            assert update.match.seats[0].taken
    assert update.snapshot.version == 1
    stream.cancel()


async def test_streams_end_when_the_server_drains(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    stream = subscribe(tenant, match_id)
    await stream.read()
    stopping = asyncio.create_task(stack.servers[0].stop())
    assert await asyncio.wait_for(stream.read(), 5) is grpc.aio.EOF
    await asyncio.wait_for(stopping, 5)


async def test_a_stream_ends_when_its_token_expires(
    stack: Stack, tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.rules.streams.match_stream.SLOW_POLL_SECONDS", 0.1)
    match = (await tenant.create(2)).match
    soon = MatchTokens(stack.tokens._private, lifetime=timedelta(seconds=3))
    token, _ = soon.mint(match_id=match.match_id, game=match.game, seat=1, generation=0)
    stream = subscribe(stack.player(token), match.match_id)
    assert (await stream.read()).WhichOneof("update") == "snapshot"
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await stream.read()
    assert Refusal.of(ended.value).reason == "TOKEN_EXPIRED"

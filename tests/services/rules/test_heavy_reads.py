"""Turns for reads that are much work: bounded for each caller and in all, fair between callers, and never lost."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any
from uuid import UUID, uuid4

import grpc
import pytest
from rules_stack import Player, Refusal, Stack

from engine.kernel.seats import Seat
from foldtable.matches.v1 import bots_pb2, history_pb2, match_pb2, match_service_pb2
from services.identity.callers import InviteCaller, SeatCaller, TenantCaller
from services.rpc.refusals import Refused
from services.rules.api import heavy_reads
from services.rules.api.heavy_reads import HeavyBounds, HeavyReads, turn_of


class Scene:
    """Callers who take turns, and the order in which they got them."""

    def __init__(self, **bounds: float) -> None:
        self.reads = HeavyReads(HeavyBounds(**{"wait_seconds": 30, **bounds}))  # type: ignore[arg-type]
        self.order: list[str] = []
        self.now: list[str] = []
        self.most = 0
        self.most_of_one = 0

    async def read(self, who: str, *, begun: bool = False) -> None:
        async with self.reads.turn(who, begun=begun):
            self.order.append(who)
            self.now.append(who)
            self.most = max(self.most, len(self.now))
            self.most_of_one = max(self.most_of_one, self.now.count(who))
            await asyncio.sleep(0.001)
            self.now.remove(who)


async def refusal(reads: HeavyReads, who: str) -> str:
    with pytest.raises(Refused) as refused:
        async with reads.turn(who):
            pass
    assert refused.value.retry_after
    return str(refused.value.reason)


async def test_there_are_so_many_at_once_and_one_of_a_caller() -> None:
    scene = Scene(at_once=2)
    await asyncio.gather(*(scene.read(who) for who in "aabbccddaabbccdd"))
    assert (len(scene.order), scene.most, scene.most_of_one) == (16, 2, 1)


async def test_who_asks_once_does_not_wait_for_who_asks_fifty_times() -> None:
    scene = Scene(at_once=1)
    async with scene.reads.turn("b"):
        many = [asyncio.create_task(scene.read("a")) for _ in range(50)]
        await asyncio.sleep(0)
        others = [asyncio.create_task(scene.read(who)) for who in "cd"]
        await asyncio.sleep(0)
    await asyncio.gather(*many, *others)
    assert scene.order[:3] == ["a", "c", "d"]
    assert scene.order[3:] == ["a"] * 49


async def test_a_read_that_goes_on_comes_before_those_that_have_not_begun() -> None:
    scene = Scene(at_once=1)
    async with scene.reads.turn("a"):
        waiting = [asyncio.create_task(scene.read("a")) for _ in range(3)]
        await asyncio.sleep(0)
        goes_on = asyncio.create_task(scene.read("a", begun=True))
        await asyncio.sleep(0)
    await goes_on
    assert scene.order == ["a"]
    await asyncio.gather(*waiting)


async def test_the_refusal_after_a_long_wait_says_whose_fault_it_is() -> None:
    reads = HeavyReads(HeavyBounds(at_once=1, wait_seconds=0.01))
    async with reads.turn("a"):
        assert await refusal(reads, "a") == "RATE_LIMITED"
        assert await refusal(reads, "b") == "SERVER_BUSY"
        assert [await refusal(reads, "b") for _ in range(3)] == ["SERVER_BUSY"] * 3
    assert reads.waiting == 0
    async with reads.turn("b"):
        pass


async def test_no_more_wait_than_may_and_the_others_are_refused_at_once() -> None:
    reads = HeavyReads(HeavyBounds(at_once=1, waiting=3, waiting_of_caller=2, wait_seconds=30))
    async with reads.turn("x"), asyncio.TaskGroup() as tasks:
        waiting = [tasks.create_task(_hold(reads, who)) for who in "aab"]
        await asyncio.sleep(0)
        assert reads.waiting == 3
        assert await refusal(reads, "a") == "RATE_LIMITED"
        assert await refusal(reads, "c") == "SERVER_BUSY"
        for task in waiting:
            task.cancel()
    assert reads.waiting == 0


async def _hold(reads: HeavyReads, who: str) -> None:
    async with reads.turn(who):
        await asyncio.sleep(0)


async def test_who_goes_away_while_waiting_or_at_the_moment_of_the_turn_takes_none_along() -> None:
    reads = HeavyReads(HeavyBounds(at_once=1, wait_seconds=30))
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(reads.turn("x"))
        waiting = [asyncio.create_task(_hold(reads, who)) for who in "abc"]
        await asyncio.sleep(0)
        waiting[1].cancel()
        await asyncio.sleep(0)
        await stack.aclose()  # `a` is given the turn
        waiting[0].cancel()  # before it could take it
    await asyncio.gather(*waiting, return_exceptions=True)
    assert [task.cancelled() for task in waiting] == [True, True, False]
    async with reads.turn("d"):
        pass
    assert reads.waiting == 0


def test_a_tenant_has_its_turns_with_all_its_keys_and_a_token_those_of_its_account() -> None:
    keys = [TenantCaller("acme", frozenset(), UUID(int=number)) for number in (1, 2)]
    assert {turn_of(key) for key in keys} == {"tenant/acme"}
    assert turn_of(SeatCaller(UUID(int=3), Seat(0), 0, "the/account")) == "the/account"
    assert turn_of(InviteCaller(UUID(int=3), Seat(0), 0)) not in {"", "tenant/acme"}


HEAVY: dict[str, Any] = {
    "ReplayMatch": lambda match_id: history_pb2.ReplayMatchRequest(match_id=match_id),
    "ExportMatch": lambda match_id: match_service_pb2.ExportMatchRequest(match_id=match_id),
    "VerifyMatch": lambda match_id: match_service_pb2.VerifyMatchRequest(match_id=match_id),
    "GetView": lambda match_id: match_service_pb2.GetViewRequest(match_id=match_id, at_version=2),
    "ListMoves": lambda match_id: match_service_pb2.ListMovesRequest(match_id=match_id, page_size=1_000),
    "Determinize": lambda match_id: bots_pb2.DeterminizeRequest(match_id=match_id, count=1, at_version=2),
}


async def answer(player: Player, method: str, match_id: str) -> str:
    call = getattr(player.matches, method)(HEAVY[method](match_id), metadata=player.metadata, timeout=60)
    try:
        if method == "ReplayMatch":
            return "OK" if [part async for part in call] else "nothing"
        await call
    except grpc.aio.AioRpcError as error:
        return Refusal.of(error).reason
    return "OK"


@pytest.mark.parametrize("method", HEAVY)
async def test_whoever_calls_over_grpc_waits_or_is_refused_and_others_are_served(
    stack: Stack, tenant: Player, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread does what was asked for, one of a caller's at a time; a view that is at hand costs no turn."""
    monkeypatch.setattr(heavy_reads, "HeavyBounds", lambda: HeavyBounds(waiting_of_caller=4))
    address = await stack.serve()
    one, other = (stack.player(key, address=address) for key in ("ft_test_one", "ft_test_two"))
    (mine, theirs) = [(await player.create(2)).match.match_id for player in (one, other)]
    for player, match_id in ((one, mine), (other, theirs)):
        for seat in (0, 1):
            await player.any_move(match_id, seat)
    many = [asyncio.create_task(answer(one, method, mine)) for _ in range(24)]
    assert await answer(other, method, theirs) == "OK"
    answers = await asyncio.gather(*many)
    assert set(answers) <= {"OK", "RATE_LIMITED"}
    assert "OK" in answers
    if method != "GetView":
        assert "RATE_LIMITED" in answers
    assert await answer(one, method, mine) == "OK", "no turn is lost"


async def test_a_reader_who_is_slow_holds_no_turn(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    slow = tenant.matches.ReplayMatch(
        history_pb2.ReplayMatchRequest(match_id=match_id), metadata=tenant.metadata, timeout=60
    )
    assert (await slow.read()).WhichOneof("part") == "begun"
    assert [await answer(tenant, method, match_id) for method in ("ReplayMatch", "VerifyMatch")] == ["OK"] * 2
    slow.cancel()


async def test_whether_a_server_has_a_match_at_hand_is_told_to_nobody_who_may_not_read_it(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is at hand costs no turn; a match of others' takes one, as a match that is unknown does."""
    turns: list[str] = []
    turn = HeavyReads.turn

    def counted(self: HeavyReads, who: str, **more: Any) -> Any:
        turns.append(who)
        return turn(self, who, **more)

    monkeypatch.setattr(HeavyReads, "turn", counted)
    one, other = stack.player("ft_test_one"), stack.player("ft_test_two")
    mine = await one.create(2, visibility=match_pb2.MATCH_VISIBILITY_PRIVATE)
    theirs = await other.create(2)
    match_id = mine.match.match_id

    async def read(player: Player, wanted: str) -> tuple[str, int]:
        before = len(turns)
        request = match_service_pb2.GetViewRequest(match_id=wanted, at_version=1)
        try:
            await player.call("GetView", request)
        except grpc.aio.AioRpcError as error:
            return Refusal.of(error).reason, len(turns) - before
        return "OK", len(turns) - before

    seat = stack.player(mine.tokens[0].token)
    assert [await read(player, match_id) for player in (one, seat)] == [("OK", 0)] * 2
    for stranger in (other, stack.player(theirs.tokens[0].token), stack.player(None)):
        told, unknown = await read(stranger, match_id), await read(stranger, str(uuid4()))
        assert told[0] != "OK"
        assert told[1] == unknown[1] == 1

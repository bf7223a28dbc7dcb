"""Many moves over one stream: each call is answered once, by its id, and one failure harms no other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program

from foldtable.matches.v1 import play_pb2
from services.rpc.drain import Drain
from services.rules.streams.play_stream import BEGUN_AT_ONCE, play


async def replies_to(stream: Any, count: int) -> dict[int, play_pb2.PlayReply]:
    replies: dict[int, play_pb2.PlayReply] = {}
    while len(replies) < count:
        response = await stream.read()
        replies |= {reply.call_id: reply for reply in response.replies}
    return replies


async def test_calls_that_travel_together_are_answered_by_their_ids(stack: Stack, tenant: Player) -> None:
    created = [await tenant.create(2) for _ in range(8)]
    stream = tenant.matches.Play(timeout=20)
    calls = [
        play_pb2.PlayCall(
            call_id=number,
            authorization=f"Bearer {one.tokens[0].token}",
            act=act(one.match.match_id, program(*FIVE_CARDS), 1),
        )
        for number, one in enumerate(created)
    ]
    await stream.write(play_pb2.PlayRequest(calls=calls))
    replies = await replies_to(stream, 8)
    assert {number: reply.accepted.match_id for number, reply in replies.items()} == {
        number: one.match.match_id for number, one in enumerate(created)
    }
    await stream.done_writing()
    assert await stream.read() is grpc.aio.EOF


async def test_a_refused_call_carries_its_whole_status_and_the_others_go_on(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    stream = tenant.matches.Play(metadata=tenant.metadata, timeout=20)
    six = program("stone1", "stone2", "plank1", "plank2", "move1", "jump")
    bodies = [act(match_id, six, 1, seat=0), act(match_id, program(*FIVE_CARDS), 1, seat=1), act("?", {}, 1)]
    await stream.write(
        play_pb2.PlayRequest(calls=[play_pb2.PlayCall(call_id=n, act=body) for n, body in enumerate(bodies)])
    )
    replies = await replies_to(stream, 3)
    refusal = Refusal.of_status(replies[0].refused, grpc.StatusCode.FAILED_PRECONDITION)
    assert refusal.standing is not None
    assert refusal.standing.templates.json
    assert replies[1].accepted.version == 2
    assert Refusal.of_status(replies[2].refused, grpc.StatusCode.NOT_FOUND).reason == "MATCH_NOT_FOUND"
    stream.cancel()


async def test_an_open_call_is_answered_before_the_stream_is_drained(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    stream = tenant.matches.Play(metadata=tenant.metadata, timeout=20)
    call = play_pb2.PlayCall(call_id=7, act=act(match_id, program(*FIVE_CARDS), 1, seat=0))
    await stream.write(play_pb2.PlayRequest(calls=[call]))
    assert 7 in await replies_to(stream, 1)
    stopping = asyncio.create_task(stack.servers[0].stop())
    assert await asyncio.wait_for(stream.read(), 5) is grpc.aio.EOF
    await asyncio.wait_for(stopping, 5)


async def one_message(calls: int) -> AsyncIterator[play_pb2.PlayRequest]:
    yield play_pb2.PlayRequest(calls=[play_pb2.PlayCall(call_id=number) for number in range(calls)])
    await asyncio.Event().wait()


async def turns(count: int = 50) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


class Endless:
    """Makes no move until it is cancelled."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.cancelled: list[int] = []

    async def act(self, call: play_pb2.PlayCall) -> play_pb2.ActResponse:
        self.begun.append(call.call_id)
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled.append(call.call_id)
        raise AssertionError("it goes on for ever")


async def test_calls_under_way_are_cancelled_when_the_stream_ends() -> None:
    moves = Endless()
    reading = asyncio.create_task(anext(play(one_message(3), moves, Drain())))  # type: ignore[arg-type]
    await turns()
    assert (moves.begun, moves.cancelled) == ([0, 1, 2], [])
    reading.cancel()
    await turns()
    assert sorted(moves.cancelled) == [0, 1, 2]


async def test_others_get_their_turn_while_a_large_message_is_judged() -> None:
    """So the commit of the first moves begins while the next ones are judged."""
    judged: list[str] = []

    async def commit() -> None:
        judged.append("commit")

    class Judging:
        async def act(self, call: play_pb2.PlayCall) -> play_pb2.ActResponse:
            if call.call_id == 0:
                self.committing = asyncio.create_task(commit())
            judged.append("move")
            return play_pb2.ActResponse()

    number = 5 * BEGUN_AT_ONCE
    stream = play(one_message(number), Judging(), Drain())
    answered = 0
    while answered < number:
        answered += len((await anext(stream)).replies)
    assert judged.index("commit") <= 2 * BEGUN_AT_ONCE
    assert judged.count("move") == number
    await stream.aclose()  # type: ignore[attr-defined]

"""Many moves over one stream: each call is answered once, by its id, and one failure harms no other."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
from rules_stack import FIVE_CARDS, Player, Refusal, Stack, act, program

from foldtable.matches.v1 import play_pb2


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

"""Many moves over one stream: batches, answers in any order, deadlines, breaks, bounds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest

from foldtable.matches.v1 import play_pb2
from foldtable.matches.v1.match_service_pb2_grpc import MatchServiceStub
from foldtable.rules.v1.payload_pb2 import Payload
from gateway.problems.document import ProblemError
from gateway.upstream.play import PlayStream, PlayStreams
from gateway.upstream.rules import RulesServer
from tests.gateway.small_server import SmallServer

MAX_OPEN = 100


@pytest.fixture
async def play(server: SmallServer) -> AsyncIterator[PlayStreams]:
    client = RulesServer(f"127.0.0.1:{server.port}", max_open_moves=MAX_OPEN)
    yield client.play
    await client.close()


async def move(
    play: PlayStreams, text: str, version: int = 1, *, request_id: str = "", seconds: float = 20
) -> play_pb2.PlayReply:
    act = play_pb2.ActRequest(
        match_id=text, action=Payload(json=text.encode()), expected_version=version, request_id=request_id
    )
    return await play.act(act, "Bearer ft_test_key", seconds=seconds)


async def test_a_move_gets_its_answer(play: PlayStreams) -> None:
    reply = await move(play, "e4", version=7)
    assert (reply.accepted.match_id, reply.accepted.version) == ("e4", 8)


async def test_moves_that_wait_together_travel_together_and_each_gets_its_own_answer(
    play: PlayStreams, server: SmallServer
) -> None:
    """The server answers in reverse order; the ids put that right."""
    await move(play, "first")
    replies = await asyncio.gather(*(move(play, f"m{number}", version=number) for number in range(20)))
    assert [reply.accepted.match_id for reply in replies] == [f"m{number}" for number in range(20)]
    assert [len(message) for message in server.messages] == [1, 20]
    assert server.streams == 1


async def test_a_message_holds_at_most_64_moves(play: PlayStreams, server: SmallServer) -> None:
    await move(play, "first")
    await asyncio.gather(*(move(play, f"m{number}") for number in range(90)))
    assert max(map(len, server.messages)) <= 64
    assert sum(map(len, server.messages)) == 91


async def test_a_message_holds_no_more_than_a_megabyte_so_that_nobodys_moves_end_the_stream_of_all(
    play: PlayStreams, server: SmallServer
) -> None:
    await move(play, "first")
    replies = await asyncio.gather(
        *(move(play, f"{number:02}" + "x" * 60_000, seconds=20) for number in range(64))
    )
    assert [reply.accepted.match_id[:2] for reply in replies] == [f"{number:02}" for number in range(64)]
    assert server.streams == 1
    assert max(map(len, server.messages)) == 1024 * 1024 // 120_100, (
        "a match's name and its move, of 60,000 bytes each"
    )


async def test_moves_gather_while_the_answers_are_held_back(play: PlayStreams, server: SmallServer) -> None:
    server.open_gate.clear()
    moves = [asyncio.create_task(move(play, f"m{number}")) for number in range(3)]
    await asyncio.sleep(0.05)
    assert not any(task.done() for task in moves)
    server.open_gate.set()
    assert all(reply.HasField("accepted") for reply in await asyncio.gather(*moves))


async def test_a_refusal_comes_back_as_it_is(play: PlayStreams, server: SmallServer) -> None:
    server.refuse = True
    reply = await move(play, "no")
    assert reply.refused.message == "no"


async def test_a_move_without_an_answer_times_out_and_the_next_one_is_not_disturbed(
    play: PlayStreams, server: SmallServer
) -> None:
    server.silent = True
    with pytest.raises(ProblemError) as timed_out:
        await move(play, "lost", seconds=0.1)
    assert timed_out.value.reason.name == "RULES_TIMEOUT"
    server.silent = False
    assert (await move(play, "next")).accepted.match_id == "next"
    assert server.streams == 1


async def test_a_move_with_a_request_id_survives_a_broken_stream_and_is_made_once(
    play: PlayStreams, server: SmallServer
) -> None:
    server.break_after_reading = 1
    reply = await move(play, "e4", request_id="one")
    assert reply.accepted.replayed
    assert server.played == ["e4"]
    assert server.streams == 2


async def test_a_move_without_a_request_id_is_never_sent_twice(
    play: PlayStreams, server: SmallServer
) -> None:
    """It may have been made: only the caller may decide to try again."""
    server.break_after_reading = 1
    with pytest.raises(ProblemError) as broken:
        await move(play, "e4")
    assert broken.value.reason.name == "RULES_UNAVAILABLE"
    assert server.played == ["e4"]


async def test_a_move_is_tried_again_only_once(play: PlayStreams, server: SmallServer) -> None:
    server.break_after_reading = 5
    with pytest.raises(ProblemError) as broken:
        await move(play, "e4", request_id="one")
    assert broken.value.reason.name == "RULES_UNAVAILABLE"
    assert server.streams == 2


async def test_a_server_that_is_down_is_told_quickly_and_found_again_when_it_is_back(
    play: PlayStreams, server: SmallServer
) -> None:
    await move(play, "before")
    await server.stop()
    loop = asyncio.get_running_loop()
    begun = loop.time()
    with pytest.raises(ProblemError) as down:
        await move(play, "meanwhile")
    assert down.value.reason.name == "RULES_UNAVAILABLE"
    assert loop.time() - begun < 1
    await server.start()
    for _ in range(30):
        try:
            reply = await move(play, "after")
        except ProblemError:
            await asyncio.sleep(0.1)
        else:
            break
    assert reply.accepted.match_id == "after"
    assert server.played == ["before", "after"], "what could not be sent was not sent later either"


async def test_one_move_too_many_is_refused_without_waiting(play: PlayStreams, server: SmallServer) -> None:
    server.silent = True
    waiting = [asyncio.create_task(move(play, f"m{number}", seconds=0.5)) for number in range(MAX_OPEN)]
    await asyncio.sleep(0.05)
    with pytest.raises(ProblemError) as full:
        await move(play, "one too many")
    assert full.value.reason.name == "RULES_UNAVAILABLE"
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert {result.reason.name for result in results if isinstance(result, ProblemError)} == {"RULES_TIMEOUT"}
    server.silent = False
    assert (await move(play, "room again")).HasField("accepted")


async def test_a_move_that_never_left_may_go_again_without_a_request_id(server: SmallServer) -> None:
    """The first stream finds nobody, so nothing was sent; the second one does."""
    async with grpc.aio.insecure_channel("127.0.0.1:1") as nobody, channel_to(server) as somebody:
        stubs = iter((MatchServiceStub(nobody), MatchServiceStub(somebody)))
        play = PlayStream(lambda: next(stubs).Play(), address="", max_open_calls=MAX_OPEN)
        assert (await move(play, "e4")).accepted.match_id == "e4"
        await play.close()
    assert server.played == ["e4"]


async def test_a_move_that_was_given_up_before_it_was_sent_is_never_sent(server: SmallServer) -> None:
    """Both wait for a server that starts later; whoever asked for the first is gone by then."""
    await server.stop()
    async with channel_to(server) as channel:
        stub = MatchServiceStub(channel)
        play = PlayStream(lambda: stub.Play(wait_for_ready=True), address="", max_open_calls=MAX_OPEN)
        given_up = asyncio.create_task(move(play, "given up"))
        await asyncio.sleep(0.05)
        given_up.cancel()
        meant = asyncio.create_task(move(play, "meant", seconds=10))
        await asyncio.sleep(0.05)
        await server.start()
        await meant
        await play.close()
    assert server.played == ["meant"]


def channel_to(server: SmallServer) -> grpc.aio.Channel:
    return grpc.aio.insecure_channel(
        f"127.0.0.1:{server.port}", options=(("grpc.initial_reconnect_backoff_ms", 100),)
    )


async def test_closing_answers_whoever_still_waits(server: SmallServer) -> None:
    server.silent = True
    client = RulesServer(f"127.0.0.1:{server.port}", max_open_moves=MAX_OPEN)
    task = asyncio.create_task(move(client.play, "open"))
    await asyncio.sleep(0.1)
    await client.close()
    with pytest.raises(ProblemError) as closed:
        await task
    assert closed.value.reason.name == "RULES_UNAVAILABLE"


async def test_a_mistake_of_ours_is_not_the_end_of_all_moves(
    server: SmallServer, play: PlayStreams, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_one, opened = PlayStream._keep_one, 0

    async def failing_once(stream: PlayStream) -> None:
        nonlocal opened
        opened += 1
        if opened == 1:
            raise LookupError
        await keep_one(stream)

    monkeypatch.setattr(PlayStream, "_keep_one", failing_once)
    assert (await move(play, "e4", version=7)).accepted.version == 8

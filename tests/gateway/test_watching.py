"""Following a match over a rules server's restarts, drains and silences."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing

import grpc
import pytest

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.match_service_pb2 import WatchMatchRequest, WatchMatchResponse
from gateway.auth import Caller
from gateway.clients import RulesServers
from gateway.directory import Directory
from gateway.problem_documents import ProblemError
from gateway.tracing import Trace
from gateway.watching import MatchWatch
from tests.gateway.small_server import SmallServer

MakeWatch = Callable[..., MatchWatch]


@pytest.fixture
async def watch(server: SmallServer) -> AsyncIterator[MakeWatch]:
    servers = RulesServers({"harbour": f"127.0.0.1:{server.port}"}, max_open_moves=1)

    def make(after: int | None = None) -> MatchWatch:
        return MatchWatch(
            servers.of_game("harbour"),
            Directory(servers, seconds=2),
            WatchMatchRequest(match_id="m", after_version=after),
            Caller("Bearer ft_test_key", None),
            Trace(None, None, "01"),
        )

    yield make
    await servers.close()


def version_of(update: WatchMatchResponse) -> int:
    return update.move.version or update.snapshot.version


async def test_updates_come_until_the_match_has_ended(server: SmallServer, watch: MakeWatch) -> None:
    server.moves = 3
    server.status = match_pb2.MATCH_STATUS_ENDED
    following = watch(0)
    await following.begin(seconds=2)
    assert [version_of(update) async for update in following.updates()] == [1, 2, 3]
    assert server.watched_after == [0]


async def test_a_server_that_stops_is_not_the_end_of_the_match(server: SmallServer, watch: MakeWatch) -> None:
    """It closes the stream without an error, as at the end; the match itself says what is true."""
    server.moves = 2
    server.watch_ends = True
    following = watch(0)
    await following.begin(seconds=2)
    told = []
    async with aclosing(following.updates()) as updates:
        async for update in updates:
            told.append(version_of(update))
            if told == [1, 2]:
                server.moves = 4
            if told == [1, 2, 3, 4]:
                break
    assert server.watched_after == [0, 2], "it went on where it was"


async def test_a_broken_call_is_resumed_without_a_gap(server: SmallServer, watch: MakeWatch) -> None:
    server.moves = 2
    following = watch(0)
    await following.begin(seconds=2)
    told = []
    async with aclosing(following.updates()) as updates:
        async for update in updates:
            told.append(version_of(update))
            if told == [1, 2]:
                await server.stop()
                server.moves = 3
                await server.start()
            if told == [1, 2, 3]:
                break
    assert server.watched_after == [0, 2]


async def test_a_refusal_comes_before_the_first_update(server: SmallServer, watch: MakeWatch) -> None:
    server.watch_refusal = grpc.StatusCode.PERMISSION_DENIED
    with pytest.raises(ProblemError) as refused:
        await watch(0).begin(seconds=2)
    assert refused.value.status == 403


async def test_a_token_that_expires_ends_the_stream_at_the_next_restart(
    server: SmallServer, watch: MakeWatch
) -> None:
    server.moves = 1
    following = watch(0)
    await following.begin(seconds=2)

    async def follow() -> None:
        async for _ in following.updates():
            server.watch_refusal = grpc.StatusCode.UNAUTHENTICATED
            await server.stop()
            await server.start()

    with pytest.raises(ProblemError) as expired:
        await follow()
    assert expired.value.status == 401


async def test_a_server_that_stays_away_is_given_up(
    server: SmallServer, watch: MakeWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.watching.PATIENCE_SECONDS", 0.5)
    server.moves = 1
    following = watch(0)
    await following.begin(seconds=2)

    async def follow() -> None:
        async for _ in following.updates():
            await server.stop()

    with pytest.raises(ProblemError) as gone:
        await follow()
    assert gone.value.reason.name == "RULES_UNAVAILABLE"


async def test_a_server_that_says_nothing_is_not_waited_for_for_ever(
    server: SmallServer, watch: MakeWatch
) -> None:
    server.watch_silent = True
    with pytest.raises(ProblemError) as silent:
        await watch(0).begin(seconds=0.1)
    assert silent.value.reason.name == "RULES_TIMEOUT"


async def test_a_follower_who_goes_away_ends_the_call_at_the_rules_server(
    server: SmallServer, watch: MakeWatch
) -> None:
    server.moves = 1
    following = watch(0)
    await following.begin(seconds=2)
    async with aclosing(following.updates()) as updates:
        await anext(updates)
        assert not server.nobody_watches.is_set()
    async with asyncio.timeout(2):
        await server.nobody_watches.wait()


async def test_a_slow_reader_slows_the_server_and_fills_no_memory_here(
    server: SmallServer, watch: MakeWatch
) -> None:
    """400 updates of 256 KiB wait for a reader who takes two: HTTP/2 flow control holds the rest back."""
    server.moves = 400
    server.update_bytes = 256 * 1024
    following = watch(0)
    await following.begin(seconds=2)
    async with aclosing(following.updates()) as updates:
        await anext(updates)
        await anext(updates)
        await asyncio.sleep(0.5)
        assert server.updates_sent < 100

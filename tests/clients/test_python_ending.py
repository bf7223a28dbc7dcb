"""A call of the Python client ends from outside, whatever it waits for; how fast, `make bench B=ending` says."""

from __future__ import annotations

import asyncio
import os
import threading
from contextlib import aclosing
from typing import Any

import httpx
import pytest

from foldtable_client import AsyncClient, Client, Closed, FoldtableError, Stop, Stopped
from tests.support.client_programs import printed_by
from tests.support.ended_calls import PATIENT_SECONDS, RAISED, SETTLE_SECONDS, WAYS, Way, ended, states
from tests.support.running_system import System
from tests.support.silent_server import silent_server

MATCH = "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11"


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_call_ends_in_everything_it_can_wait_for(system: System, way: Way) -> None:
    """With its connection: the server hears of it."""
    with states(system.address, system.key) as every:
        ends = [ended(state, way) for state in every]
    assert [(one.state, type(one.raised)) for one in ends] == [(one.state, RAISED[way]) for one in ends]
    assert [one.state for one in ends if not one.closed] == []
    assert len(ends) == 12


def test_a_closed_client_says_so_and_sends_nothing() -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"games": []})

    client = Client("http://table.test", transport=httpx.MockTransport(answer))
    client.close()
    client.close()
    for call in (client.games, client.credential, lambda: next(client.follow(MATCH))):
        with pytest.raises(Closed):
            call()
    with pytest.raises(Closed):
        client.players.session("ada")
    assert asked == []


def test_a_stop_ends_the_calls_made_under_it_and_no_others() -> None:
    with silent_server() as server, Client(server.address("silent")) as client:
        one, other = Stop(), Stop()
        told: dict[str, FoldtableError] = {}

        def ask(name: str, asking: Client) -> None:
            try:
                asking.games()
            except FoldtableError as raised:
                told[name] = raised

        threads = {
            name: threading.Thread(target=ask, args=(name, asking), daemon=True)
            for name, asking in (("one", client.until(one)), ("other", client.until(other)), ("none", client))
        }
        for thread in threads.values():
            thread.start()
        threads["one"].join(SETTLE_SECONDS)
        one.set()
        threads["one"].join(PATIENT_SECONDS)
        assert {name: type(raised) for name, raised in told.items()} == {"one": Stopped}
        with pytest.raises(Stopped):
            client.until(one).games()
        client.close()
        for thread in threads.values():
            thread.join(PATIENT_SECONDS)
        assert {name: type(raised) for name, raised in told.items()} == {
            "one": Stopped,
            "other": Closed,
            "none": Closed,
        }


def test_under_a_stop_that_is_set_nothing_is_sent_until_it_is_cleared() -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"games": []})

    stop = Stop()
    with Client("http://table.test", transport=httpx.MockTransport(answer)) as client:
        stop.set()
        for _ in range(50):  # no race is won by chance so often
            with pytest.raises(Stopped):
                client.until(stop).games()
        assert asked == []
        stop.clear()
        assert client.until(stop).games() == []


@pytest.mark.parametrize(
    "error", [SystemExit(3), StopIteration(), ValueError("mine"), TimeoutError(), KeyError()]
)
def test_what_a_callback_raises_arrives_as_it_is(error: BaseException) -> None:
    """Whatever it is; and the client goes on."""
    table = {"match": {"status": "running"}, "legal": {}, "version": 1, "audience": {"kind": "seat"}}
    answer = httpx.MockTransport(lambda _: httpx.Response(200, json=table))

    def choose(_: Any) -> Any:
        raise error

    with Client("http://table.test", transport=answer) as client:
        with pytest.raises(type(error)) as raised:
            client.play(MATCH, choose)
        assert raised.value is error
        assert client.table(MATCH) == table


def test_what_iterates_is_over_when_its_generator_is_closed() -> None:
    with silent_server() as server, Client(server.address("half")) as client:
        stop = Stop()
        replay = client.until(stop).replay(MATCH)
        threading.Timer(SETTLE_SECONDS, stop.set).start()
        with pytest.raises(Stopped):
            next(replay)
        assert server.left.wait(PATIENT_SECONDS)
        with pytest.raises(StopIteration):
            next(replay)


def test_ctrl_c_ends_the_call_with_its_connection() -> None:
    """In a program of its own, since a test's own thread is not to be interrupted."""
    program = (
        "import os, signal, sys, threading\n"
        "from asyncio import all_tasks\n"
        "from foldtable_client import Client\n"
        "from foldtable_client.background import background\n"
        "client = Client(sys.argv[1])\n"
        "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    client.games()\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', len(all_tasks(background().loop)))\n"
    )
    with silent_server() as server:
        assert printed_by(program, server.address("silent")) == "interrupted 0\n"
        assert server.left.wait(PATIENT_SECONDS)


def test_a_program_ends_although_a_call_still_waits() -> None:
    program = (
        "import sys, threading, time\n"
        "from foldtable_client import Client\n"
        "client = Client(sys.argv[1])\n"
        "threading.Thread(target=client.games, daemon=True).start()\n"
        "kept = client.replay('0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11')\n"
        "threading.Thread(target=lambda: next(kept), daemon=True).start()\n"
        "time.sleep(0.5)\n"
        "print('over')\n"
    )
    with silent_server() as server:
        assert printed_by(program, server.address("half")) == "over\n"


def test_a_call_at_the_very_end_of_a_program_is_refused() -> None:
    """Nobody would do what it waits for."""
    program = (
        "import atexit, sys\n"
        "def late():\n"
        "    try:\n"
        "        client.games()\n"
        "    except Closed as closed:\n"
        "        print(closed)\n"
        "atexit.register(late)\n"
        "from foldtable_client import Client, Closed\n"
        "client = Client(sys.argv[1])\n"
    )
    with silent_server() as server:
        assert printed_by(program, server.address("silent")) == "the program is ending\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_opens_connections_of_its_own() -> None:
    program = (
        "import os, sys\n"
        "from foldtable_client import Client, ProblemError\n"
        "client = Client(sys.argv[1], retry_for=0)\n"
        "def ask():\n"
        "    try:\n"
        "        client.games()\n"
        "    except Exception as refused:\n"
        "        print(type(refused).__name__, flush=True)\n"
        "ask()\n"
        "child = os.fork()\n"
        "ask()\n"
        "if child:\n"
        "    os.waitpid(child, 0)\n"
    )
    with silent_server() as server:
        address = server.address("later")
        # From Python 3.12 on, forking a process that has threads warns of locks they may hold; none of ours is used by the child.
        assert printed_by(program, address, "-W", "ignore::DeprecationWarning") == "Unreachable\n" * 3


# ── asyncio ────────────────────────────────────────────────────────────────────────────────────────


async def test_closing_ends_a_callback_that_calls_the_client_itself() -> None:
    """Both wait, one inside of the other; the outer one says why it ended."""
    with silent_server() as server:
        table = {"match": {"status": "running"}, "legal": {}, "version": 1, "audience": {"kind": "seat"}}
        reads: list[httpx.Request] = []
        real = httpx.AsyncHTTPTransport()

        async def answer(request: httpx.Request) -> httpx.Response:
            reads.append(request)
            if request.url.path.endswith("/table"):
                return httpx.Response(200, json=table)
            return await real.handle_async_request(request)

        class Mixed(httpx.AsyncBaseTransport):
            async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
                return await answer(request)

            async def aclose(self) -> None:
                await real.aclose()

        client = AsyncClient(server.address("silent"), transport=Mixed())

        async def choose(_: Any) -> Any:
            await client.games()

        playing = asyncio.create_task(client.play(MATCH, choose))
        await asyncio.sleep(SETTLE_SECONDS)
        await client.aclose()
        with pytest.raises(Closed):
            await asyncio.wait_for(playing, PATIENT_SECONDS)
        assert [request.url.path.rpartition("/")[2] for request in reads] == ["table", "games"]


async def test_a_callback_that_closes_its_own_client_ends_and_leaves_no_connection() -> None:
    """Closing ends the callback, too, that waits for it; it goes on without it."""
    table = {"match": {"status": "running"}, "legal": {}, "version": 1, "audience": {"kind": "seat"}}
    closed = asyncio.Event()
    past = list[str]()

    class Slow(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            return httpx.Response(200, json=table)

        async def aclose(self) -> None:
            await asyncio.sleep(SETTLE_SECONDS)
            closed.set()

    client = AsyncClient("http://table.test", transport=Slow())

    async def choose(_: Any) -> Any:
        await client.aclose()
        past.append("closing")

    with pytest.raises(Closed):
        await asyncio.wait_for(client.play(MATCH, choose), PATIENT_SECONDS)
    await asyncio.wait_for(client.aclose(), PATIENT_SECONDS)
    assert closed.is_set(), "a second call waits for what the first began"
    assert past == []
    with pytest.raises(Closed):
        await client.games()


async def test_a_time_out_of_the_caller_s_own_stays_its_own() -> None:
    with silent_server() as server:
        async with AsyncClient(server.address("silent")) as client:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(SETTLE_SECONDS):
                    await client.games()

            async def choose(_: Any) -> Any:
                raise TimeoutError("mine")

            with pytest.raises(TimeoutError, match="mine"):
                async with client._sender.waiting():
                    await choose(None)


async def test_a_stream_that_is_let_go_is_closed() -> None:
    closed: list[bool] = []

    class Endless(httpx.AsyncByteStream):
        async def __aiter__(self) -> Any:
            yield b'id: 1\nevent: snapshot\ndata: {"version":1,"view":{}}\n\n'
            await asyncio.sleep(PATIENT_SECONDS)

        async def aclose(self) -> None:
            closed.append(True)

    answer = httpx.MockTransport(lambda _: httpx.Response(200, stream=Endless()))
    async with AsyncClient("http://table.test", transport=answer) as client:
        async with aclosing(client.follow(MATCH)) as events:
            async for event in events:
                assert event.version == 1
                break
        assert closed == [True]

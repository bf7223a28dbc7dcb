"""The loop that blocking clients share, and its thread: what runs there by chance, and what is left behind there."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator

import httpx
import pytest

from foldtable_client import Client, Stop, Stopped, Unreachable
from foldtable_client.own_threads import in_own_thread
from tests.support.client_programs import printed_by
from tests.support.ended_calls import PATIENT_SECONDS, SETTLE_SECONDS
from tests.support.silent_server import silent_server


def test_closing_in_the_thread_that_does_the_work_waits_for_nothing() -> None:
    """The collector of garbage may run there, and with it whatever closes a client when it is forgotten."""
    program = (
        "import sys, threading\n"
        "from foldtable_client import Client, Closed, Unreachable\n"
        "from foldtable_client.background import background\n"
        "client = Client(sys.argv[1])\n"
        "other = Client(sys.argv[1].replace('silent', 'later'), retry_for=0)\n"
        "def ask():\n"
        "    try:\n"
        "        client.games()\n"
        "    except Closed as closed:\n"
        "        print(closed, flush=True)\n"
        "asking = threading.Thread(target=ask, daemon=True)\n"
        "asking.start()\n"
        "asking.join(0.5)\n"
        "background().loop.call_soon_threadsafe(client.close)\n"
        "asking.join()\n"
        "try:\n"
        "    other.games()\n"
        "except Unreachable:\n"
        "    print('others go on')\n"
    )
    with silent_server() as server:
        assert printed_by(program, server.address("silent")) == "this client is closed\nothers go on\n"
        assert server.left.wait(PATIENT_SECONDS)


def test_a_call_in_the_thread_that_does_the_work_is_refused_and_sends_nothing() -> None:
    program = (
        "import sys, threading\n"
        "import httpx\n"
        "from foldtable_client import Client\n"
        "from foldtable_client.background import background\n"
        "asked = []\n"
        "def answer(request):\n"
        "    asked.append(request)\n"
        "    return httpx.Response(200, json={'games': []})\n"
        "client, over = Client(sys.argv[1], transport=httpx.MockTransport(answer)), threading.Event()\n"
        "def ask():\n"
        "    for call in (client.games, lambda: next(client.matches())):\n"
        "        try:\n"
        "            call()\n"
        "        except RuntimeError as refused:\n"
        "            print(refused)\n"
        "    over.set()\n"
        "background().loop.call_soon_threadsafe(ask)\n"
        "over.wait()\n"
        "print(client.games(), len(asked))\n"
    )
    refused = "a blocking client cannot wait in the thread that does its work: the call would never end\n"
    assert printed_by(program, "http://table.test") == f"{refused}{refused}[] 1\n"


def test_the_look_up_of_a_name_keeps_neither_its_call_nor_the_program() -> None:
    """It cannot be interrupted; threads that the interpreter waits for in the end would keep the program for minutes."""
    program = (
        "import socket, sys, threading\n"
        "from foldtable_client import Client, Stop, Stopped\n"
        "looking = threading.Event()\n"
        "def look_up(host, *_, **__):\n"
        "    looking.set()\n"
        "    threading.Event().wait(600)\n"
        "socket.getaddrinfo = look_up\n"
        "stop = Stop()\n"
        "def end():\n"
        "    looking.wait()\n"
        "    stop.set()\n"
        "threading.Thread(target=end).start()\n"
        "with Client(sys.argv[1]) as client:\n"
        "    try:\n"
        "        client.until(stop).games()\n"
        "    except Stopped:\n"
        "        print('stopped')\n"
    )
    assert printed_by(program, "http://table.test") == "stopped\n"


def test_a_name_is_looked_up_and_one_that_is_not_known_is_an_error_of_the_connection() -> None:
    with silent_server() as server:
        address = server.address("later").replace("127.0.0.1", "localhost")
        with Client(address, retry_for=0) as client, pytest.raises(Unreachable, match="503"):
            client.games()
    with (
        Client("http://nowhere.invalid", retry_for=0) as client,
        pytest.raises(Unreachable, match="ConnectError") as unreachable,
    ):
        client.games()
    assert isinstance(unreachable.value.__cause__, httpx.ConnectError)


def test_an_answer_that_a_blocking_transport_gives_too_late_is_closed() -> None:
    """Nobody waits for it any more, so whoever got it has to close it."""
    asked, answering, closed = threading.Event(), threading.Event(), threading.Event()

    class Body(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"{}"

        def close(self) -> None:
            closed.set()

    class Slow(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            asked.set()
            answering.wait()
            return httpx.Response(200, stream=Body())

    stop = Stop()
    with Client("http://table.test", transport=Slow()) as client:
        ending = threading.Thread(target=lambda: (asked.wait(), stop.set()))
        ending.start()
        with pytest.raises(Stopped):
            client.until(stop).games()
        assert not closed.is_set()
        answering.set()
        assert closed.wait(PATIENT_SECONDS)
        ending.join()


async def test_a_result_that_arrives_as_its_waiter_is_cancelled_is_let_go() -> None:
    """Both in one turn of the loop: the result has arrived, and nobody takes it."""
    let_go, done = threading.Event(), threading.Event()

    def work() -> str:
        done.wait()
        return "late"

    waiting = asyncio.create_task(in_own_thread(work, let_go=lambda _: let_go.set()))
    await asyncio.sleep(0)
    done.set()
    time.sleep(SETTLE_SECONDS)  # noqa: ASYNC251 - the loop stands still while the result is brought to it
    asyncio.get_running_loop().call_soon(waiting.cancel)
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await asyncio.to_thread(let_go.wait, PATIENT_SECONDS)


async def test_a_result_that_is_taken_is_not_let_go() -> None:
    let_go: list[str] = []
    assert await in_own_thread(lambda: "taken", let_go=let_go.append) == "taken"
    await asyncio.sleep(SETTLE_SECONDS)
    assert let_go == []

"""The loop that blocking clients share, and its thread: what runs there by chance, and what is left behind there."""

from __future__ import annotations

from tests.support.client_programs import printed_by
from tests.support.ended_calls import PATIENT_SECONDS
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

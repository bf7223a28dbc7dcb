"""Clients that are forgotten, and not closed: their connections are closed with them, and not before."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from foldtable_client import Client, MatchEnded, Stop
from tests.support.client_programs import printed_by
from tests.support.ended_calls import PATIENT_SECONDS, SETTLE_SECONDS

MATCH = "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11"
EVENTS = [
    b'id: 1\nevent: snapshot\ndata: {"version":1,"view":{}}\n\n',
    b'id: 2\nevent: match.ended\ndata: {"version":2,"status":"ended","outcome":null}\n\n',
]


class Kept(ThreadingHTTPServer):
    """Keeps connections, and counts those that are open."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answering)
        self.open = 0
        self.changed = threading.Condition()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def count(self, more: int) -> None:
        with self.changed:
            self.open += more
            self.changed.notify_all()

    def is_left(self, seconds: float) -> bool:
        """Wait until nobody is connected any more."""
        with self.changed:
            return self.changed.wait_for(lambda: self.open == 0, seconds)


class _Answering(BaseHTTPRequestHandler):
    server: Kept
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        self.server.count(+1)
        super().setup()

    def finish(self) -> None:
        super().finish()
        self.server.count(-1)

    def do_GET(self) -> None:
        gc.collect()  # whoever asked is collected now, if nothing refers to it
        self._send(b"".join(EVENTS) if self.path.endswith("/stream") else b'{"games":[]}')

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        gc.collect()
        self._send(b'{"token":"ft_1"}')

    def _send(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Kept]:
    with Kept() as kept:
        threading.Thread(target=kept.serve_forever, args=(0.05,), daemon=True).start()
        yield kept
        kept.shutdown()


def test_a_client_that_is_forgotten_leaves_no_connection_behind(server: Kept) -> None:
    client = Client(server.address)
    until = client.until(Stop())
    assert client.games() == until.games() == []
    assert server.open == 1
    del client
    gc.collect()
    assert not server.is_left(SETTLE_SECONDS), "one of the two that share the connection is still there"
    assert until.games() == []
    del until
    gc.collect()
    assert server.is_left(PATIENT_SECONDS)


def test_what_a_client_was_asked_for_goes_on_without_it(server: Kept) -> None:
    events = Client(server.address).follow(MATCH)
    gc.collect()
    assert [type(event) for event in events][-1] is MatchEnded
    players = Client(server.address).players
    gc.collect()
    assert players.session("ada")["token"] == "ft_1"
    assert Client(server.address).games() == []
    del events, players
    gc.collect()
    assert server.is_left(PATIENT_SECONDS)


def test_a_client_that_is_forgotten_at_the_end_of_a_program_or_in_a_forked_one_says_nothing(
    server: Kept,
) -> None:
    program = (
        "import gc, os, sys\n"
        "from foldtable_client import Client\n"
        "client, kept = Client(sys.argv[1]), Client(sys.argv[1])\n"
        "client.games(), kept.games()\n"
        "child = os.fork() if hasattr(os, 'fork') else 1\n"
        "if not child:\n"
        "    del client\n"
        "    gc.collect()\n"
        "    print(kept.games(), flush=True)\n"
        "    os._exit(0)\n"
        "os.waitpid(child, 0)\n"
        "print(client.games())\n"
    )
    assert printed_by(program, server.address, "-W", "ignore::DeprecationWarning") == "[]\n[]\n"

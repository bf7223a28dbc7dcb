"""A server on a socket that keeps its clients waiting, in each way that a server or a network can. For tests; used by name."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

HALF: Final = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"games": ['
LATER: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 50\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)
ANSWERS: Final = {"silent": b"", "half": HALF, "later": LATER}
"""By the first segment of the path: nothing; the beginning of an answer; that it should be tried again much later."""
SECONDS: Final = 60.0


class SilentServer(socketserver.ThreadingTCPServer):
    """Knows when a request has come, and when the client has closed its connection."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Waiting)
        self.asked = threading.Event()
        self.left = threading.Event()

    def address(self, way: str) -> str:
        """Return the address of an API that answers in one of these ways; `tls`: not even the handshake."""
        port = self.server_address[1]
        return f"https://127.0.0.1:{port}" if way == "tls" else f"http://127.0.0.1:{port}/{way}"

    def forget(self) -> None:
        """Wait for the next client."""
        self.asked.clear()
        self.left.clear()


class _Waiting(socketserver.BaseRequestHandler):
    server: SilentServer
    request: socket.socket

    def handle(self) -> None:
        self.request.settimeout(SECONDS)
        head = self.request.recv(65_536)
        way = head.split(b" ")[1].split(b"/")[1].decode() if head.startswith(b"GET") else ""
        self.request.sendall(ANSWERS.get(way, b""))
        self.server.asked.set()
        if way == "later":
            return
        try:
            while self.request.recv(65_536):
                pass
        except (ConnectionError, TimeoutError):
            return
        finally:
            self.server.left.set()


@contextmanager
def silent_server() -> Iterator[SilentServer]:
    """Start one."""
    with SilentServer() as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server
        server.shutdown()


@contextmanager
def unreachable() -> Iterator[str]:
    """Give an address at which connecting takes for ever: as many already wait to be accepted as are let wait."""
    with ExitStack() as sockets:
        listening = sockets.enter_context(socket.socket())
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        for _ in range(4):
            waiting = sockets.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listening.getsockname())
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"

"""A server in front of a running system that has a page for browsers, or none, whatever the system itself has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx

from tests.support.running_system import System

PASSED_ON = ("authorization", "accept", "content-type")


class Front:
    """Where it is, and every address it was asked for."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.asked: list[str] = []


@contextmanager
def page_in_front(system: System, *, has_page: bool = True) -> Iterator[Front]:
    """Answer browsers at `/` with a page if there is one, and pass every other request on."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            front.asked.append(self.requestline)
            if self.path != "/":
                self._pass_on()
            elif has_page and "text/html" in self.headers.get("Accept", ""):
                self._answer(200, "text/html; charset=utf-8", b"<!doctype html>")
            else:
                self._answer(200, "application/json", b"{}")

        def do_POST(self) -> None:
            front.asked.append(self.requestline)
            self._pass_on()

        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            sent = {name: self.headers[name] for name in PASSED_ON if name in self.headers}
            with httpx.Client(base_url=system.address, timeout=40, trust_env=False) as client:
                answer = client.request(self.command, self.path, content=body, headers=sent)
            self._answer(answer.status_code, answer.headers.get("content-type", ""), answer.content)

        def _answer(self, status: int, media_type: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing: pytest would show it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    front = Front(server.server_address[1])
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield front
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

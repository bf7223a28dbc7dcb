"""Bytes for one connection, cut wherever one likes, and the answers an echo gives through the gateway's HTTP protocol."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.types import Receive, Scope, Send
from uvicorn import Config
from uvicorn.server import ServerState

from gateway.server.protocol import BoundedHttpProtocol

_SECONDS: Final = 20.0


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer what was understood: method, path, the headers that matter here, and the body."""
    request = Request(scope, receive, send)
    body = await request.body()
    understood = msgspec.json.encode(
        {
            "method": scope["method"],
            "path": scope["path"],
            "raw_path": scope["raw_path"].decode("latin-1"),
            "query": scope["query_string"].decode("latin-1"),
            "version": scope["http_version"],
            "mark": [value.decode() for name, value in scope["headers"] if name == b"x-mark"],
            "body": body.decode("latin-1"),
        }
    )
    headers = [(b"content-length", b"%d" % len(understood))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": understood})


def answers_to(pieces: Sequence[bytes], protocol: type[BoundedHttpProtocol] = BoundedHttpProtocol) -> bytes:
    """Return all that comes back on a connection over which the pieces came, each as a read of its own.

    The last request must close the connection. Raises TimeoutError if it stays open.
    """
    return asyncio.run(_converse(pieces, protocol))


async def _converse(pieces: Sequence[bytes], protocol: type[BoundedHttpProtocol]) -> bytes:
    loop = asyncio.get_running_loop()
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    config = Config(echo, http=protocol, ws="none", log_config=None, access_log=False)
    protocols: list[BoundedHttpProtocol] = []

    def made() -> BoundedHttpProtocol:
        protocols.append(protocol(config, ServerState(), app_state={}))
        return protocols[0]

    with theirs:
        transport, _ = await loop.connect_accepted_socket(made, ours)
        async with asyncio.timeout(_SECONDS):
            for piece in pieces:
                if transport.is_closing():
                    break
                protocols[0].data_received(piece)
                await asyncio.sleep(0)
            received = b""
            while more := await loop.sock_recv(theirs, 65_536):
                received += more
    return received


def documents(answers: bytes) -> list[dict[str, Any]]:
    """Return the bodies of a sequence of answers, each with its status as `status`."""
    found: list[dict[str, Any]] = []
    while answers:
        head, _, rest = answers.partition(b"\r\n\r\n")
        (length,) = (
            int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
        )
        found.append(msgspec.json.decode(rest[:length]) | {"status": int(head[9:12])})
        answers = rest[length:]
    return found

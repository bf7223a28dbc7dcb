"""Calls whose requests may be large and need no credential: only a few are read and answered at the same time.

Memory is needed from the moment a request is read. gRPC reads the request of a unary call before it calls the handler; that of a
stream only when the handler asks for it. On the wire the two are the same, so such a call is served as a stream of one message,
which is read when it is the call's turn. Until then HTTP/2's flow control holds the bytes back at the client.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, Protocol

from services.rpc.refusals import malformed

READ_SECONDS: Final = 5.0
"""How long a request may take to arrive once it is the call's turn; a client that sends nothing must not keep it."""


class Turns(Protocol):
    """Hands out turns; services.rules.api.heavy_reads.HeavyReads is one."""

    def turn(self, who: str) -> AbstractAsyncContextManager[None]:
        """Hold a turn. Raises Refused, with RetryInfo, if there is none soon."""
        ...


def in_turn(behaviour: Any, turns: Turns) -> Any:
    """Return the handler of a stream of one message that reads it, and calls the unary handler, when it is the call's turn."""

    async def answer(requests: AsyncIterator[Any], context: Any) -> Any:
        async with turns.turn(host_of(context.peer())):
            return await behaviour(await _only(requests), context)

    return answer


def host_of(peer: str) -> str:
    """Return gRPC's name of a peer without its port, such as `ipv4:192.0.2.1`."""
    return peer.rpartition(":")[0] if peer.startswith("ip") else peer


async def _only(requests: AsyncIterator[Any]) -> Any:
    """Return the one request of a stream. The stream is read to its end, or else gRPC would keep the request in a cycle."""
    found = []
    try:
        async with asyncio.timeout(READ_SECONDS):
            async for request in requests:
                found.append(request)
                if len(found) > 1:
                    raise malformed("$", "is more than one message")
    except TimeoutError:
        raise malformed("$", f"was not whole after {READ_SECONDS:.0f} seconds") from None
    if not found:
        raise malformed("$", "is missing")
    return found.pop()

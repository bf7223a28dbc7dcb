"""Connections to public addresses only.

For each connection the host name is looked up once, every address found is checked, and the connection goes to one of
exactly these addresses. So the name cannot resolve to another address between check and connection (DNS rebinding).
TLS still uses the name: SNI and the check of the certificate are for the URL's host.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

import httpcore

from services.webhooks.addresses import is_loopback, is_public

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Returns the addresses of a host. It raises OSError if the look-up fails."""

CONNECT_SECONDS: Final = 5.0
MOST_LOOKUPS: Final = 256
"""Most names looked up at the same time, each in a thread that is started when needed. A tenant, which has at most twenty
endpoints, can occupy only a few of them."""


class PrivateAddress(Exception):  # noqa: N818 - the name says what happened
    """A host has an address outside the public Internet. The message does not say which address."""


class PublicNetwork(httpcore.AsyncNetworkBackend):
    """Opens connections for httpcore."""

    def __init__(self, *, loopback: bool = False, resolve: Resolve | None = None) -> None:
        """`loopback`, for development, also permits this machine's own addresses; `resolve` replaces the machine's resolver."""
        self._loopback = loopback
        self._resolve = resolve or Lookups()
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to a host. Raise PrivateAddress unless all its addresses are public, and httpcore.ConnectError or ConnectTimeout
        if it cannot be reached.
        """
        try:
            async with asyncio.timeout(timeout):
                addresses = await self._resolve(host, port)
        except TimeoutError:
            raise httpcore.ConnectTimeout from None
        except OSError:
            raise httpcore.ConnectError("the host's name has no address") from None
        if not addresses or not all(map(self._may, addresses)):
            raise PrivateAddress("the host has an address that is not public")
        return await self._inner.connect_tcp(
            addresses[0], port, timeout=timeout, local_address=local_address, socket_options=socket_options
        )

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - as above
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raise PrivateAddress: a Unix socket belongs to this machine."""
        del path, timeout, socket_options
        raise PrivateAddress("sockets of this machine are not public")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def _may(self, address: str) -> bool:
        return is_public(address) or (self._loopback and is_loopback(address))


class Lookups:
    """The machine's resolver, in threads of its own: a look-up blocks for as long as the name servers take.

    Simultaneous look-ups of one host and port share a thread, so a name that hangs does not occupy more than one.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(MOST_LOOKUPS, thread_name_prefix="webhook-lookup")
        self._under_way: dict[tuple[str, int], asyncio.Future[list[Any]]] = {}

    async def __call__(self, host: str, port: int) -> list[str]:
        """Return the addresses of a host. Raise OSError if the look-up fails."""
        asked = host, port
        if asked not in self._under_way:
            ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
            lookup = asyncio.get_running_loop().run_in_executor(self._threads, ask)
            self._under_way[asked] = lookup
            lookup.add_done_callback(partial(self._done, asked))
        found = await asyncio.shield(self._under_way[asked])
        return [str(address[0]) for *_, address in found]

    def _done(self, asked: tuple[str, int], lookup: asyncio.Future[list[Any]]) -> None:
        del self._under_way[asked]
        if not lookup.cancelled():
            lookup.exception()  # mark it as retrieved, since every waiting task may have been cancelled

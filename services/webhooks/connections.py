"""Connections to public addresses only.

For each connection the host name is looked up once, every address found is checked, and the connection goes to one of
exactly these addresses. So the name cannot resolve to another address between check and connection (DNS rebinding).
TLS still uses the name: SNI and the check of the certificate are for the URL's host.

Of several addresses some may be dead. They are tried one after another, a new one each time an attempt fails or takes long
(RFC 8305, "happy eyeballs"), until one has connected, with TLS.
"""

from __future__ import annotations

import asyncio
import random
import socket
import ssl
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain, zip_longest
from typing import Any, Final

import httpcore

from services.webhooks.addresses import is_loopback, is_public
from services.webhooks.certificates import problem_of

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Returns the addresses of a host. It raises OSError if the look-up fails."""

LOOKUP_SECONDS: Final = 10.0
"""How long a name may take. A resolver asks its second name server after the first has been silent for five seconds."""
CONNECT_SECONDS: Final = 5.0
"""How long a connection may take, TLS included, with all addresses that are tried for it."""
NEXT_SECONDS: Final = 0.5
"""How long an address has to itself before the next one is tried as well. Most handshakes take less."""
MAX_ADDRESSES: Final = 8
"""Most addresses tried for a connection."""
MAX_LOOKUPS: Final = 256
"""Most names looked up at the same time, each in a thread that is started when needed. A tenant, which has at most twenty
endpoints, can occupy only a few of them."""


class PrivateAddress(Exception):  # noqa: N818 - the name says what happened
    """A host has an address outside the public Internet. The message does not say which address."""


class Unreachable(Exception):  # noqa: N818 - as above
    """No connection could be made."""

    def __init__(self, problem: str) -> None:
        """`problem` is one of `services.webhooks.posting.PROBLEMS`."""
        super().__init__(problem)
        self.problem = problem


class PublicNetwork:
    """Opens connections."""

    def __init__(
        self,
        *,
        loopback: bool = False,
        resolve: Resolve | None = None,
        lookup_seconds: float = LOOKUP_SECONDS,
    ) -> None:
        """`loopback`, for development, also permits this machine's own addresses; `resolve` replaces the machine's resolver."""
        self._loopback = loopback
        self._resolve = resolve or Lookups()
        self._lookup_seconds = lookup_seconds
        self._inner = httpcore.AnyIOBackend()

    async def connect(
        self, host: str, port: int, tls: ssl.SSLContext | None, *, seconds: float = CONNECT_SECONDS
    ) -> httpcore.AsyncNetworkStream:
        """Connect to a host, with TLS if a context is given.

        Raises PrivateAddress unless all its addresses are public, and Unreachable if it cannot be reached.
        """
        addresses = await self._addresses(host, port)
        try:
            async with asyncio.timeout(seconds):
                return await _first([partial(self._dial, one, port, host, tls) for one in addresses])
        except TimeoutError:
            raise Unreachable("connect_timeout") from None

    async def _addresses(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses to try, in order."""
        try:
            async with asyncio.timeout(self._lookup_seconds):
                found = await self._resolve(host, port)
        except TimeoutError:
            raise Unreachable("connect_timeout") from None
        except (OSError, UnicodeError):  # UnicodeError: a label of more than 63 characters
            raise Unreachable("name_not_found") from None
        if not found:
            raise Unreachable("name_not_found")
        if not all(map(self._may, found)):
            raise PrivateAddress("the host has an address that is not public")
        return _in_order(found)[:MAX_ADDRESSES]

    async def _dial(
        self, address: str, port: int, host: str, tls: ssl.SSLContext | None
    ) -> httpcore.AsyncNetworkStream:
        """Connect to one address. Raises Unreachable if that fails."""
        try:
            stream = await self._inner.connect_tcp(address, port)
        except httpcore.ConnectError:
            raise Unreachable("connect_failed") from None
        if tls is None:
            return stream
        try:
            return await stream.start_tls(
                tls, host.rstrip(".")
            )  # a certificate names hosts without the last dot
        except BaseException as error:
            await _close(stream)
            if isinstance(error, (httpcore.ConnectError, OSError, ValueError)):  # ValueError: no name for SNI
                raise Unreachable(problem_of(error)) from None
            raise

    def _may(self, address: str) -> bool:
        return is_public(address) or (self._loopback and is_loopback(address))


def _in_order(addresses: Sequence[str]) -> list[str]:
    """Return each address once, the families in turn, beginning with the one that the resolver prefers.

    Within a family the order is random: if the first address accepts connections and answers nothing, the next attempt to
    deliver goes to another.
    """
    unique = list(dict.fromkeys(addresses))
    first_is_v6 = ":" in unique[0]
    families = [
        [one for one in unique if (":" in one) is first_is_v6],
        [one for one in unique if (":" in one) is not first_is_v6],
    ]
    for family in families:
        random.shuffle(family)  # nobody gains anything by guessing it
    return [one for one in chain.from_iterable(zip_longest(*families)) if one is not None]


async def _first(
    attempts: Sequence[Callable[[], Awaitable[httpcore.AsyncNetworkStream]]],
) -> httpcore.AsyncNetworkStream:
    """Return the first connection that is made; the other attempts are abandoned. Raises Unreachable if all fail."""
    waiting = deque(attempts)
    trying: set[asyncio.Task[httpcore.AsyncNetworkStream]] = set()
    problems: list[str] = []
    try:
        while waiting or trying:
            if waiting:
                trying.add(asyncio.ensure_future(_made(waiting.popleft())))
            ended, trying = await asyncio.wait(
                trying, timeout=NEXT_SECONDS if waiting else None, return_when=asyncio.FIRST_COMPLETED
            )
            made = []
            for task in ended:
                try:
                    made.append(task.result())
                except Unreachable as error:
                    problems.append(error.problem)
            for unneeded in made[1:]:
                await _close(unneeded)
            if made:
                return made[0]
    finally:
        for task in trying:
            task.cancel()
        for result in await asyncio.gather(*trying, return_exceptions=True):
            if not isinstance(result, BaseException):
                await _close(result)
    raise Unreachable(max(problems, key=_TELLING.index))


async def _made(attempt: Callable[[], Awaitable[httpcore.AsyncNetworkStream]]) -> httpcore.AsyncNetworkStream:
    return await attempt()


_TELLING: Final = (
    "connect_failed",
    "tls_failed",
    "certificate_untrusted",
    "certificate_wrong_name",
    "certificate_expired",
)
"""The problems of attempts; if they differ, the later one in this list says more."""


async def _close(stream: httpcore.AsyncNetworkStream) -> None:
    with suppress(OSError, httpcore.NetworkError):
        await stream.aclose()


class Lookups:
    """The machine's resolver, in threads of its own: a look-up blocks for as long as the name servers take.

    Simultaneous look-ups of one host and port share a thread, so a name that hangs does not occupy more than one.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(MAX_LOOKUPS, thread_name_prefix="webhook-lookup")
        self._under_way: dict[tuple[str, int], asyncio.Future[list[Any]]] = {}

    async def __call__(self, host: str, port: int) -> list[str]:
        """Return the addresses of a host. Raises OSError if the look-up fails."""
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

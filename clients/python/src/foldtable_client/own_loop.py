"""An event loop that keeps no program from ending: hosts' names are looked up in threads of their own."""

from __future__ import annotations

import asyncio
import socket
import sys
from functools import partial
from typing import Any

from foldtable_client.own_threads import RaisedError, in_own_thread

if sys.platform == "win32":
    Loop = asyncio.ProactorEventLoop
else:
    Loop = asyncio.SelectorEventLoop


class OwnLoop(Loop):
    """A loop as the platform's own, but for look-ups.

    They cannot be interrupted, and may take minutes. The threads in which asyncio has them done are waited for at the end of
    the program.
    """

    async def getaddrinfo(
        self,
        host: Any,
        port: Any,
        *,
        family: int = 0,
        type: int = 0,  # noqa: A002 - as asyncio has it
        proto: int = 0,
        flags: int = 0,
    ) -> Any:
        """Return the addresses of a host. Raises socket.gaierror, and what else `socket.getaddrinfo` raises."""
        try:
            return await in_own_thread(partial(socket.getaddrinfo, host, port, family, type, proto, flags))
        except RaisedError as raised:
            raise raised.error from None

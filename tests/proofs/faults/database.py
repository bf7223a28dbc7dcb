"""The database of a harmed system: something with doors, that can be killed and started again."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import unquote, urlsplit

from psycopg.conninfo import conninfo_to_dict

from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from tests.proofs.faults.proxy import Dial
from tests.support.found_processes import send


class Database(Protocol):
    """What a system needs of its database, be it one server or a pair of them."""

    @property
    def url(self) -> str:
        """An address for ourselves, past every proxy."""
        ...

    @property
    def doors(self) -> Sequence[Dial]:
        """How to reach each of its servers. Every service gets a proxy of its own before each door."""
        ...

    def url_through(self, ports: Sequence[int]) -> str:
        """Return the address for a service whose proxies listen on these ports of this machine, one for each door."""
        ...

    async def start(self) -> None:
        """Start it; or start it again, whatever was done to it."""
        ...

    async def kill(self) -> None:
        """SIGKILL the server the services write to, and all that belongs to it."""
        ...

    async def kill_backend(self) -> bool:
        """SIGKILL one of its sessions: the server ends all others and recovers. False: there was none."""
        ...

    async def freeze(self) -> None:
        """SIGSTOP it, with all its sessions."""
        ...

    async def thaw(self) -> None:
        """SIGCONT what was frozen."""
        ...

    async def stop(self) -> None:
        """Stop it for good."""
        ...


class OnePostgres:
    """The embedded Postgres. It listens on a socket in its folder; proxies make TCP of it."""

    def __init__(self, folder: Path) -> None:
        self._postgres = EmbeddedPostgres(folder)
        self._frozen: list[int] = []
        self._has_schema = False

    @property
    def url(self) -> str:
        return self._postgres.url

    @property
    def doors(self) -> Sequence[Dial]:
        given = conninfo_to_dict(self.url)
        path = str(Path(unquote(str(given["host"]))) / f".s.PGSQL.{given['port']}")
        return (lambda: asyncio.open_unix_connection(path),)

    def url_through(self, ports: Sequence[int]) -> str:
        (port,) = ports
        found = urlsplit(self.url)
        return f"postgresql://{found.username}@127.0.0.1:{port}{found.path}"

    async def start(self) -> None:
        await asyncio.to_thread(self._postgres.start)
        if not self._has_schema:
            await asyncio.to_thread(migrate, self.url)
            self._has_schema = True

    async def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)

    async def kill_backend(self) -> bool:
        return any(send(pid, signal.SIGKILL) for pid in children(self._pid) if _is_session(pid))

    async def freeze(self) -> None:
        self._frozen = [self._pid, *children(self._pid)]
        for pid in self._frozen:
            send(pid, signal.SIGSTOP)

    async def thaw(self) -> None:
        for pid in self._frozen:
            send(pid, signal.SIGCONT)
        self._frozen = []

    async def stop(self) -> None:
        await self.thaw()
        await asyncio.to_thread(self._postgres.stop)

    @property
    def _pid(self) -> int:
        pid = self._postgres.pid
        if pid is None:
            raise RuntimeError("the database does not run")
        return pid


SESSION_MARK: Final = b"foldtable"
"""In the title of every process that serves one of our sessions: `postgres: <role> <database> …`."""


def children(pid: int) -> list[int]:
    """Return the processes a process has started."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _is_session(pid: int) -> bool:
    try:
        return SESSION_MARK in Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return False

"""The pair as the database of a harmed system: every service has a proxy of its own before each of the two.

To whoever does harm it is one database that can be killed and started again, only that killing and freezing mean the
primary, whose replica takes over at once, and starting and thawing mean: the old primary becomes a replica.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from migrations.migrate import migrate
from services.embedded_postgres.folder import DATABASE, ROLE
from tests.proofs.faults.postgres_node import HOST
from tests.proofs.faults.postgres_pair import PostgresPair
from tests.proofs.faults.proxy import Dial

SWITCH_SECONDS: Final = 0.5
"""Between the word that no more writes are taken and the end of the old primary."""
_A_SESSION: Final = "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'foldtable %' LIMIT 1"


class PairDatabase:
    """A `tests.proofs.faults.database.Database` of two servers."""

    def __init__(self, folder: Path, *, synchronous: bool = True) -> None:
        self.pair = PostgresPair(folder, synchronous=synchronous)
        self._has_started = False

    @property
    def url(self) -> str:
        return self.pair.url

    @property
    def doors(self) -> Sequence[Dial]:
        return [partial(asyncio.open_connection, HOST, node.port) for node in self.pair.nodes]

    def url_through(self, ports: Sequence[int]) -> str:
        hosts = ",".join(f"{HOST}:{port}" for port in ports)
        return f"postgresql://{ROLE}@{hosts}/{DATABASE}?target_session_attrs=read-write"

    async def start(self) -> None:
        """Make both, with the schema; afterwards: make a replica of the one that was primary."""
        if self._has_started:
            await asyncio.to_thread(self.pair.rebuild)
            return
        await asyncio.to_thread(self.pair.start)
        await asyncio.to_thread(migrate, self.url)
        self._has_started = True

    async def kill(self) -> None:
        """SIGKILL every process of the primary; the replica takes over."""
        await asyncio.to_thread(self.pair.fail_over)

    async def freeze(self) -> None:
        """SIGSTOP every process of the primary; the replica takes over."""
        await asyncio.to_thread(self.pair.primary.freeze)
        await asyncio.to_thread(self.pair.promote)

    async def thaw(self) -> None:
        """Kill what was frozen: two primaries would be worse than none. Then it becomes a replica."""
        await self.start()

    async def switch(self) -> None:
        """As one plans it: the primary takes no more writes, then it ends, and the replica takes over."""
        await asyncio.to_thread(self.pair.take_no_writes)
        await asyncio.sleep(SWITCH_SECONDS)
        await self.kill()

    async def kill_replica(self) -> None:
        """SIGKILL the replica. Commits wait for it, and no move is acknowledged meanwhile."""
        await asyncio.to_thread(self.pair.replica.kill)

    async def kill_held_back(self, seconds: float) -> None:
        """Keep from the replica what is written for a while; then kill the primary, and let the replica take over."""
        with self.pair.primary.held_back():
            await asyncio.sleep(seconds)
            await self.kill()

    async def kill_backend(self) -> bool:
        """SIGKILL one session of the primary: it ends all others and recovers. False: there was none."""
        found = await asyncio.to_thread(self.pair.primary.ask, _A_SESSION)
        for (pid,) in found:
            os.kill(int(str(pid)), signal.SIGKILL)
        return bool(found)

    async def stop(self) -> None:
        await asyncio.to_thread(self.pair.stop)

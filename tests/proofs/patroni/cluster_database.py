"""The cluster as the database of a harmed system, reached through HAProxy, or by the addresses of all members.

Each member reaches etcd through a proxy of this program, which can be shut.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from migrations.migrate import migrate
from services.embedded_postgres.folder import DATABASE, ROLE
from tests.proofs.faults.notes import now
from tests.proofs.faults.postgres_node import HOST
from tests.proofs.faults.proxy import Dial, Proxy
from tests.proofs.patroni.cluster import MEMBERS, Cluster
from tests.proofs.patroni.member import Member

_A_SESSION: Final = "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'foldtable %' LIMIT 1"


class ClusterDatabase:
    """A `tests.proofs.faults.database.Database` of three servers, of which Patroni makes one the leader."""

    def __init__(
        self, folder: Path, *, dynamic: dict[str, Any], etcd_api: str, through_haproxy: bool = True
    ) -> None:
        self.cluster = Cluster(folder, dynamic=dynamic, etcd_api=etcd_api)
        self._through_haproxy = through_haproxy
        self.goes_on_for = 1.5 * dynamic["ttl"] if dynamic.get("failsafe_mode") else 0.0
        """Seconds that a leader is left alone that goes on without etcd."""
        self._ways_to_etcd: list[Proxy] = []
        self.victim = ""
        """Whom the last harm was done to."""
        self.struck_at = 0.0
        """When."""
        self._killed: Member | None = None
        self._frozen: Member | None = None

    @property
    def url(self) -> str:
        return self.cluster.url

    @property
    def doors(self) -> Sequence[Dial]:
        ports = [self.cluster.port] if self._through_haproxy else [one.port for one in self.cluster.members]
        return [partial(asyncio.open_connection, HOST, port) for port in ports]

    def url_through(self, ports: Sequence[int]) -> str:
        return f"postgresql://{ROLE}@{','.join(f'{HOST}:{port}' for port in ports)}/{DATABASE}"

    async def start(self) -> None:
        """Make the cluster, with the schema; afterwards: start whatever was killed, and wait until the cluster is whole."""
        if not self._ways_to_etcd:
            self._ways_to_etcd = [Proxy() for _ in range(MEMBERS)]
            for way in self._ways_to_etcd:
                await way.start()
                way.lead_to(f"{HOST}:{self.cluster.etcd_port}")
            ports = [way.port for way in self._ways_to_etcd]
            await asyncio.to_thread(self.cluster.start, ports)
            await asyncio.to_thread(migrate, self.url)
            return
        for way in self._ways_to_etcd:
            way.heal()
        await asyncio.to_thread(self.cluster.start_etcd)
        if self._killed is not None:
            await asyncio.to_thread(self._killed.start)
            self._killed = None
        await asyncio.to_thread(self.cluster.until_whole)

    async def kill(self) -> None:
        """SIGKILL Postgres and Patroni of the leader; return when another member has taken over."""
        self._killed = await asyncio.to_thread(self._leader)
        await asyncio.to_thread(self._killed.kill)
        self._struck(self._killed.name)
        await asyncio.to_thread(self.cluster.until_taken_over, self._killed)

    async def kill_postgres(self) -> None:
        """SIGKILL every process of Postgres of the leader; Patroni stays, and decides what becomes of it."""
        leader = await asyncio.to_thread(self._leader)
        await asyncio.to_thread(leader.kill_postgres)
        self._struck(leader.name)
        await asyncio.to_thread(self.cluster.until_led)

    async def kill_held_back(self, seconds: float) -> None:
        """Keep from the replicas what is written for a while; then kill the leader."""
        leader = await asyncio.to_thread(self._leader)
        await asyncio.to_thread(leader.hold_back)
        await asyncio.sleep(seconds)
        await self.kill()

    async def kill_replica(self) -> None:
        """SIGKILL Postgres and Patroni of the replica that commits wait for."""
        self._killed = await asyncio.to_thread(self.cluster.synchronous_replica)
        await asyncio.to_thread(self._killed.kill)
        self._struck(self._killed.name)

    async def freeze(self) -> None:
        """SIGSTOP Postgres and Patroni of the leader; return when another member has taken over."""
        self._frozen = await asyncio.to_thread(self._leader)
        await asyncio.to_thread(self._frozen.freeze)
        self._struck(self._frozen.name)
        await asyncio.to_thread(self.cluster.until_taken_over, self._frozen)

    async def thaw(self) -> None:
        """SIGCONT: it still takes itself for the leader, until Patroni finds out."""
        if self._frozen is not None:
            await asyncio.to_thread(self._frozen.thaw)
            self._frozen = None
        await asyncio.to_thread(self.cluster.until_whole)

    async def cut_off_from_etcd(self) -> None:
        """Swallow whatever the leader and etcd say to each other; return when another member has taken over.

        With `failsafe_mode` none does, because the leader reaches all others: return when it could have been replaced.
        """
        leader = await asyncio.to_thread(self._leader)
        self._ways_to_etcd[self.cluster.members.index(leader)].swallow()
        self._struck(leader.name)
        if self.goes_on_for:
            await asyncio.sleep(self.goes_on_for)
        else:
            await asyncio.to_thread(self.cluster.until_taken_over, leader)

    async def kill_etcd(self) -> None:
        """SIGKILL etcd: no member can say that it is the leader."""
        await asyncio.to_thread(self.cluster.kill_etcd)
        self._struck("etcd")

    async def start_etcd(self) -> None:
        """Start etcd again; return when there is a leader."""
        await asyncio.to_thread(self.cluster.start_etcd)
        await asyncio.to_thread(self.cluster.until_led)

    async def switch_over(self) -> None:
        """Let Patroni make another member the leader, as an operator does before maintenance."""
        self._struck("leader")
        await asyncio.to_thread(self.cluster.switch_over)

    async def kill_backend(self) -> bool:
        """SIGKILL one session of the leader: it ends all others and recovers. False: there was none."""
        leader = await asyncio.to_thread(self._leader)
        found = await asyncio.to_thread(leader.ask, _A_SESSION)
        for (pid,) in found:
            os.kill(int(str(pid)), signal.SIGKILL)
        return bool(found)

    async def stop(self) -> None:
        """End everything."""
        await asyncio.to_thread(self.cluster.stop)
        for way in self._ways_to_etcd:
            await way.stop()

    def _struck(self, victim: str) -> None:
        self.victim, self.struck_at = victim, now()

    def _leader(self) -> Member:
        return self.cluster.leader

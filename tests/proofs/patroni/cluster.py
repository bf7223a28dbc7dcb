"""Three members under Patroni, an etcd, and an HAProxy that leads to whichever member is the leader; all on loopback.

cluster = Cluster(folder, etcd_ports=ways)   # a way to etcd for each member
cluster.start()
psycopg.connect(cluster.url)                 # through HAProxy
"""

from __future__ import annotations

import json
import os
import subprocess
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import psycopg

from services.embedded_postgres.folder import DATABASE, ROLE, SUPERUSER
from tests.proofs.faults.postgres_node import HOST, wait_for
from tests.proofs.patroni.member import ASK_SECONDS, Member
from tests.proofs.patroni.programs import must_be
from tests.proofs.patroni.settings import HAPROXY
from tests.support.deployment import free_addresses

MEMBERS: Final = 3
WHOLE_SECONDS: Final = 120.0
"""For the cluster to be made, or to be whole again: a leader, and two replicas that have caught up."""
TAKEN_OVER_SECONDS: Final = 90.0

_STREAMING: Final = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"


class Cluster:
    """Starts and ends all of its processes."""

    def __init__(self, folder: Path, *, dynamic: dict[str, Any], etcd_api: str) -> None:
        """`dynamic`: what Patroni keeps in etcd for all members; `etcd_api`: how it asks etcd."""
        addresses = free_addresses(2 + 1 + 2 * MEMBERS)
        ports = [int(one.rpartition(":")[2]) for one in addresses]
        self._folder = folder
        self._etcd_peers = ports.pop()
        self.etcd_port, self.port = ports.pop(), ports.pop()
        """Of etcd, and of HAProxy."""
        self.members = [
            Member(
                f"node{number + 1}",
                folder / f"node{number + 1}",
                ports.pop(),
                ports.pop(),
                0,
                etcd_api,
                dynamic,
            )
            for number in range(MEMBERS)
        ]
        self._etcd_api = etcd_api
        self._is_synchronous = bool(dynamic["synchronous_mode"])
        self._etcd: subprocess.Popen[bytes] | None = None
        self._haproxy: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address through HAProxy."""
        return f"postgresql://{ROLE}@{HOST}:{self.port}/{DATABASE}"

    @property
    def leader(self) -> Member:
        """The member that takes writes. Raises RuntimeError if there is none at present."""
        found = self.leader_but(None)
        if found is None:
            raise RuntimeError("the cluster has no leader now")
        return found

    def leader_but(self, other: Member | None) -> Member | None:
        """Return the leader if it is not `other`; None: there is none. `other` is not asked: it may be frozen."""
        return next((one for one in self.members if one is not other and one.is_leader()), None)

    def start(self, etcd_ports: Sequence[int]) -> None:
        """Start everything, and make the services' role and database. Each member reaches etcd at a port of its own."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self.start_etcd()
        for member, port in zip(self.members, etcd_ports, strict=True):
            member.etcd_port = port
        self.members[0].start()
        wait_for(self._first_leads, WHOLE_SECONDS, "the first member is the leader")
        for member in self.members[1:]:
            member.start()
        self._start_haproxy()
        self.until_whole()
        through = f"postgresql://{SUPERUSER}@{HOST}:{self.port}/postgres"
        wait_for(lambda: _can_connect(through), TAKEN_OVER_SECONDS, "HAProxy leads to the leader")
        with psycopg.connect(through, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {ROLE} LOGIN CREATEDB")  # type: ignore[call-overload]  # a constant
            connection.execute(f"CREATE DATABASE {DATABASE} OWNER {ROLE}")  # type: ignore[call-overload]

    def start_etcd(self) -> None:
        """Start etcd, with the data it had."""
        if self._etcd is not None:
            return
        client, peer = f"http://{HOST}:{self.etcd_port}", f"http://{HOST}:{self._etcd_peers}"
        told = {
            "name": "one",
            "data-dir": str(self._folder / "etcd"),
            "listen-client-urls": client,
            "advertise-client-urls": client,
            "listen-peer-urls": peer,
            "initial-advertise-peer-urls": peer,
            "initial-cluster": f"one={peer}",
        }
        if self._etcd_api == "etcd":
            told["enable-v2"] = "true"
        self._etcd = self._run("etcd", *(f"--{name}={value}" for name, value in told.items()))
        wait_for(self._etcd_has_begun, TAKEN_OVER_SECONDS, "etcd has begun")

    def kill_etcd(self) -> None:
        """SIGKILL etcd."""
        if self._etcd is not None:
            self._etcd.kill()
            self._etcd.wait()
            self._etcd = None

    def until_taken_over(self, old: Member) -> Member:
        """Wait until another member is the leader, and return it."""
        deadline = time.monotonic() + TAKEN_OVER_SECONDS
        while (found := self.leader_but(old)) is None:
            if time.monotonic() > deadline:
                raise TimeoutError(f"nobody took over from {old.name} within {TAKEN_OVER_SECONDS:.0f} s")
            time.sleep(0.05)
        return found

    def until_led(self) -> None:
        """Wait until any member is the leader, and takes connections."""
        wait_for(self._is_led, TAKEN_OVER_SECONDS, "some member is the leader")

    def switch_over(self) -> None:
        """Ask Patroni for a switch-over, as `patronictl switchover` does; wait until another member is the leader."""
        old = self.leader
        asked = urllib.request.Request(
            f"{old.api}/switchover",
            data=json.dumps({"leader": old.name}).encode(),
            headers={"content-type": "application/json"},
        )
        with urllib.request.urlopen(asked, timeout=TAKEN_OVER_SECONDS) as answer:
            if answer.status != 200:
                raise RuntimeError(f"Patroni answered {answer.status} to the switch-over")
        self.until_taken_over(old)

    def synchronous_replica(self) -> Member:
        """Return the replica that commits wait for. Raises RuntimeError if there is none."""
        names = [one["name"] for one in self._told() if one["role"] == "sync_standby"]
        found = next((one for one in self.members if one.name in names), None)
        if found is None:
            raise RuntimeError("commits wait for no replica now")
        return found

    def until_whole(self) -> None:
        """Wait until there is a leader, two replicas follow it, and commits wait for one of them (with `synchronous_mode`)."""
        wait_for(self._is_whole, WHOLE_SECONDS, "the cluster is whole")

    def stop(self) -> None:
        """End everything, at once; the data is a test's."""
        for member in self.members:
            member.kill()
        self.kill_etcd()
        if self._haproxy is not None:
            self._haproxy.kill()
            self._haproxy.wait()
            self._haproxy = None

    def _told(self) -> list[dict[str, Any]]:
        """Return what Patroni says of the members: of whoever answers first."""
        for member in self.members:
            try:
                with urllib.request.urlopen(f"{member.api}/cluster", timeout=ASK_SECONDS) as answer:
                    return list(json.load(answer)["members"])
            except OSError:
                continue
        return []

    def _is_whole(self) -> bool:
        told = self._told()
        roles = sorted(one["role"] for one in told)
        wanted = ["leader", "replica", "sync_standby" if self._is_synchronous else "replica"]
        if roles != sorted(wanted) or any(one["state"] not in {"running", "streaming"} for one in told):
            return False
        leader = self.leader_but(None)
        try:
            return leader is not None and leader.ask(_STREAMING) == [(MEMBERS - 1,)]
        except psycopg.OperationalError:
            return False

    def _etcd_has_begun(self) -> bool:
        """Patroni ends at once if etcd has not agreed with itself on a version yet."""
        try:
            with urllib.request.urlopen(
                f"http://{HOST}:{self.etcd_port}/version", timeout=ASK_SECONDS
            ) as answer:
                return bool(json.load(answer)["etcdcluster"] != "not_decided")
        except OSError:
            return False

    def _first_leads(self) -> bool:
        self.members[0].must_run()
        return self.members[0].is_leader()

    def _is_led(self) -> bool:
        leader = self.leader_but(None)
        try:
            return leader is not None and leader.ask("SELECT 1") == [(1,)]
        except psycopg.OperationalError:
            return False

    def _start_haproxy(self) -> None:
        lines = [
            f"    server {one.name} {HOST}:{one.port} check port {one.rest_port}\n" for one in self.members
        ]
        settings = self._folder / "haproxy.cfg"
        settings.write_text(HAPROXY.format(bind=f"{HOST}:{self.port}") + "".join(lines))
        self._haproxy = self._run("haproxy", "-db", "-f", str(settings))

    def _run(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self._folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [str(must_be(name)), *arguments],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={"PATH": os.defpath},
                start_new_session=True,
            )


def _can_connect(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=3).close()
    except psycopg.OperationalError:
        return False
    return True

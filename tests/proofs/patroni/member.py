"""One member of the cluster: Patroni, and the Postgres that it looks after; killed and frozen as a whole machine would be."""

from __future__ import annotations

import os
import signal
import subprocess
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psycopg
import yaml

from services.embedded_postgres.folder import SUPERUSER
from services.embedded_postgres.run_as import RunAs, run_as
from tests.proofs.faults.postgres_node import HOST, wait_for
from tests.proofs.patroni.programs import must_be
from tests.support.found_processes import send, working_in

SCOPE: Final = "foldtable"
"""The cluster's name."""
ASK_SECONDS: Final = 3.0
GONE_SECONDS: Final = 10.0

_ADMISSION: Final = (f"host all all {HOST}/32 trust", f"host replication all {HOST}/32 trust")
"""Who may connect: anybody on this machine. The data is a test's, and lives as long as it."""
_USERS: Final = {kind: {"username": SUPERUSER} for kind in ("superuser", "replication", "rewind")}


@dataclass
class Member:
    """A member, or the place for one."""

    name: str
    folder: Path
    port: int
    """Of Postgres."""
    rest_port: int
    """Of Patroni's own API, which HAProxy asks who the leader is."""
    etcd_port: int
    """Where it reaches etcd: a way of its own, which can be cut."""
    etcd_api: str
    """`etcd` or `etcd3`, see `programs.etcd_api`."""
    dynamic: dict[str, Any]
    """What the cluster is told when it is made: `bootstrap.dcs`."""
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def data(self) -> Path:
        return self.folder.resolve() / "data"

    @property
    def api(self) -> str:
        """The address of Patroni's API."""
        return f"http://{HOST}:{self.rest_port}"

    @property
    def _owner(self) -> RunAs:
        return run_as(self.folder)

    def start(self) -> None:
        """Start Patroni, which starts Postgres as what the cluster needs: a leader, or a replica."""
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = self.folder / "patroni.yml"
        settings.write_text(yaml.safe_dump(self._settings(), sort_keys=False))
        owner = self._owner
        if os.geteuid() == 0:
            os.chown(self.folder, owner.uid, owner.gid)
        with (self.folder / "patroni.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*owner.prefix, str(must_be("patroni")), str(settings)],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={"PATH": os.defpath},
                start_new_session=True,
                **owner.identity(),
            )

    def must_run(self) -> None:
        """Raises RuntimeError, with the end of its log, if Patroni has ended by itself."""
        if self._process is not None and self._process.poll() is not None:
            tail = (self.folder / "patroni.log").read_text(errors="replace")[-2_000:]
            raise RuntimeError(f"Patroni of {self.name} has ended:\n{tail}")

    def kill(self) -> None:
        """End every process of it at once, Patroni too, as a power cut would."""
        for _ in range(3):  # whom Patroni or the postmaster was about to start dies in the next round
            for pid in self._pids():
                send(pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()
            self._process = None
        wait_for(lambda: not self._pids(), GONE_SECONDS, f"{self.name} is gone")

    def kill_postgres(self) -> None:
        """End every process of Postgres, and leave Patroni alive."""
        for _ in range(3):
            for pid in working_in(self.data):
                send(pid, signal.SIGKILL)

    def freeze(self) -> None:
        """Stop every process of it where it is: connections stay open, and nobody answers."""
        for pid in self._pids():
            send(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let every process go on that was stopped."""
        for pid in self._pids():
            send(pid, signal.SIGCONT)

    def hold_back(self) -> None:
        """Stop what sends the log to replicas, and nothing else."""
        for (pid,) in self.ask("SELECT pid FROM pg_stat_replication"):
            send(int(str(pid)), signal.SIGSTOP)

    def ask(self, statement: str) -> list[tuple[object, ...]]:
        """Run a statement as superuser."""
        url = f"postgresql://{SUPERUSER}@{HOST}:{self.port}/postgres"
        with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(statement)  # type: ignore[call-overload]  # text of our own
            return cursor.fetchall() if cursor.description is not None else []

    def is_leader(self) -> bool:
        """Return whether Patroni says that this is the one that takes writes: what HAProxy asks too."""
        try:
            with urllib.request.urlopen(f"{self.api}/primary", timeout=ASK_SECONDS) as answer:
                return bool(answer.status == 200)
        except OSError:  # nobody is there, it is frozen, or it is no leader
            return False

    def _pids(self) -> list[int]:
        """Patroni works in the folder, and so does what it runs; every process of Postgres works in its data folder."""
        return [*working_in(self.folder.resolve()), *working_in(self.data)]

    def _settings(self) -> dict[str, Any]:
        return {
            "scope": SCOPE,
            "name": self.name,
            "restapi": {
                "listen": f"{HOST}:{self.rest_port}",
                "connect_address": f"{HOST}:{self.rest_port}",
            },
            # As a proxy, so that Patroni asks nobody else: what etcd says of its own address would lead past the way that is cut.
            self.etcd_api: {"proxy": f"http://{HOST}:{self.etcd_port}"},
            "bootstrap": {
                "dcs": self.dynamic,
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
            },
            "postgresql": {
                "listen": f"{HOST}:{self.port}",
                "connect_address": f"{HOST}:{self.port}",
                "data_dir": str(self.data),
                "bin_dir": str(must_be("postgres").parent),
                "pgpass": str(self.folder / "pgpass"),
                "authentication": _USERS,
                "pg_hba": list(_ADMISSION),
                "parameters": {"unix_socket_directories": ""},
            },
        }

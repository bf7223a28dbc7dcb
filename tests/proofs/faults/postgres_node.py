"""One Postgres of a pair: on a port of its own, over loopback, killed and frozen as a whole machine would be."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psycopg

from services.embedded_postgres import postmaster
from services.embedded_postgres.binaries import binaries_folder
from services.embedded_postgres.cluster import ensure_data
from services.embedded_postgres.folder import DATABASE, ROLE, SUPERUSER, Folder
from services.embedded_postgres.run_as import RunAs, run_as
from services.embedded_postgres.settings import SETTINGS
from tests.support.found_processes import send, working_in

HOST: Final = "127.0.0.1"
START_SECONDS: Final = 60.0
SETTLE_SECONDS: Final = 30.0
"""How long anything may take that the pair waits for."""
POLL_SECONDS: Final = 0.02

_ADMISSION: Final = f"""\
local all all trust
host all all {HOST}/32 trust
host replication {SUPERUSER} {HOST}/32 trust
"""
"""Who may connect: anybody on this machine. The data is a test's, and lives as long as it."""
_REPLICATING: Final = {
    "listen_addresses": HOST,
    "wal_level": "replica",
    "max_wal_senders": "5",
    "hot_standby": "on",
    "wal_keep_size": "512MB",  # so that one that comes back finds what it missed, and what it did itself
    "wal_receiver_timeout": "5s",
    "wal_sender_timeout": "0",  # held back is not gone
    "wal_retrieve_retry_interval": "200ms",
    "shared_buffers": "64MB",
}


@dataclass
class Node:
    """A Postgres in a folder, or the place for one."""

    name: str
    folder: Path
    port: int
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def data(self) -> Path:
        return self._place.data

    @property
    def is_replica(self) -> bool:
        """Whether it follows another when it is started."""
        return (self.data / "standby.signal").exists()

    @property
    def _place(self) -> Folder:
        return Folder(self.folder.resolve())

    @property
    def _owner(self) -> RunAs:
        return run_as(self.folder)

    def url(self, database: str = "postgres", role: str = SUPERUSER) -> str:
        """Return the address of this node alone."""
        return f"postgresql://{role}@{HOST}:{self.port}/{database}"

    def ask(self, statement: str) -> list[tuple[object, ...]]:
        """Run a statement as superuser."""
        with psycopg.connect(self.url(), autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(statement)  # type: ignore[call-overload]  # text of our own
            return cursor.fetchall() if cursor.description is not None else []

    # ── coming into being ──────────────────────────────────────────────────────────────────────────

    def make(self) -> None:
        """Make an empty Postgres of it, with the services' role and database, and start it."""
        self._prepare()
        ensure_data(self._place, binaries_folder(), self._owner)
        (self.data / "pg_hba.conf").write_text(_ADMISSION)
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.writelines(f"{name} = '{value}'\n" for name, value in _REPLICATING.items())
        self.start()
        self.ask(f"CREATE ROLE {ROLE} LOGIN CREATEDB")
        self.ask(f"CREATE DATABASE {DATABASE} OWNER {ROLE}")

    def copy_of(self, primary: Node) -> None:
        """Become a replica of `primary` by a whole copy, and start."""
        shutil.rmtree(self.data, ignore_errors=True)
        self._prepare()
        self.run(
            "pg_basebackup",
            f"--dbname={self._follows(primary)}",
            f"--pgdata={self.data}",
            "--write-recovery-conf",
            "--wal-method=stream",
            "--checkpoint=fast",
            "--no-sync",
        )
        self.start()

    def rewound_to(self, primary: Node) -> None:
        """Become a replica of `primary`, which took over from us: undo what only we have, and start."""
        self.run(
            "pg_rewind",
            f"--target-pgdata={self.data}",
            f"--source-server={self._follows(primary)} dbname=postgres",
            "--write-recovery-conf",
            "--no-sync",
        )
        self.start()

    def _follows(self, primary: Node) -> str:
        return f"host={HOST} port={primary.port} user={SUPERUSER} application_name={self.name}"

    def _prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._place.lock.touch()
        self._place.prepare(self._owner)

    # ── running ────────────────────────────────────────────────────────────────────────────────────

    def start(self) -> None:
        """Start, and wait until connections are taken."""
        postmaster.clear_stale_pid_file(self.data)
        settings = {**SETTINGS, **_REPLICATING, "port": str(self.port)}
        settings["unix_socket_directories"] = ""
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        owner = self._owner
        with (self.folder / "postgres.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*owner.prefix, str(binaries_folder() / "postgres"), "-D", str(self.data), *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **owner.identity(),
            )
        wait_for(self._takes_connections, START_SECONDS, f"{self.name} starts")

    def kill(self) -> None:
        """End every process of it at once, as a power cut would."""
        for _ in range(3):  # whom the postmaster was about to start dies in the next round
            for pid in self._pids():
                send(pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()
            self._process = None
        wait_for(lambda: not self._pids(), SETTLE_SECONDS, f"{self.name} is gone")

    def freeze(self) -> None:
        """Stop every process of it where it is: connections stay open, and nobody answers."""
        for pid in self._pids():
            send(pid, signal.SIGSTOP)

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Meanwhile stop what sends its log to replicas, and nothing else."""
        senders = [int(str(pid)) for (pid,) in self.ask("SELECT pid FROM pg_stat_replication")]
        for pid in senders:
            send(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in senders:
                send(pid, signal.SIGCONT)

    def run(self, program: str, *arguments: str) -> None:
        """Run one of Postgres's own programs, as whom Postgres runs."""
        owner = self._owner
        done = subprocess.run(
            [*owner.prefix, str(binaries_folder() / program), *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=START_SECONDS,
            cwd=self.folder,
            **owner.identity(),
        )
        if done.returncode != 0:
            raise RuntimeError(f"{program} failed:\n{done.stderr.strip()}")

    def _pids(self) -> list[int]:
        """Every process of a Postgres works in its data folder."""
        return working_in(self.data)

    def _takes_connections(self) -> bool:
        if self._process is not None and self._process.poll() is not None:
            tail = (self.folder / "postgres.log").read_text(errors="replace")[-2_000:]
            raise RuntimeError(f"{self.name} did not start:\n{tail}")
        try:
            self.ask("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True


def wait_for(true: Callable[[], bool], seconds: float, what: str) -> None:
    """Wait until it is true; TimeoutError says what was waited for."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {seconds:.0f} s until {what}")
        time.sleep(POLL_SECONDS)

"""The embedded Postgres: start, stop, take over."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import psycopg

from services.embedded_postgres import postmaster
from services.embedded_postgres.binaries import binaries_folder
from services.embedded_postgres.cluster import ensure_data, ensure_database
from services.embedded_postgres.errors import FolderUnusable, StartFailed
from services.embedded_postgres.folder import SUPERUSER, Folder
from services.embedded_postgres.run_as import RunAs, run_as
from services.embedded_postgres.settings import arguments

START_SECONDS: Final = 120.0
"""After a crash Postgres first replays its write-ahead log."""
HEALTH_SECONDS: Final = 10
LARGE_LOG: Final = 10_000_000
"""Bytes."""
LOG_TAIL: Final = 2_000
"""Bytes of the log shown in an error."""


class EmbeddedPostgres:
    """A Postgres that lives in a folder.

        with EmbeddedPostgres(Path(".foldtable/postgres")) as postgres:
            psycopg.connect(postgres.url)

    `psql "<url>"` opens it from a shell while it runs. The folder has one owner at a time; a second one gets
    FolderInUse. Not safe to call from several threads at once.
    """

    def __init__(
        self, folder: Path, *, identity: RunAs | None = None, settings: Mapping[str, str] | None = None
    ) -> None:
        """Nothing is started or written before `start`.

        `identity`: the user Postgres runs as, chosen automatically by default. `settings` of Postgres replace ours,
        such as `fsync=off` for data that may be lost.
        """
        self._folder = Folder(folder.absolute().resolve())
        self._identity = identity
        self._settings = dict(settings or {})
        self._lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the services' database, whether the server runs or not."""
        return self._folder.url()

    @property
    def log(self) -> Path:
        """The server's log file."""
        return self._folder.log

    @property
    def pid(self) -> int | None:
        """The server's process id, or None when it does not run."""
        return postmaster.running_pid(self._folder.data)

    def start(self) -> str:
        """Start the server, or take over the one that runs; return its address once it accepts connections.

        It may be called again, also after the server was killed.

        Raises BinariesMissing, FolderInUse, FolderUnusable or StartFailed; errors.py says when.
        """
        binaries = binaries_folder()
        owner = self._identity or run_as(self._folder.path)
        if self._lock is None:
            self._lock = self._folder.own()
        try:
            self._folder.prepare(owner)
            ensure_data(self._folder, binaries, owner)
            if not self._take_over():
                self._launch(binaries, owner)
            ensure_database(self._folder)
        except psycopg.OperationalError as problem:
            self.stop()
            raise StartFailed(f"the server in {self._folder.path} does not answer: {problem}") from problem
        except BaseException:
            self.stop()
            raise
        return self.url

    def stop(self) -> None:
        """Stop the server and give up the folder. Open connections are ended; what was committed stays."""
        try:
            pid = self.pid
            if self._lock is not None and pid is not None:
                postmaster.stop(self._folder.data, pid, self._reap)
                self._folder.tidy()
        finally:
            self._end_child()
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _take_over(self) -> bool:
        """Take over a server whose owner was killed, if it is healthy and runs with the present settings; return whether it did."""
        data, pid = self._folder.data, self.pid
        if pid is not None:
            if postmaster.started_with(data, self._arguments()) and self._is_healthy():
                return True
            postmaster.stop(data, pid, self._reap)
        self._end_child()
        postmaster.clear_stale_pid_file(data)
        self._folder.clear_socket()
        return False

    def _is_healthy(self) -> bool:
        try:
            address = self._folder.url("postgres", SUPERUSER)
            with psycopg.connect(address, connect_timeout=HEALTH_SECONDS) as connection:
                return connection.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)
        except psycopg.OperationalError:
            return False

    def _launch(self, binaries: Path, owner: RunAs) -> None:
        """Start a server. It gets a session of its own, so that Ctrl-C reaches its owner and not the server."""
        start_of_log = self._trim_log()
        command = (*owner.prefix, str(binaries / "postgres"), *self._arguments())
        try:
            with self._folder.log.open("ab") as log:
                self._process = subprocess.Popen(  # noqa: S603 - our own command
                    command,
                    cwd=self._folder.path,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    **owner.identity(),
                )
        except OSError as problem:
            raise FolderUnusable(f"Postgres cannot be run as {owner.name}: {problem}") from problem
        deadline = time.monotonic() + START_SECONDS
        while not self._is_up(self._process):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise StartFailed(
                    f"Postgres, run as {owner.name}, did not start:\n{self._log_since(start_of_log)}"
                )
            time.sleep(postmaster.POLL_SECONDS)

    def _is_up(self, process: subprocess.Popen[bytes]) -> bool:
        data = self._folder.data
        return postmaster.stated_pid(data) == process.pid and postmaster.is_ready(data)

    def _arguments(self) -> tuple[str, ...]:
        return arguments(self._folder.data, self._folder.socket, self._settings)

    def _end_child(self) -> None:
        """End a child that is not a working server: it is already ending, or has not written its pid file yet."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _reap(self) -> None:
        if self._process is not None:
            self._process.poll()

    def _trim_log(self) -> int:
        """Move a large log aside, replacing the previous one there; return the size of the log that stays."""
        log = self._folder.log
        size = log.stat().st_size
        if size <= LARGE_LOG:
            return size
        log.replace(log.with_suffix(".log.1"))
        return 0

    def _log_since(self, start: int) -> str:
        with self._folder.log.open("rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(start, end - LOG_TAIL))
            return log.read().decode(errors="replace").strip()

"""The files in the folder of an embedded Postgres, their owner, and the lock that admits one owner process at a time."""

from __future__ import annotations

import fcntl
import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from services.embedded_postgres.errors import FolderInUse, FolderUnusable
from services.embedded_postgres.run_as import RunAs
from services.embedded_postgres.settings import SOCKET_PORT

MAX_SOCKET_PATH: Final = 103
"""Bytes; the smaller of what Linux (107) and macOS (103) allow."""
SOCKET_NAME: Final = f".s.PGSQL.{SOCKET_PORT}"
PRIVATE: Final = 0o700
DATABASE: Final = "foldtable"
ROLE: Final = "foldtable"
"""The role of the services: it owns its databases and may create more, but is no superuser."""
SUPERUSER: Final = "postgres"


@dataclass(frozen=True)
class Folder:
    """The folder and the files in it. The path is absolute, without symbolic links."""

    path: Path

    @property
    def data(self) -> Path:
        return self.path / "data"

    @property
    def log(self) -> Path:
        """The log of Postgres; when it has grown large, it is moved to a file beside it."""
        return self.path / "postgres.log"

    @property
    def lock(self) -> Path:
        return self.path / "owner.lock"

    @property
    def socket(self) -> Path:
        """The folder of the socket: in this folder, unless its path is too long for a socket, or has a comma, which libpq takes to
        separate hosts.
        """
        here = self.path / "socket"
        if len(os.fsencode(here / SOCKET_NAME)) <= MAX_SOCKET_PATH and "," not in str(here):
            return here
        name = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"foldtable-{name}"

    def url(self, database: str = DATABASE, role: str = ROLE) -> str:
        """Return the address of a database, for libpq, psycopg and `psql`. It sets everything that PG… variables could set."""
        return f"postgresql://{role}@/{database}?host={quote(str(self.socket), safe='')}&port={SOCKET_PORT}"

    def _make_socket_folder(self, owner: RunAs) -> None:
        """Make the socket's folder. Raises FolderUnusable if another user has made it in the shared temporary folder."""
        self.socket.mkdir(mode=PRIVATE, exist_ok=True)
        found = self.socket.lstat()
        is_strange = not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), owner.uid}
        if self._has_socket_elsewhere() and is_strange:
            raise FolderUnusable(f"{self.socket} belongs to somebody else; remove it")
        self.socket.chmod(PRIVATE)
        _give(self.socket, owner)

    def prepare(self, owner: RunAs) -> None:
        """Make what Postgres needs beside its data, private and owned by `owner`. Raises FolderUnusable if that is impossible."""
        try:
            self._make_socket_folder(owner)
            self.log.touch(mode=0o600)
            _give(self.log, owner)
            _give(self.path, owner)
            _give(self.lock, owner)
            if os.geteuid() == 0 and self.data.exists() and self.data.stat().st_uid != owner.uid:
                _give_all(self.data, owner)
        except OSError as problem:
            raise FolderUnusable(f"the folder {self.path} cannot be used: {problem}") from problem

    def clear_socket(self) -> None:
        """Remove the socket of a server that has ended, and its lock file, whose process id may belong to another program by now."""
        (self.socket / SOCKET_NAME).unlink(missing_ok=True)
        (self.socket / f"{SOCKET_NAME}.lock").unlink(missing_ok=True)

    def tidy(self) -> None:
        """Remove what a stopped server has left outside the folder."""
        if self._has_socket_elsewhere():
            with suppress(OSError):  # never made, or not empty
                self.socket.rmdir()

    def _has_socket_elsewhere(self) -> bool:
        return not self.socket.is_relative_to(self.path)

    def own(self) -> int:
        """Take the lock that makes this process the folder's owner, and return its file descriptor.

        Raises FolderInUse if another process owns the folder, FolderUnusable if the folder cannot be written.
        The kernel releases the lock when this process ends, in whatever way. Children do not inherit it.
        """
        try:
            self.path.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
            lock = os.open(self.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as problem:
            raise FolderUnusable(f"the folder {self.path} cannot be written: {problem}") from problem
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            owner = os.read(lock, 32).decode(errors="replace").strip() or "unknown"
            os.close(lock)
            raise FolderInUse(
                f"the folder {self.path} is in use by process {owner}; stop that one, or choose another folder"
            ) from None
        os.ftruncate(lock, 0)
        os.write(lock, f"{os.getpid()}\n".encode())
        return lock


def _give(path: Path, owner: RunAs) -> None:
    """Give a file to the owner. Only root can do so; other users own their files already."""
    if os.geteuid() == 0 and path.stat().st_uid != owner.uid:
        os.chown(path, owner.uid, owner.gid)


def _give_all(top: Path, owner: RunAs) -> None:
    for folder, folders, files in os.walk(top):
        for name in (*folders, *files):
            os.chown(Path(folder) / name, owner.uid, owner.gid, follow_symlinks=False)
    os.chown(top, owner.uid, owner.gid)

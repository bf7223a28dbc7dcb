"""The programs that a cluster consists of, where Debian's packages put them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

PACKAGES: Final = {
    "patroni": "patroni",
    "etcd": "etcd-server",
    "haproxy": "haproxy",
    "postgres": "postgresql",
}
"""The package that brings each program."""
SAFE_WITH_ETCD3: Final = (3, 0, 3)
"""The first release of Patroni whose leader looks whether it still is the leader when it renews a lost lease."""
_FOLDERS: Final = os.pathsep.join((os.defpath, "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"))
_POSTGRES: Final = Path("/usr/lib/postgresql")
"""Debian keeps every major version in a folder of its own here."""


def program(name: str) -> Path | None:
    """Return where a program is, of Postgres's own of the newest version; None: it is not installed."""
    if name == "postgres":
        folder = postgres_folder()
        return None if folder is None else folder / name
    found = shutil.which(name, path=_FOLDERS)
    return None if found is None else Path(found)


def postgres_folder() -> Path | None:
    """Return the folder of Postgres's own programs, of the newest version that is installed."""
    folders = [one.parent for one in _POSTGRES.glob("*/bin/postgres") if one.parts[-3].isdecimal()]
    return max(folders, key=lambda one: int(one.parts[-2]), default=None)


def etcd_api() -> str:
    """Return the section of Patroni's settings that says where etcd is, and so which of its interfaces is used.

    Before 3.0.3 Patroni must not use `etcd3`: a leader that was frozen writes itself over the leader that was elected meanwhile.
    """
    told = subprocess.run([str(must_be("patroni")), "--version"], capture_output=True, text=True, check=True)
    version = tuple(int(part) for part in re.findall(r"\d+", told.stdout))
    return "etcd3" if version >= SAFE_WITH_ETCD3 else "etcd"


def missing_packages() -> list[str]:
    """Return the packages that have to be installed first."""
    return [package for name, package in PACKAGES.items() if program(name) is None]


def must_be(name: str) -> Path:
    """Return where a program is. Raises FileNotFoundError, with the package's name, if it is not installed."""
    found = program(name)
    if found is None:
        raise FileNotFoundError(f"there is no {name}: install the package {PACKAGES[name]}")
    return found

"""A PgBouncer in front of the tests' Postgres, in session or transaction mode. For tests; used by name."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from services.embedded_postgres.run_as import run_as
from services.postgres.sessions import Pooler
from tests.support.deployment import free_addresses
from tests.support.tethers import tethered

PLACES: Final = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"
"""Debian's is not on everybody's path."""
STATEMENTS_SINCE: Final = (1, 21)
"""Since then prepared statements follow a client from server to server in transaction mode."""
SECONDS: Final = 20.0


@cache
def why_not(mode: Pooler) -> str:
    """Return why there is no PgBouncer for a mode; nothing, if there is one."""
    program = _program()
    if program is None:
        return "needs pgbouncer (.ci/system-packages installs it)"
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"PgBouncer (\d+)\.(\d+)", said)
    assert found, said
    if mode is Pooler.TRANSACTION and (int(found[1]), int(found[2])) < STATEMENTS_SINCE:
        return f"transaction mode needs PgBouncer 1.21 or newer, here is {found[0]}"
    return ""


@contextmanager
def pgbouncer(folder: Path, url: str, mode: Pooler, *, servers: int) -> Iterator[str]:
    """Start one in front of a database, with at most so many connections to it; give the address of the database there."""
    program = _program()
    assert program is not None
    given = conninfo_to_dict(url)
    host, _, port = free_addresses(1)[0].rpartition(":")
    settings = folder / "pgbouncer.ini"
    settings.write_text(f"""
[databases]
* = host={given["host"]} port={given.get("port", 5432)}

[pgbouncer]
listen_addr = {host}
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {folder / "users"}
pool_mode = {mode.value}
default_pool_size = {servers}
max_client_conn = 200
{"max_prepared_statements = 200" if mode is Pooler.TRANSACTION else ""}
""")
    (folder / "users").write_text(f'"{given["user"]}" ""\n')
    user = run_as(folder)
    for path in (settings, folder / "users"):
        path.chmod(0o644)
    with (
        (folder / "pgbouncer.log").open("wb") as log,
        subprocess.Popen(
            [*user.prefix, program, str(settings)], stdout=log, stderr=log, **user.identity()
        ) as process,
        tethered(process.pid),
    ):
        try:
            pooled = make_conninfo(url, host=host, port=port)
            _wait_for(pooled, folder / "pgbouncer.log")
            yield pooled
        finally:
            process.terminate()
            process.wait(SECONDS)


def _program() -> str | None:
    return shutil.which("pgbouncer") or shutil.which("pgbouncer", path=PLACES)


def _wait_for(url: str, log: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError:
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        else:
            return

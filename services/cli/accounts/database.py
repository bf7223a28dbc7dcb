"""The database that account commands use: the one in FOLDTABLE_DATABASE_URL, or that of the server running here."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, TypeVar

import psycopg
import typer

from services.cli.console import fail
from services.cli.running_system import running_in
from services.identity.api_keys import KeyInactive, KeyUnknown
from services.identity.tenants import TenantUnknown
from services.postgres.database import Connection, DatabaseSettings, connect

T = TypeVar("T")

HomeOption = Annotated[
    Path,
    typer.Option(
        envvar="FOLDTABLE_HOME",
        help="Folder of a running server whose database is used; FOLDTABLE_DATABASE_URL takes precedence.",
    ),
]


def in_database(home: Path, work: Callable[[Connection], Awaitable[T]]) -> T:
    """Do `work` in the database and return its result; end the command with one line if it fails."""
    url = database_of(home)

    async def connected() -> T:
        async with await connect(DatabaseSettings(url), name="foldtable accounts") as connection:
            return await work(connection)

    try:
        return asyncio.run(connected())
    except (ValueError, TenantUnknown, KeyUnknown, KeyInactive, psycopg.Error) as problem:
        fail(str(problem).strip())


def database_of(home: Path) -> str:
    """Return the address of the database to use; end the command if there is none."""
    url = os.environ.get("FOLDTABLE_DATABASE_URL") or _running(home)
    if not url:
        fail(f"FOLDTABLE_DATABASE_URL is not set, and no system runs in {home}", code=2)
    return url


def _running(home: Path) -> str:
    """Return the address of the Postgres of the system running in a home; empty if none runs."""
    running = running_in(home)
    parts = () if running is None else running.parts
    return next((part.address for part in parts if part.name == "postgres"), "")


def moment(value: datetime | None) -> str:
    """Return a time as text, to the second, in UTC; a dash for none."""
    return "-" if value is None else f"{value:%Y-%m-%d %H:%M:%S}Z"

"""The database that commands about accounts work on: one that is named, or the one of the house that runs here."""

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
from services.cli.home import Home
from services.database import Connection, DatabaseSettings, connect
from services.platform.api_keys import KeyInactive, KeyUnknown
from services.platform.tenants import TenantUnknown

T = TypeVar("T")

HomeOption = Annotated[
    Path,
    typer.Option(
        envvar="FOLDTABLE_HOME",
        help="The house whose database is meant, while it runs; FOLDTABLE_DATABASE_URL wins.",
    ),
]


def in_database(home: Path, work: Callable[[Connection], Awaitable[T]]) -> T:
    """Do something in the database, and give what it gives; what goes wrong is said in a line, and ends the command."""
    url = database_of(home)

    async def connected() -> T:
        async with await connect(DatabaseSettings(url), name="foldtable accounts") as connection:
            return await work(connection)

    try:
        return asyncio.run(connected())
    except (ValueError, TenantUnknown, KeyUnknown, KeyInactive, psycopg.Error) as problem:
        fail(str(problem).strip())


def database_of(home: Path) -> str:
    """Give the address of the database that is meant; ends the command where there is none."""
    url = os.environ.get("FOLDTABLE_DATABASE_URL") or _running(home)
    if not url:
        fail(f"FOLDTABLE_DATABASE_URL is not set, and no house runs in {home}", code=2)
    return url


def _running(home: Path) -> str:
    """Give the address of the Postgres of the house that runs in a home; empty if none does."""
    running = Home(home.absolute()).running()
    parts = () if running is None else running.parts
    return next((part.address for part in parts if part.name == "postgres"), "")


def moment(value: datetime | None) -> str:
    """Write a time, to the second, in UTC; a dash for none."""
    return "-" if value is None else f"{value:%Y-%m-%d %H:%M:%S}Z"

"""`foldtable key`: issues an API key for a tenant, in a database of one's own."""

from __future__ import annotations

import asyncio
import os
from typing import Annotated

import psycopg
import typer

from services.cli.console import OUT, fail
from services.cli.development_key import SCOPES
from services.database import DatabaseSettings, connect_arguments
from services.platform.api_keys import issue_key
from services.platform.tenants import create_tenant


def key(
    tenant: Annotated[str, typer.Argument(help="The tenant's id; it is created if it is new.")],
    environment: Annotated[
        str, typer.Option(help="Part of the key, to tell keys apart: ft_<environment>_….")
    ] = "live",
) -> None:
    """Issue an API key in the database of FOLDTABLE_DATABASE_URL. It is shown this once and stored nowhere."""
    url = os.environ.get("FOLDTABLE_DATABASE_URL", "")
    if not url:
        fail("FOLDTABLE_DATABASE_URL is not set", code=2)
    try:
        OUT.print(asyncio.run(_issue(url, tenant, environment)), markup=False, soft_wrap=True)
    except (ValueError, psycopg.Error) as problem:
        fail(str(problem).strip())


async def _issue(url: str, tenant: str, environment: str) -> str:
    arguments = connect_arguments(DatabaseSettings(url), name="foldtable key")
    async with await psycopg.AsyncConnection.connect(url, **arguments) as connection:
        await create_tenant(connection, tenant)
        _, issued = await issue_key(connection, tenant, SCOPES, environment=environment)
        return issued

"""`foldtable tenants`: the platforms that use the service."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.cli.accounts.database import HomeOption, in_database, moment
from services.cli.console import fail, say
from services.identity.tenants import Tenant, create_tenant, list_tenants
from services.postgres.database import Connection

app = typer.Typer(help="The platforms that use the server.", no_args_is_help=True)


@app.command()
def create(
    tenant: Annotated[str, typer.Argument(help="Its id: a letter, then letters, digits, _ and -.")],
    home: HomeOption = Path(".foldtable"),
) -> None:
    """Create a tenant."""

    async def work(connection: Connection) -> Tenant | None:
        return await create_tenant(connection, tenant)

    if in_database(home, work) is None:
        fail(f"the tenant {tenant} already exists")
    say(f"tenant {tenant} created; issue a key:  foldtable keys create {tenant}")


@app.command("list")
def list_(home: HomeOption = Path(".foldtable")) -> None:
    """List all tenants, in alphabetical order."""

    async def work(connection: Connection) -> list[Tenant]:
        return await list_tenants(connection, limit=1_000_000)

    for tenant in in_database(home, work):
        typer.echo(f"{tenant.id}\tsince {moment(tenant.created_at)}")

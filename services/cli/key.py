"""`foldtable key`: a tenant and its API key in one go; `foldtable tenants` and `foldtable keys` do it step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from services.cli.accounts import HomeOption, in_database
from services.cli.console import say
from services.database import Connection
from services.platform.api_keys import issue_key
from services.platform.scopes import Scope
from services.platform.tenants import create_tenant

SCOPES: Final = (Scope.MATCHES_READ, Scope.MATCHES_WRITE)


def key(
    tenant: Annotated[str, typer.Argument(help="The tenant's id; it is created if it is new.")],
    environment: Annotated[
        str, typer.Option(help="Part of the key, to tell keys apart: ft_<environment>_….")
    ] = "live",
    home: HomeOption = Path(".foldtable"),
) -> None:
    """Issue an API key for everything with a tenant's matches. It is shown this once and stored nowhere."""

    async def work(connection: Connection) -> str:
        await create_tenant(connection, tenant)
        _, issued = await issue_key(connection, tenant, SCOPES, environment=environment)
        return issued

    say(in_database(home, work))

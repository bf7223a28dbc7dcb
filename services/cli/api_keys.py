"""`foldtable keys`: API keys of tenants. A key is shown once, alone on standard output, and stored nowhere."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from services.cli.accounts import HomeOption, in_database, moment
from services.cli.console import ERR, say
from services.database import Connection
from services.platform.api_keys import ApiKey, issue_key, list_keys, revoke_key, rotate_key
from services.platform.scopes import Scope

app = typer.Typer(help="API keys of tenants.", no_args_is_help=True)

KeyArgument = Annotated[UUID, typer.Argument(help="The key's id, as `foldtable keys list` shows it.")]


@app.command()
def create(
    tenant: Annotated[str, typer.Argument(help="The tenant's id.")],
    scope: Annotated[
        list[Scope], typer.Option(help="What the key is good for; more than one may be given.")
    ] = [Scope.MATCHES_READ, Scope.MATCHES_WRITE],  # noqa: B006 - typer reads it, nobody changes it
    label: Annotated[str, typer.Option(help="What you call it.")] = "",
    days: Annotated[
        float | None, typer.Option(min=0, help="How long it is good for; unsaid: for good.")
    ] = None,
    environment: Annotated[
        str, typer.Option(help="Part of the key, to tell keys apart: ft_<environment>_….")
    ] = "live",
    home: HomeOption = Path(".foldtable"),
) -> None:
    """Issue a key."""
    expires_at = None if days is None else datetime.now(UTC) + timedelta(days=days)

    async def work(connection: Connection) -> tuple[ApiKey, str]:
        return await issue_key(
            connection, tenant, scope, environment=environment, label=label, expires_at=expires_at
        )

    key, secret = in_database(home, work)
    _tell(key)
    say(secret)


@app.command("list")
def list_(
    tenant: Annotated[str, typer.Argument(help="The tenant's id.")], home: HomeOption = Path(".foldtable")
) -> None:
    """List a tenant's keys, oldest first, those of the past included."""

    async def work(connection: Connection) -> list[ApiKey]:
        return await list_keys(connection, tenant, limit=1_000_000)

    for key in in_database(home, work):
        typer.echo(
            f"{key.id}\t{key.prefix}…\t{' '.join(sorted(key.scopes))}\t{key.label or '-'}\t"
            f"since {moment(key.created_at)}\t{_end(key)}"
        )


@app.command()
def rotate(
    key_id: KeyArgument,
    grace_hours: Annotated[
        float, typer.Option(min=0, help="How long the old key goes on; 0: it ends at once.")
    ] = 24,
    home: HomeOption = Path(".foldtable"),
) -> None:
    """Issue a key in place of another one: the same tenant, label and scopes, and as long a life."""

    async def work(connection: Connection) -> tuple[ApiKey, str, ApiKey]:
        return await rotate_key(connection, key_id, grace=timedelta(hours=grace_hours))

    key, secret, replaced = in_database(home, work)
    _tell(key)
    ERR.print(f"the old key {replaced.prefix}… ends {moment(replaced.expires_at)}", markup=False)
    say(secret)


@app.command()
def revoke(key_id: KeyArgument, home: HomeOption = Path(".foldtable")) -> None:
    """Revoke a key for good; services forget it within ten seconds."""

    async def work(connection: Connection) -> ApiKey:
        return await revoke_key(connection, key_id)

    key = in_database(home, work)
    say(f"key {key.prefix}… of {key.tenant} is revoked since {moment(key.revoked_at)}")


def _tell(key: ApiKey) -> None:
    """Say beside the key what is kept of it."""
    scopes = ", ".join(sorted(key.scopes))
    ERR.print(
        f"key {key.id} of {key.tenant}: {scopes}; {_end(key)}. It is shown this once:",
        markup=False,
        soft_wrap=True,
    )


def _end(key: ApiKey) -> str:
    if key.revoked_at is not None:
        return f"revoked {moment(key.revoked_at)}"
    if key.expires_at is None:
        return "does not expire"
    return f"{'expired' if key.has_expired(datetime.now(UTC)) else 'expires'} {moment(key.expires_at)}"

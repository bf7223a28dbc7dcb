"""`foldtable keys`: API keys of tenants. A key is shown once, alone on standard output, and stored nowhere."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from services.cli.accounts.database import HomeOption, in_database, moment
from services.cli.console import ERR, fail, say
from services.cli.running_system import development_key, running_in
from services.identity.api_keys import ApiKey, issue_key, list_keys, revoke_key, rotate_key
from services.identity.scopes import Scope
from services.identity.tenants import create_tenant
from services.postgres.database import Connection

app = typer.Typer(help="API keys of tenants.", no_args_is_help=True)

KeyArgument = Annotated[UUID, typer.Argument(help="The key's id, as `foldtable keys list` shows it.")]


@app.command()
def create(
    tenant: Annotated[str, typer.Argument(help="The tenant's id.")],
    scope: Annotated[
        list[Scope], typer.Option(help="What the key may do; more than one scope can be given.")
    ] = [Scope.MATCHES_READ, Scope.MATCHES_WRITE],  # noqa: B006 - typer only reads it
    label: Annotated[str, typer.Option(help="A label for the key.")] = "",
    days: Annotated[
        float | None, typer.Option(min=0, help="How long the key is valid; without it, forever.")
    ] = None,
    environment: Annotated[
        str, typer.Option(help="Part of the key, to distinguish keys: ft_<environment>_….")
    ] = "live",
    new_tenant: Annotated[bool, typer.Option(help="Create the tenant if it does not exist.")] = False,
    home: HomeOption = Path(".foldtable"),
) -> None:
    """Issue a key."""
    expires_at = None if days is None else datetime.now(UTC) + timedelta(days=days)

    async def work(connection: Connection) -> tuple[ApiKey, str]:
        if new_tenant:
            await create_tenant(connection, tenant)
        return await issue_key(
            connection, tenant, scope, environment=environment, label=label, expires_at=expires_at
        )

    key, secret = in_database(home, work)
    _describe(key)
    say(secret)


@app.command()
def development(home: HomeOption = Path(".foldtable")) -> None:
    """Show the development key of the system running here; it has every scope."""
    key = development_key(home) if running_in(home) is not None else ""
    if not key:
        fail(f"no system runs in {home}, or its key is not yours to read", code=2)
    say(key)


@app.command("list")
def list_(
    tenant: Annotated[str, typer.Argument(help="The tenant's id.")], home: HomeOption = Path(".foldtable")
) -> None:
    """List a tenant's keys, oldest first, including expired and revoked ones."""

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
        float, typer.Option(min=0, help="How long the old key stays valid; 0: it ends at once.")
    ] = 24,
    home: HomeOption = Path(".foldtable"),
) -> None:
    """Issue a key that replaces another one, with the same tenant, label, scopes and lifetime."""

    async def work(connection: Connection) -> tuple[ApiKey, str, ApiKey]:
        return await rotate_key(connection, key_id, grace=timedelta(hours=grace_hours))

    key, secret, replaced = in_database(home, work)
    _describe(key)
    ERR.print(f"the old key {replaced.prefix}… ends {moment(replaced.expires_at)}", markup=False)
    say(secret)


@app.command()
def revoke(key_id: KeyArgument, home: HomeOption = Path(".foldtable")) -> None:
    """Revoke a key permanently; servers refuse it within ten seconds."""

    async def work(connection: Connection) -> ApiKey:
        return await revoke_key(connection, key_id)

    key = in_database(home, work)
    say(f"key {key.prefix}… of {key.tenant} is revoked since {moment(key.revoked_at)}")


def _describe(key: ApiKey) -> None:
    """Print what is stored about a key, beside the key itself."""
    scopes = ", ".join(sorted(key.scopes))
    ERR.print(
        f"key {key.id} of {key.tenant}: {scopes}; {_end(key)}. It is shown only this once:",
        markup=False,
        soft_wrap=True,
    )


def _end(key: ApiKey) -> str:
    if key.revoked_at is not None:
        return f"revoked {moment(key.revoked_at)}"
    if key.expires_at is None:
        return "does not expire"
    return f"{'expired' if key.has_expired(datetime.now(UTC)) else 'expires'} {moment(key.expires_at)}"

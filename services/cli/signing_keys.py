"""`foldtable signing-keys`: a server's key pairs, which sign match tokens and exports."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from services.cli.console import fail, say
from services.identity.signing_keys import add_public_key, create_private_key, read_private_key
from services.process.public_keys import jwk_set, read_public_keys, thumbprint

app = typer.Typer(help="Key pairs that sign match tokens and exports.", no_args_is_help=True)

PublicFile = Annotated[Path, typer.Argument(help="A file of public keys (PEM).")]


@app.command()
def create(
    private: Annotated[Path, typer.Argument(help="File for the new private key; must not exist.")],
    public: Annotated[
        Path,
        typer.Option(help="File of public keys to which the public half is added; created if missing."),
    ],
) -> None:
    """Create a key, and add its public half to the known ones. It signs once a server is given the private file."""
    try:
        if public.exists():
            read_public_keys(public)  # checked before creating a key that nobody would know
        key = create_private_key(private)
        add_public_key(public, key.public_key())
    except FileExistsError:
        fail(f"{private} already exists: a key is never overwritten", code=2)
    except (OSError, ValueError) as problem:
        fail(str(problem), code=2)
    say(thumbprint(key.public_key()))


@app.command("list")
def list_(
    public: PublicFile,
    private: Annotated[
        Path | None, typer.Option(help="The private key in use: it is marked in the list.")
    ] = None,
) -> None:
    """List the ids of public keys, in order, as signatures name them."""
    try:
        keys = read_public_keys(public)
        signs = None if private is None else thumbprint(read_private_key(private).public_key())
    except (OSError, ValueError) as problem:
        fail(str(problem), code=2)
    listed = [thumbprint(key) for key in keys]
    for key_id in listed:
        say(f"{key_id}{' signs' if key_id == signs else ''}")
    if signs is not None and signs not in listed:
        fail(f"{private} is the key {signs}, whose public half is not in {public}")


@app.command()
def jwks(public: PublicFile) -> None:
    """Print public keys as a JWK set, as a gateway publishes those of exports."""
    try:
        keys = read_public_keys(public)
    except (OSError, ValueError) as problem:
        fail(str(problem), code=2)
    typer.echo(msgspec.json.format(msgspec.json.encode(jwk_set(keys))))

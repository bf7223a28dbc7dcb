"""The system that a command uses: the named one, or the one that `foldtable up` runs on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import typer

from foldtable_client.headers import authorization
from services.cli.console import fail
from services.cli.up.home import Home, Running, read_secret

USUAL_URL: Final = "http://127.0.0.1:8080"

Url = Annotated[
    str,
    typer.Option(
        envvar="FOLDTABLE_URL",
        help=f"Address of the gateway; if it is not given, the system that runs in --home, or {USUAL_URL}.",
    ),
]
Key = Annotated[
    str,
    typer.Option(
        envvar="FOLDTABLE_KEY",
        help="An API key, or a seat's token; if it is not given, the development key of the system in --home.",
    ),
]
HomeOption = Annotated[
    Path,
    typer.Option(
        envvar="FOLDTABLE_HOME", help="Folder of a system that `foldtable up` runs on this machine."
    ),
]
USUAL_HOME: Final = Path(".foldtable")


def running_in(home: Path) -> Running | None:
    """Return the system running in a home; None if there is none, even if a killed one left its files behind."""
    running = Home(home.absolute()).running()
    return running if running is not None and _is_alive(running.pid) else None


def url_of(url: str, home: Path) -> str:
    """Return the address of the gateway to use."""
    running = None if url else running_in(home)
    return url or (USUAL_URL if running is None else running.address)


def key_of(key: str, url: str, home: Path) -> str:
    """Return the given key, else the development key of the system that runs at exactly this address.

    The development key is sent nowhere else. End the command if there is no key.
    """
    if key:
        try:
            authorization(key)
        except ValueError as problem:
            fail(f"--key: {problem}", code=2)
        return key
    running = running_in(home)
    found = development_key(home) if running is not None and _same_server(url, running.address) else ""
    if not found:
        fail("a key is needed: --key, or FOLDTABLE_KEY", code=2)
    return found


def development_key(home: Path) -> str:
    """Return the development key stored in a home; empty if there is none, or if this user may not read it."""
    try:
        return read_secret(Home(home.absolute()).development_key)
    except OSError:
        return ""


def _same_server(one: str, other: str) -> bool:
    return _place(one) == _place(other)


def _place(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname
    return parts.scheme, host, parts.port


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # the process belongs to another user
        return True
    return True

"""What `foldtable up` prints once the system is up: where it is, and what to try first."""

from __future__ import annotations

import shlex
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from foldtable_client import ProblemError, Unreachable
from services.cli.login_link import NoPage, login_link, page_is_off
from services.cli.up.home import Home
from services.cli.up.stack import Stack


async def greeting(stack: Stack, home: Path) -> str:
    """Return the lines."""
    return "\n".join(
        (
            "",
            *await page_lines(stack.address, stack.key),
            f"Foldtable is up:      {stack.address}",
            f"gRPC:                 {', '.join(stack.grpc_addresses)}",
            f"development key:      {stack.key}",
            f"home folder:          {home} (logs: {home / 'logs'})",
            "",
            *first_commands(home),
            "",
            "Ctrl-C stops all of it; the matches stay.",
            "",
        )
    )


async def page_lines(address: str, key: str) -> tuple[str, ...]:
    """Return how to open the gateway's page: with a link that signs in, if only this machine can follow it.

    No lines if the page is switched off or was not built.
    """
    if page_is_off():
        return ()
    if not is_loopback(address):  # whoever sees this output, such as a collector of logs, could sign in
        return (f"Play in the browser:  {address}/", "")
    try:
        link = await login_link(address, key)
    except NoPage:
        return ()
    except (ProblemError, Unreachable) as problem:  # the system runs all the same
        return (
            f"Play in the browser:  {address}/",
            f"(`foldtable login` prints a link that signs you in; none could be made now: {problem})",
            "",
        )
    return (
        f"Play in the browser:  {link}",
        "(the link works once, within a day; `foldtable login` prints another)",
        "",
    )


def is_loopback(address: str) -> bool:
    """Return whether only this machine reaches an address of HTTP."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def first_commands(home: Path) -> tuple[str, ...]:
    """Return the commands that create a match and show its view."""
    environment = str(Home(home).environment)
    if "/" not in environment:  # the shell would look for it on the PATH
        environment = f"./{environment}"
    authorization = '-H "Authorization: Bearer $FOLDTABLE_KEY"'
    keep_id = r"""sed -n 's/.*"match_id": *"\([^"]*\)".*/\1/p'"""
    body = shlex.quote('{"game": "river_dragons", "seats": 4}')
    return (
        "In another terminal, in this folder (this puts foldtable on the PATH, and sets the address and key in FOLDTABLE_…):",
        "",
        f"  . {shlex.quote(environment)}",
        "",
        "Create a match:",
        "",
        f"  MATCH=$(curl -s $FOLDTABLE_URL/v1/matches {authorization} -H 'Content-Type: application/json' \\",
        f"    -d {body} | tee /dev/stderr | {keep_id})",
        "",
        "Show its view:",
        "",
        f"  curl -s $FOLDTABLE_URL/v1/matches/$MATCH/view {authorization}",
    )

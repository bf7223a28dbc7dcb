"""Opening the page's replay of a match in this machine's browser, with a token that sees no more than was asked for."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from engine.kernel.seats import PUBLIC, Audience
from foldtable_client import ProblemError
from services.cli.login_link import has_page
from services.cli.matches.place import RETRY_SECONDS, MatchAddress
from services.client.match_subscriber import as_query
from services.client.rest import Rest
from services.movelog.records import Status

HOURS: Final = 24.0
"""How long the watch token of a link is valid."""
OF_ONE_MATCH: Final = frozenset({"seat", "spectator", "referee"})
"""The kinds of credential that the browser may get as they are. A key or a session opens more than this match."""
TEXT_BROWSERS: Final = frozenset({"www-browser", "links", "elinks", "lynx", "w3m"})
"""Browsers in terminals, which `webbrowser` also finds; the page needs JavaScript."""
_OUTPUTS: Final = (1, 2)


class NotOpened(Exception):  # noqa: N818 - the name says what happened
    """The match is to be printed instead. The message says why, and how to open the page; it may be empty."""


class Link(msgspec.Struct, frozen=True):
    """The address of the page's replay of a match. Servers see nothing of it but `url`: the rest is the fragment."""

    url: str
    match_id: str
    where: dict[str, str | int]
    """The version and the audience, if they were named."""

    def __str__(self) -> str:
        return self._with(self.where)

    def with_token(self, token: str) -> str:
        """Return the link that the browser gets."""
        return self._with({"token": token, **self.where})

    def _with(self, query: dict[str, str | int]) -> str:
        following = f"?{urlencode(query)}" if query else ""
        return f"{self.url.rstrip('/')}/#/m/{self.match_id}/replay{following}"


async def open_page(address: MatchAddress, key: str, move: int | None, audience: Audience | None) -> Link:
    """Open the page's replay of a match in the browser and return the link, which has no token.

    Raises NotOpened; ProblemError if the caller may not see the match like this; Unreachable.
    """
    async with Rest(address.url, key, retry_for=RETRY_SECONDS) as gateway:
        if not await has_page(gateway):
            raise NotOpened(f"{address.url} has no page for browsers:")
        match = await gateway.get(f"/v1/matches/{address.match_id}")
        last: int = match["version"]
        if last < (move or 1):
            raise NotOpened
        link = Link(address.url, match["match_id"], _where(move, audience))
        browser = _browser()
        if browser is None:
            raise NotOpened(f"no browser here; where there is one, this command opens {link}")
        if audience is not None:
            await _may_look_as(gateway, match["match_id"], audience)
        token = await _token(gateway, match, audience)
    with _silence():
        is_open = browser.open(link.with_token(token))
    if not is_open:
        raise NotOpened(f"the browser did not open; where one does, this command opens {link}")
    return link


def _where(move: int | None, audience: Audience | None) -> dict[str, str | int]:
    where: dict[str, str | int] = {} if move is None else {"at": move}
    if audience is not None:
        where["as"] = audience.kind.value if audience.seat is None else audience.seat
    return where


async def _may_look_as(gateway: Rest, match_id: str, audience: Audience) -> None:
    """Raises ProblemError unless the caller may; a watch token issued below may never see more than its caller."""
    await gateway.get(f"/v1/matches/{match_id}/view", at=1, **as_query(audience))


async def _token(gateway: Rest, match: dict[str, Any], audience: Audience | None) -> str:
    """Return the token with which the page reads the match. Raises NotOpened."""
    caller = await gateway.get("/v1/token")
    if caller["kind"] in OF_ONE_MATCH:
        return gateway.credential
    if caller["kind"] != "api_key":
        raise NotOpened("the page is opened with an API key, or with the token of a seat or a watcher:")
    # Once a match has ended nothing is hidden from a spectator.
    sees_all = audience not in {None, PUBLIC} and match["status"] != Status.ENDED
    body = {"role": "referee" if sees_all else "spectator", "hours": HOURS}
    try:
        issued = await gateway.send(
            "POST",
            f"/v1/matches/{match['match_id']}/watch-tokens",
            content=msgspec.json.encode(body),
            headers={"Content-Type": "application/json"},
        )
    except ProblemError as problem:
        if problem.status != 403:
            raise
        raise NotOpened("this API key may not issue the watch token that the page needs:") from problem
    token: str = msgspec.json.decode(issued.content)["watch_token"]["token"]
    return token


def _browser() -> webbrowser.BaseBrowser | None:
    """Return the browser of this machine, as `$BROWSER` and the desktop say; None if none can show the page."""
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return None
    return None if Path(found.name).name in TEXT_BROWSERS else found


@contextmanager
def _silence() -> Iterator[None]:
    """Discard what programs write that are started here: one that fails often prints the address, and so the token."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(output) for output in _OUTPUTS]
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        for output in _OUTPUTS:
            os.dup2(nothing, output)
        yield
    finally:
        for output, before in zip(_OUTPUTS, kept, strict=True):
            os.dup2(before, output)
        for opened in (nothing, *kept):
            os.close(opened)

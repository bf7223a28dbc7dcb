"""The link with which a browser opens the page of a gateway and is signed in: made with a login code over the public API."""

from __future__ import annotations

import os
from typing import Any, Final
from uuid import UUID

import msgspec

from foldtable_client import ProblemError
from services.client.rest import Rest

PLAYER: Final = "you"
"""The player of a link that names no other."""
HOURS: Final = 24.0
"""How long a session lasts that a link is exchanged for."""
VALID_SECONDS: Final = 86_400
"""How long a link works."""
RETRY_SECONDS: Final = 10.0


class NoPage(Exception):  # noqa: N818 - the name says what happened
    """The gateway has no page that a link could open. The message says which gateway."""


def page_is_off() -> bool:
    """Return whether this environment switches the gateway's page off."""
    return os.environ.get("FOLDTABLE_WEB", "").strip().lower() == "off"


async def has_page(gateway: Rest) -> bool:
    """Return whether browsers get a page from a gateway, which may run elsewhere. Raises Unreachable."""
    try:
        answer = await gateway.send("GET", "/", headers={"Accept": "text/html"})
    except ProblemError:
        return False
    media_type: str = answer.headers.get("content-type", "")
    return media_type.startswith("text/html")


async def login_link(
    url: str, key: str, *, player: str = PLAYER, hours: float = HOURS, match: UUID | None = None
) -> str:
    """Return a link that signs the player in once, and shows a match then. Raises NoPage, ProblemError, Unreachable.

    The gateway is asked for its page first: it may run elsewhere, and a code is not made for a link that shows nothing.
    The code follows `#`: browsers do not send that part of an address to servers, so it is in no access log.
    """
    body: dict[str, Any] = {"player": player, "hours": hours, "valid_seconds": VALID_SECONDS}
    async with Rest(url, key, retry_for=RETRY_SECONDS) as gateway:
        if not await has_page(gateway):
            raise NoPage(
                f"{gateway.address} has no page for browsers: it is switched off (FOLDTABLE_WEB) or was not built"
            )
        made = await gateway.send(
            "POST",
            "/v1/login-codes",
            content=msgspec.json.encode(body),
            headers={"Content-Type": "application/json"},
        )
    link = f"{gateway.address}/#login={msgspec.json.decode(made.content)['code']}"
    return link if match is None else f"{link}&next=/m/{match}"

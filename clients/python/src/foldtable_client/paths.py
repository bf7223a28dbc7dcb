"""Paths of the API, made of ids that may come from anywhere: an id names one thing and never another route."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import httpx


def match_path(match_id: str) -> str:
    """Return the path of a match; raises ValueError as `segment` does."""
    return f"/v1/matches/{segment(match_id)}"


def segment(name: str | int) -> str:
    """Quote an id as one segment of a path (RFC 3986 §3.3).

    Raises ValueError for what quoting cannot protect: an empty id, dot segments (§5.2.4), and slashes, which servers
    on the way unquote before they route.
    """
    told = str(name)
    if told in {"", ".", ".."} or "/" in told or "\\" in told:
        raise ValueError(f"{told[:80]!r} is not an id")
    return quote(told, safe="")


def listed(match_ids: Sequence[str]) -> str:
    """Return the ids of matches as one parameter; raises ValueError as `segment` does, and without any match."""
    if not match_ids:
        raise ValueError("name at least one match")
    for name in match_ids:
        if "," in name:
            raise ValueError(f"{name[:80]!r} is not an id")
        segment(name)
    return ",".join(match_ids)


def require_address(address: str) -> str:
    """Return the address of an API without the slashes it ends with. Raises ValueError if it is none, such as one without `https://`."""
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL as error:
        raise ValueError(f"{address[:80]!r} is not an address: {error}") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise ValueError(f"{address[:80]!r} is not an address: it begins with https:// or http:// and a host")
    return address.rstrip("/")


def require_path(path: str) -> None:
    """Raises ValueError if this is no path of the API, such as a whole URL: the credential must not go elsewhere."""
    if not path.startswith("/") or path.startswith("//"):
        raise ValueError(f"{path[:80]!r} is not a path: it begins with one slash")

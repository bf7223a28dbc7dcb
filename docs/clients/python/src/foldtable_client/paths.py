"""Paths of the API, made of ids that may come from anywhere: an id names one thing and never another route."""

from __future__ import annotations

from urllib.parse import quote


def match_path(match_id: str) -> str:
    """Give the path of a match; ValueError as `segment`."""
    return f"/v1/matches/{segment(match_id)}"


def segment(name: str | int) -> str:
    """Quote an id as one segment of a path (RFC 3986 §3.3).

    ValueError for what no quoting keeps in its place: nothing, the dots that lead elsewhere (§5.2.4), and slashes,
    which the servers on the way unquote before they route.
    """
    told = str(name)
    if told in {"", ".", ".."} or "/" in told or "\\" in told:
        raise ValueError(f"{told[:80]!r} is not an id")
    return quote(told, safe="")


def require_path(path: str) -> None:
    """Refuse with ValueError what is no path of this API, such as a whole URL: the credential must not go elsewhere."""
    if not path.startswith("/") or path.startswith("//"):
        raise ValueError(f"{path[:80]!r} is not a path: it begins with one slash")

"""Which URLs an endpoint may have. The addresses of a host name are checked at every connection (connections.py)."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

import idna

from services.process.bounds import MAX_URL
from services.webhooks.addresses import is_loopback, is_public

LARGEST_PORT: Final = 65_535


def check_url(url: str, *, loopback: bool) -> None:
    """Raises ValueError, whose message says what is wrong, if no endpoint may have this URL.

    `loopback`, for development, also permits http and this machine's own addresses.
    """
    if not url.isascii() and (ascii_host := _ascii_host(url)):
        raise ValueError(f"must be ASCII; its host is written {ascii_host}")
    if len(url) > MAX_URL or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise ValueError(
            f"must have at most {MAX_URL} characters, all of them printable ASCII, and no spaces"
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError("is not a URL") from None
    if parts.scheme != "https" and not (loopback and parts.scheme == "http"):
        raise ValueError("must begin with https://")
    if not host or (port is not None and not 0 < port <= LARGEST_PORT):
        raise ValueError("must name a host")
    if "@" in parts.netloc or parts.fragment or url.endswith("#"):
        raise ValueError("must hold no user, no password and no fragment")
    _check_host(host, loopback=loopback)


def _ascii_host(url: str) -> str:
    """Return the ASCII form of a host name in other letters (RFC 5890, `xn--…`); empty if it has none."""
    try:
        host = urlsplit(url[:MAX_URL]).hostname or ""
        return "" if host.isascii() else idna.encode(host, uts46=True).decode("ascii")
    except ValueError:  # idna.IDNAError among them
        return ""


def _check_host(host: str, *, loopback: bool) -> None:
    """Raises ValueError if the host is clearly private; nothing is looked up."""
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        if host.rstrip(".").rpartition(".")[2] in {"localhost", "local", "internal"} and not loopback:
            raise ValueError("must name a host of the public Internet") from None
        return
    if not (is_public(host) or (loopback and is_loopback(host))):
        raise ValueError("must name a host of the public Internet")

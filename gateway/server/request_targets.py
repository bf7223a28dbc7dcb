"""Conversion of request targets (RFC 9112 §3.2) to the path and query that are used for routing."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from httptools import HttpParserInvalidURLError, parse_url

ASTERISK: Final = "*"
"""`OPTIONS *` asks about the server, not about a resource (RFC 9110 §9.3.7)."""
NOWHERE: Final = ""
"""The path of a request whose target is not a resource of this server. No route matches it."""

_SCHEMES: Final = frozenset({b"http", b"https"})
_ENCODED_SLASH: Final = re.compile(rb"%2f", re.IGNORECASE)


class TargetMalformed(Exception):  # noqa: N818 - the name says what happened
    """The request line contains no valid target."""


class ForeignTarget(Exception):  # noqa: N818 - as above
    """The target is well-formed but cannot be this server's: an authority to connect to, or a scheme other than http."""


def origin_form(method: bytes, target: bytes) -> bytes:
    """Return path and query of a target in any form, or `*` if it addresses the server itself.

    The host is ignored: the server serves the same under every name. An empty path is `/` (RFC 9110 §4.2.3).
    Raises ForeignTarget if this server cannot serve the target, TargetMalformed if it is not a target.
    """
    if method == b"CONNECT":
        raise ForeignTarget
    if target == b"*":
        if method != b"OPTIONS":
            raise TargetMalformed
        return target
    try:
        parsed = parse_url(target)
    except HttpParserInvalidURLError:
        raise TargetMalformed from None
    if parsed.schema and parsed.schema.lower() not in _SCHEMES:
        raise ForeignTarget
    if not parsed.path and not parsed.query and method == b"OPTIONS":
        return b"*"  # RFC 9112 §3.2.4
    path = parsed.path or b"/"
    return b"%b?%b" % (path, parsed.query) if parsed.query else path


def decoded_path(raw: bytes) -> str:
    """Return a path with its percent-encoding decoded, except for slashes: an encoded slash is part of a segment.

    RFC 3986 §2.2: `/v1%2Ftenants` is not the same resource as `/v1/tenants`, and a proxy may have treated it differently.
    """
    return unquote(_ENCODED_SLASH.sub(b"%252F", raw).decode("ascii"))

"""Headers of requests by name, and what every response says to caches and browsers.

A request looks headers up about six times, so they are indexed once.

`Vary` follows from the signature of an operation, so it is the same for its successes, its problems and its 304s. A response
that says nothing of caches is kept by none: nginx with `proxy_cache_valid` keeps whatever does not forbid it, also what was
sent to somebody with a credential.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from starlette.requests import Request
from starlette.types import Scope

_SCOPE_KEY: Final = "foldtable.headers"

Headers = dict[bytes, bytes]


def headers_of(scope: Scope) -> Headers:
    """Return a request's headers by lower-case name.

    Several lines of one name are joined to a list (RFC 9110 §5.2). A header that takes a single value then refuses the list
    like any other value it does not accept.
    """
    found: Headers | None = scope.get(_SCOPE_KEY)
    if found is not None:
        return found
    headers: Headers = {}
    for name, value in scope["headers"]:
        headers[name] = headers[name] + b", " + value if name in headers else value
    scope[_SCOPE_KEY] = headers
    return headers


def header(request: Request, name: bytes) -> str | None:
    """Return a header's value; None if it was not sent."""
    value = headers_of(request.scope).get(name)
    return None if value is None else value.decode("latin-1")


NO_STORE: Final = {"cache-control": "private, no-store"}
"""For responses that a cache gains nothing by keeping."""
HeaderLine = tuple[bytes, bytes]

_CACHE_CONTROL: Final = b"cache-control"
_VARY: Final = b"vary"
_TYPED: Final = (b"x-content-type-options", b"nosniff")
_UNKEPT: Final = (_CACHE_CONTROL, NO_STORE["cache-control"].encode())


def varying(*, by_credential: bool, by_type: bool, by_language: bool) -> bytes:
    """Return the `Vary` of an operation. Every response depends on `Accept-Encoding`, and on `Origin` by what CORS adds."""
    names = (
        *(("Accept",) if by_type else ()),
        "Accept-Encoding",
        *(("Accept-Language",) if by_language else ()),
        *(("Authorization",) if by_credential else ()),
        "Origin",
    )
    return ", ".join(names).encode("ascii")


UNROUTED: Final = varying(by_credential=True, by_type=False, by_language=False)
"""The `Vary` of a response to a request that no route matches: a limit may be the credential's."""


def for_caches(scope: Scope, headers: Iterable[HeaderLine]) -> list[HeaderLine]:
    """Return the headers of a response with what caches and browsers are told, in the place of any other `Vary`."""
    route = scope.get("route")
    lines = [line for line in headers if line[0] != _VARY]
    if not any(name == _CACHE_CONTROL for name, _ in lines):
        lines.append(_UNKEPT)
    lines += ((_VARY, UNROUTED if route is None else route.varies), _TYPED)
    return lines

"""Request headers by name. A request looks headers up about six times, so they are indexed once."""

from __future__ import annotations

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

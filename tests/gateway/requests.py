"""Requests without a server, for the parts that only read them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import Message

Headers = dict[str, str] | list[tuple[str, str]]


def request(
    *, headers: Headers | None = None, query: bytes = b"", body: bytes | list[bytes] = b"", match_id: str = ""
) -> Request:
    """Return a request; a list of bodies arrives in so many pieces."""
    pairs = list(headers.items()) if isinstance(headers, dict) else headers or []
    pieces = [body] if isinstance(body, bytes) else list(body)

    async def receive() -> Message:
        return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "query_string": query,
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in pairs],
        "path_params": {"match_id": match_id},
    }
    return Request(scope, receive)

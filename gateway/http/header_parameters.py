"""Request headers as parameters of a signature: `known: Annotated[str | None, sent_header("If-None-Match", "…")]`.

FastAPI reads only the first line of a header. Here several lines form one list, as HTTP defines it, so that a list is refused
where one value is expected.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi import Depends, Header
from starlette.requests import Request

from gateway.headers import header

SCHEMAS: Final[Mapping[str, dict[str, Any]]] = {
    "Accept-Language": {"examples": ["it, en;q=0.5"]},
    "Idempotency-Key": {
        # A String of Structured Fields (RFC 9651 §3.3.3), or the same bare.
        "pattern": r'^("([\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,64}"|[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{1,64})$',
        "examples": ['"0b8d2c1e-5c0e-4c55-9d1d-6e4a2f0f9c11"'],
    },
    "If-Match": {
        # A list, and what lost its quotes, is accepted too, but not documented.
        "pattern": r'^(W/)?"v:(0|[1-9][0-9]{0,14})([-;:][0-9A-Za-z=.:;_+-]{0,99})?"$',
        "examples": ['"v:12"'],
    },
    "If-None-Match": {"examples": ['"v:12;a=3fa9c1d2e4b5"']},
    "Last-Event-ID": {"examples": ["41"]},
}
"""Schema of each header in the OpenAPI document. The code that reads a header validates it."""


def sent_header(name: str, description: str) -> Any:
    """Return the dependency that reads a header's value; None if it was not sent."""

    async def read(
        request: Request,
        _described: str | None = Header(
            None, alias=name, description=description, json_schema_extra=SCHEMAS[name]
        ),
    ) -> str | None:
        return header(request, name.lower().encode())

    return Depends(read)

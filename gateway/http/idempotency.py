"""Request ids: the header `Idempotency-Key` or `request_id` in the body, which mean the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from fastapi import Depends
from starlette.requests import Request

from gateway.headers import header
from gateway.http.header_parameters import sent_header
from gateway.problems.document import malformed
from services.process.bounds import MAX_REQUEST_ID

HEADER: Final = "Idempotency-Key"
REPLAYED_HEADER: Final = "idempotent-replayed"

_QUOTED: Final = re.compile(r'"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"')
_BARE: Final = re.compile(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+")
_ESCAPED: Final = re.compile(r'\\(["\\])')


@dataclass(frozen=True)
class SentKey:
    """The header of a request, if it was sent."""

    request: Request

    def or_in_body(self, in_body: str | None) -> str:
        """Return the request id from header or body, as `request_id` does."""
        return request_id(self.request, in_body)


def idempotency_key(description: str) -> Any:
    """Return the dependency that reads the `SentKey`. The description says what the response to a repeated request is."""

    async def read(request: Request, _sent: str | None = sent_header(HEADER, description)) -> SentKey:
        return SentKey(request)

    return Depends(read)


def request_id(request: Request, in_body: str | None) -> str:
    """Return the request id of a request; empty if it has none.

    The header is a String of Structured Fields (RFC 9651 §3.3.3), so it is quoted; unquoted is accepted too.
    """
    sent = header(request, b"idempotency-key")
    if sent is None:
        return in_body or ""
    value = _read(sent.strip())
    if not value or len(value) > MAX_REQUEST_ID:
        raise malformed(
            f"takes one quoted string of 1 to {MAX_REQUEST_ID} printable ASCII characters",
            code="NOT_A_REQUEST_ID",
            header=HEADER,
        )
    if in_body is not None and in_body != value:
        raise malformed("the header and `request_id` differ", code="CONTRADICTION", header=HEADER)
    return value


def _read(value: str) -> str | None:
    quoted = _QUOTED.fullmatch(value)
    if quoted is not None:
        return _ESCAPED.sub(r"\1", quoted[1])
    return value if _BARE.fullmatch(value) else None

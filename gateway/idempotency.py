"""Request ids: the header `Idempotency-Key`, or `request_id` in the body; both mean the same."""

from __future__ import annotations

import re
from typing import Final

from starlette.requests import Request

from gateway.headers import header
from gateway.problem_documents import malformed

HEADER: Final = "Idempotency-Key"
REPLAYED_HEADER: Final = "idempotent-replayed"
MAX_CHARACTERS: Final = 64

_QUOTED: Final = re.compile(r'"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"')
_BARE: Final = re.compile(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+")
_ESCAPED: Final = re.compile(r'\\(["\\])')


def request_id(request: Request, in_body: str | None) -> str:
    """Give the request id of a request; empty if it has none.

    The header is a String of Structured Fields (RFC 9651 §3.3.3), so it is quoted; bare is accepted too.
    """
    sent = header(request, b"idempotency-key")
    if sent is None:
        return in_body or ""
    value = _read(sent.strip())
    if not value or len(value) > MAX_CHARACTERS:
        raise malformed(
            f"takes one quoted string of 1 to {MAX_CHARACTERS} printable ASCII characters",
            code="NOT_A_REQUEST_ID",
            header=HEADER,
        )
    if in_body is not None and in_body != value:
        raise malformed("header and `request_id` differ", code="CONTRADICTION", header=HEADER)
    return value


def _read(value: str) -> str | None:
    quoted = _QUOTED.fullmatch(value)
    if quoted is not None:
        return _ESCAPED.sub(r"\1", quoted[1])
    return value if _BARE.fullmatch(value) else None

"""Page tokens (AIP-158): opaque, URL-safe, valid only for the request they came with. A token authorizes nothing."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence
from typing import Final

from services.process.reasons import Reason
from services.rpc.refusals import malformed

_MAX_CHARACTERS: Final = 64
_VERSION_BYTES: Final = 3
"""A version is far below 2^24, and what a forged token can ask for stays one."""
_TOKEN_BYTES: Final = _VERSION_BYTES + 4


def page_token(after: int, question: Sequence[object]) -> str:
    """Return the token of the page after a version."""
    raw = after.to_bytes(_VERSION_BYTES, "big") + _mark(question)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read_page_token(token: str, question: Sequence[object]) -> int:
    """Return the version a page begins after. Raises Refused PAGE_TOKEN_INVALID for a token of another request."""
    refused = malformed(
        "$.page_token",
        "is not a token of this listing; begin again without",
        reason=Reason.PAGE_TOKEN_INVALID,
    )
    if len(token) > _MAX_CHARACTERS:
        raise refused
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise refused from None
    if len(raw) != _TOKEN_BYTES or raw[_VERSION_BYTES:] != _mark(question):
        raise refused
    return int.from_bytes(raw[:_VERSION_BYTES], "big")


def _mark(question: Sequence[object]) -> bytes:
    return zlib.crc32(repr(tuple(question)).encode()).to_bytes(4, "big")

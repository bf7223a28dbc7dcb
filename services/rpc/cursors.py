"""Page tokens of listings (AIP-158): opaque, URL-safe, valid only for the listing they came with.

A token says after which row the next page begins. It authorises nothing, and contains nothing that is not on the previous
page.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence
from typing import Final

from services.process.reasons import Reason
from services.rpc.refusals import Refused, malformed

DEFAULT_PAGE: Final = 100
MAX_PAGE: Final = 1_000
MAX_CHARACTERS: Final = 512
_MARK_BYTES: Final = 4


def page_size(asked: int) -> int:
    """Return the size of a page: 0 means the default, and larger sizes are reduced to the maximum. Raises Refused for a negative size."""
    if asked < 0:
        raise malformed("$.page_size", "must not be negative")
    return min(asked or DEFAULT_PAGE, MAX_PAGE)


def cursor(position: str, question: Sequence[object]) -> str:
    """Return the token of the page after a position. It is valid only for the same `question`, which identifies the listing."""
    raw = _mark(position, question) + position.encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read_cursor(token: str, question: Sequence[object]) -> str:
    """Return the position after which a page begins. Raises Refused PAGE_TOKEN_INVALID if the token is not of this listing."""
    if len(token) > MAX_CHARACTERS:
        raise not_a_cursor()
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        position = raw[_MARK_BYTES:].decode()
    except (binascii.Error, ValueError):
        raise not_a_cursor() from None
    if raw[:_MARK_BYTES] != _mark(position, question) or not position.isprintable():
        raise not_a_cursor()
    return position


def not_a_cursor() -> Refused:
    """Return the refusal of a token that is not of this listing, or has an impossible position."""
    return malformed(
        "$.page_token",
        "is not a token of this listing; begin again without",
        reason=Reason.PAGE_TOKEN_INVALID,
    )


def _mark(position: str, question: Sequence[object]) -> bytes:
    return zlib.crc32(repr((position, *question)).encode()).to_bytes(_MARK_BYTES, "big")

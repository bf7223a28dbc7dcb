"""The entity tag of a compressed response: with a suffix within the quotes."""

from __future__ import annotations

from typing import Final

SUFFIX: Final = b"-gzip"


def suffixed(tag: bytes) -> bytes:
    """Return the tag of the compressed response; a weak tag is the same for both."""
    return tag[:-1] + SUFFIX + b'"' if tag[:1] == b'"' else tag

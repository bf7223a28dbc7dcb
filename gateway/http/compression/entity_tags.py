"""Entity tags of compressed responses: a suffix within the quotes, added to responses and removed from requests."""

from __future__ import annotations

import re
from typing import Final

from starlette.types import Scope

from gateway.headers import headers_of

SUFFIX: Final = b"-gzip"
_SUFFIXED: Final = re.compile(rb'-gzip(?="?\s*(?:,|$))')
"""At the end of a tag, quoted or (as If-Match accepts it) not."""
_WITH_TAGS: Final = (b"if-match", b"if-none-match")


def suffixed(tag: bytes) -> bytes:
    """Return the tag of the compressed response; a weak tag is the same for both."""
    return tag[:-1] + SUFFIX + b'"' if tag[:1] == b'"' else tag


def without_suffixes(scope: Scope) -> bytes:
    """Remove the suffix from the tags of a request; return If-None-Match as it was sent, empty if it has no such tag."""
    headers = headers_of(scope)
    listed = b""
    for name in _WITH_TAGS:
        sent = headers.get(name)
        if sent is not None and SUFFIX in sent:
            if name == b"if-none-match":
                listed = sent
            headers[name] = _SUFFIXED.sub(b"", sent)
            scope["headers"] = [
                (field, _SUFFIXED.sub(b"", value) if field == name else value)
                for field, value in scope["headers"]
            ]
    return listed

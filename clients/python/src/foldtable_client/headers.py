"""The headers of a request, checked before it is sent, because a header cannot carry every character."""

from __future__ import annotations

import re
from typing import Final

_CREDENTIAL: Final = re.compile(r"[\x21-\x7e]*")
_PRINTABLE: Final = re.compile(r"[\x20-\x7e]+")
_ENTITY_TAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e]*"')
_TO_ESCAPE: Final = re.compile(r'(["\\])')


def authorization(credential: str) -> dict[str, str]:
    """Return the header that carries a credential, none for the empty one.

    Raises ValueError for a character no credential has, such as a line end from the file it was read from. The message
    does not repeat the credential.
    """
    if not _CREDENTIAL.fullmatch(credential):
        raise ValueError("the credential has a blank, the end of a line or a letter that no credential has")
    return {"Authorization": f"Bearer {credential}"} if credential else {}


def idempotency_key(request_id: str) -> str:
    """Return a request id as a String of Structured Fields (RFC 9651 §3.3.3); ValueError if it cannot be one."""
    if not _PRINTABLE.fullmatch(request_id):
        raise ValueError(f"{request_id[:80]!r} is no request id: it takes printable ASCII characters")
    escaped = _TO_ESCAPE.sub(r"\\\1", request_id)
    return f'"{escaped}"'


def known_tag(etag: str) -> dict[str, str]:
    """Return the header that names what the caller has; none for an empty tag. ValueError for what is no entity tag."""
    if not etag:
        return {}
    if not _ENTITY_TAG.fullmatch(etag):
        raise ValueError(f"{etag[:80]!r} is no entity tag: it stands in quotes")
    return {"If-None-Match": etag}

"""Entity tags and preconditions: a match's version is its strong entity tag, `"v:12"`.

It is never a hash of what a seat sees: a hash would let that seat test guesses about hidden cards.
"""

from __future__ import annotations

import re
from typing import Final

from starlette.requests import Request

from gateway.headers import header
from gateway.problem_documents import malformed
from gateway.schemas.fields import MAX_VERSION

_TAG: Final = re.compile(r'"v:(0|[1-9]\d{0,15})"|v:(0|[1-9]\d{0,15})')
_LISTED_TAG: Final = re.compile(r'(?:W/)?"v:(0|[1-9]\d{0,15})"')


def etag(version: int) -> str:
    """Give the entity tag of a version (RFC 9110 §8.8.3)."""
    return f'"v:{version}"'


def expected_version(request: Request, in_body: int | None) -> tuple[int | None, bool]:
    """Give the version a move was decided on, and whether If-Match said it.

    If-Match takes one strong tag, quoted or bare; `*` and weak tags say nothing about which version was seen, so they
    are refused (RFC 9110 §13.1.1 compares strongly).
    """
    tag = header(request, b"if-match")
    if tag is None:
        return in_body, False
    found = _TAG.fullmatch(tag.strip())
    version = int(found[1] or found[2]) if found is not None else MAX_VERSION + 1
    if version > MAX_VERSION:
        raise malformed(
            'If-Match takes one strong entity tag of this match, such as "v:12"',
            code="NOT_A_VERSION",
            header="If-Match",
        )
    if in_body is not None and in_body != version:
        raise malformed(
            "If-Match and `expected_version` name different versions", code="CONTRADICTION", header="If-Match"
        )
    return version, True


def known_versions(request: Request) -> frozenset[int] | None:
    """Give the versions a reader already has (If-None-Match, RFC 9110 §13.1.2); None for `*`, any version at all.

    Tags that are not ours match nothing, as the comparison demands.
    """
    listed = header(request, b"if-none-match")
    if listed is None:
        return frozenset()
    tags = [tag.strip() for tag in listed.split(",")]
    if "*" in tags:
        return None
    found = (_LISTED_TAG.fullmatch(tag) for tag in tags)
    return frozenset(int(tag[1]) for tag in found if tag is not None and int(tag[1]) <= MAX_VERSION)

"""Entity tags and preconditions: a match's version is its strong entity tag, `"v:12"`.

It is never a hash of what a seat sees, because a seat could use such a hash to test guesses about hidden cards.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from fastapi import Depends
from starlette.requests import Request

from foldtable.matches.v1.table_pb2 import KnownTable
from gateway.headers import header
from gateway.http.header_parameters import sent_header
from gateway.problems.document import malformed
from gateway.schemas.fields import MAX_VERSION

_LANGUAGE: Final = r"(?:;[a-z]{2,8})?"
_DIGEST: Final = r"(?:;s=[0-9a-f]{12})?"
_TAG: Final = re.compile(
    rf'"v:(0|[1-9]\d{{0,15}}){_LANGUAGE}{_DIGEST}"|v:(0|[1-9]\d{{0,15}}){_LANGUAGE}{_DIGEST}'
)
_TABLE_TAG: Final = re.compile(r'(?:W/)?"v:(0|[1-9]\d{0,15})(?:;([a-z]{2,8}))?;s=([0-9a-f]{12})"')
_LISTED_TAG: Final = re.compile(r'(?:W/)?"v:(0|[1-9]\d{0,15})(?:;([a-z]{2,8}))?"')


def etag(version: int, language: str = "") -> str:
    """Return the entity tag of a version (RFC 9110 §8.8.3). With texts in a language, it is another representation."""
    return f'"v:{version};{language}"' if language else f'"v:{version}"'


def table_etag(version: int, seats_revision: str, language: str = "") -> str:
    """Return the entity tag of a table: the version's, with a digest of the seats, which change without a version.

    Everybody at the table sees the same seats, so the digest tells nobody anything.
    """
    return f'{etag(version, language)[:-1]};s={seats_revision}"'


@dataclass(frozen=True)
class SentVersion:
    """The header of a request, if it was sent."""

    request: Request

    def or_in_body(self, in_body: int | None) -> tuple[int | None, bool]:
        """Return the version that a request was based on, as `expected_version` does."""
        return expected_version(self.request, in_body)


def if_match(description: str) -> Any:
    """Return the dependency that reads the `SentVersion`. The description says which resource has the version."""

    async def read(request: Request, _sent: str | None = sent_header("If-Match", description)) -> SentVersion:
        return SentVersion(request)

    return Depends(read)


def expected_version(request: Request, in_body: int | None) -> tuple[int | None, bool]:
    """Return the version that a move was based on, and whether it came from If-Match.

    If-Match takes one strong tag, quoted or unquoted. `*` and weak tags are refused, because they do not say which version
    the caller saw (RFC 9110 §13.1.1 compares strongly).
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


def names_tag(listed: str | None, tag: str) -> bool:
    """Return whether a list of entity tags contains this one, or is `*` (If-None-Match, RFC 9110 §13.1.2, weak comparison)."""
    return any(one.strip().removeprefix("W/") in {"*", tag} for one in (listed or "").split(","))


def known_versions(request: Request, language: str = "") -> frozenset[int] | None:
    """Return the versions a reader already has in this language (If-None-Match, RFC 9110 §13.1.2); None for `*`, any version at all.

    Tags in another format match nothing, as the comparison requires.
    """
    listed = header(request, b"if-none-match")
    if listed is None:
        return frozenset()
    tags = [tag.strip() for tag in listed.split(",")]
    if "*" in tags:
        return None
    found = (_LISTED_TAG.fullmatch(tag) for tag in tags)
    return frozenset(
        int(tag[1])
        for tag in found
        if tag is not None and int(tag[1]) <= MAX_VERSION and (tag[2] or "") == language
    )


def known_tables(request: Request, language: str = "") -> tuple[KnownTable, ...] | None:
    """Return the tables that a reader already has in this language (If-None-Match); None for `*`, any at all."""
    listed = header(request, b"if-none-match")
    if listed is None:
        return ()
    tags = [tag.strip() for tag in listed.split(",")]
    if "*" in tags:
        return None
    found = (_TABLE_TAG.fullmatch(tag) for tag in tags)
    return tuple(
        KnownTable(version=int(tag[1]), seats_revision=tag[3])
        for tag in found
        if tag is not None and int(tag[1]) <= MAX_VERSION and (tag[2] or "") == language
    )

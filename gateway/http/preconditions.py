"""Preconditions: the entity tag of what belongs to a match names its version, as in `"v:12;a=3fa9c1d2e4b5"`.

It is never a hash of what a seat sees, because a seat could use such a hash to test guesses about hidden cards. What follows
the version says which response of that version it is: the language of its texts, a digest of the seats, whom it is for
(`gateway/access/audience_marks.py`). If-Match reads the version alone, so `"v:12"` is enough there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from fastapi import Depends
from starlette.requests import Request

from foldtable.matches.v1.table_pb2 import KnownTable
from gateway.headers import header
from gateway.http.entity_tags import SUFFIX, sent_tags
from gateway.http.header_parameters import sent_header
from gateway.problems.document import malformed
from gateway.schemas.fields import MAX_VERSION

_VERSION: Final = re.compile(rf"v:(0|[1-9]\d{{0,15}}){SUFFIX}", re.ASCII)
_MARKED: Final = re.compile(
    rf"v:(0|[1-9]\d{{0,15}})(?:;[a-z]{{2,8}})?(?:;s=([0-9a-f]{{12}}))?;a=[0-9a-f]{{12}}{SUFFIX}", re.ASCII
)


def etag(version: int, mark: str, language: str = "") -> str:
    """Return the entity tag of a version for an audience (RFC 9110 §8.8.3). With texts in a language, it is another representation."""
    return f'"v:{version};{language};a={mark}"' if language else f'"v:{version};a={mark}"'


def table_etag(version: int, seats_revision: str, mark: str, language: str = "") -> str:
    """Return the entity tag of a table: with a digest of the seats, which change without a version.

    Everybody at the table sees the same seats, so the digest tells nobody anything.
    """
    shown = f";{language}" if language else ""
    return f'"v:{version}{shown};s={seats_revision};a={mark}"'


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

    If-Match takes tags of the match in any form in which a proxy hands them on: weak, with a suffix, unquoted, several. They
    are names of versions, so the strong comparison of RFC 9110 §13.1.1, which is about bytes, would refuse clients behind
    nginx for nothing. `*` is refused, because it does not say which version the caller saw.
    """
    listed = header(request, b"if-match")
    if listed is None:
        return in_body, False
    versions = named_versions(listed)
    if not versions:
        raise malformed(
            'If-Match takes entity tags of this match, such as "v:12": the version, then whatever the server or a proxy '
            "has added; `*` names no version",
            code="NOT_A_VERSION",
            header="If-Match",
        )
    if in_body is None:
        return max(
            versions
        ), True  # versions only grow: who has a tag of this one knows that the others are stale
    if in_body not in versions:
        raise malformed(
            "If-Match and `expected_version` name different versions", code="CONTRADICTION", header="If-Match"
        )
    return in_body, True


def named_versions(listed: str) -> frozenset[int]:
    """Return the versions that a list of tags names; none if one of the tags names no version."""
    found = [_VERSION.fullmatch(tag.opaque) for tag in sent_tags(listed) or ()]
    versions = frozenset(MAX_VERSION + 1 if tag is None else int(tag[1]) for tag in found)
    return versions if not versions or max(versions) <= MAX_VERSION else frozenset()


def known_versions(request: Request) -> frozenset[int]:
    """Return the versions of which a reader has a response, for whomever it is (If-None-Match)."""
    return frozenset(version for version, _ in _known(request))


def known_tables(request: Request) -> tuple[KnownTable, ...]:
    """Return the versions and seats of which a reader has a table, for whomever it is (If-None-Match)."""
    return tuple(
        KnownTable(version=version, seats_revision=revision)
        for version, revision in dict.fromkeys(_known(request))
        if revision is not None
    )


def _known(request: Request) -> list[tuple[int, str | None]]:
    """Return version and digest of the seats of every tag with a mark. Tags in another format match nothing."""
    listed = header(request, b"if-none-match")
    found = [_MARKED.fullmatch(tag.opaque) for tag in sent_tags(listed or "") or () if tag.is_quoted]
    return [(int(tag[1]), tag[2]) for tag in found if tag is not None and int(tag[1]) <= MAX_VERSION]

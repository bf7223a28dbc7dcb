"""Entity tags in the headers of requests, as proxies hand them on.

A proxy that compresses gives the compressed response a tag of its own: nginx makes ours weak (`W/"v:2"`), Apache, Caddy,
Jetty, LiteSpeed and others add a suffix (`"v:2-gzip"`, `"v:2--gzip"`, `"v:2;br"`), as this gateway does itself. A client sends
back what it got. All of these name what the tag was made for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from starlette.responses import Response

ANY: Final = "*"
MAX_SUFFIX: Final = 100
"""Most characters behind the version, our own among them."""
SUFFIX: Final = rf"(?:[-;:][0-9A-Za-z=.:;_+-]{{0,{MAX_SUFFIX - 1}}})?"
"""What may follow a tag of ours: it never goes on with a letter or a digit."""

_LISTED: Final = re.compile(r'\s*(?:(W/)?"([\x21\x23-\x7e]*)"\s*|([^",\s]*)\s*)(?:,|$)')
_SUFFIX: Final = re.compile(SUFFIX)


class SentTag(NamedTuple):
    """One of the tags of a header."""

    text: str
    """As it was sent."""
    opaque: str
    """What is between the quotes."""
    is_quoted: bool


def sent_tags(value: str) -> list[SentTag] | None:
    """Return the tags of a header (RFC 9110 §8.8.3); None for what is no list of tags. `*` stands in it as it is."""
    tags: list[SentTag] = []
    at = 0
    while at < len(value):
        found = _LISTED.match(value, at)
        if found is None:
            return None
        weak, opaque, bare = found.groups()
        if opaque is not None:
            tags.append(SentTag(f'{weak or ""}"{opaque}"', opaque, is_quoted=True))
        elif bare:  # an empty element says nothing (RFC 9110 §5.6.1)
            tags.append(SentTag(bare, bare.removeprefix("W/"), is_quoted=False))
        at = found.end()
    return tags


def matching(listed: str | None, tag: str) -> str | None:
    """Return the tag of If-None-Match that names the same as `tag` (RFC 9110 §13.1.2, weak comparison), as it was sent.

    None if there is none; `tag` itself for `*`.
    """
    ours = tag.strip('"')
    for sent in (sent_tags(listed) or ()) if listed else ():
        if sent.text == ANY:
            return tag
        if sent.is_quoted and sent.opaque.startswith(ours) and _SUFFIX.fullmatch(sent.opaque, len(ours)):
            return sent.text
    return None


def not_modified(listed: str | None, headers: Mapping[str, str]) -> Response | None:
    """Return 304 if the client has the response with these headers, whose `etag` it lists in If-None-Match; else None.

    The 304 has the tag under which the client has the response, so that it finds what it has stored (RFC 9111 §4.3.4).
    """
    sent = matching(listed, headers["etag"])
    if sent is None:
        return None
    kept = {name: value for name, value in headers.items() if name not in _OF_A_BODY}
    return Response(status_code=304, headers={**kept, "etag": sent})


_OF_A_BODY: Final = frozenset({"content-type", "content-encoding", "content-disposition", "content-length"})

"""The reference front end: the files that `gateway/web/build.mjs` wrote, read once when the gateway starts.

Nobody can ask for a file that was not there then. All of them together are a few hundred kilobytes, so they stay in memory,
as they are and compressed: serving them takes none of the processor time that FOLDTABLE_COMPRESSION_SHARE allows, and
there is no secret in them that their lengths could reveal.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

from starlette.requests import Request
from starlette.responses import Response

from gateway.headers import header, headers_of
from gateway.http.compression.entity_tags import suffixed
from gateway.http.compression.negotiation import Wish, gzip_wish
from gateway.http.entity_tags import not_modified
from gateway.http.pages.html import page_headers

BUILT: Final = Path(__file__).resolve().parents[2] / "web" / "built"
"""Committed, so that neither an installation nor a start needs node."""
PAGE: Final = "index.html"
MEDIA_TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
"""What is served, by suffix. The build's own records have others."""
FOR_GOOD: Final = "public, max-age=31536000, immutable"
FOR_A_WHILE: Final = "public, max-age=300"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
STRICT: Final[Mapping[str, str]] = page_headers(POLICY)
"""On the page and on every file: a worker is bound by the policy that its own script came with."""

_NAMED_BY_CONTENTS: Final = re.compile(r".+-[A-Z0-9]{8}\.(?:css|js)")
"""As esbuild names files: other contents get another name, so a browser may keep them for good."""


@dataclass(frozen=True)
class BuiltFile:
    """A file in both forms."""

    plain: bytes
    packed: bytes
    etag: str
    headers: Mapping[str, str]

    @classmethod
    def of(cls, contents: bytes, media_type: str, cached: str) -> Self:
        """Return a file that caches may keep as `cached` says."""
        headers = {**STRICT, "content-type": media_type, "cache-control": cached}
        etag = f'"{sha256(contents).hexdigest()[:32]}"'
        return cls(contents, gzip.compress(contents, mtime=0), etag, headers)

    def answer(self, request: Request) -> Response:
        """Return the file, compressed if the client takes it, or 304 if it has this file in either form.

        The Compression middleware leaves alone what has a coding already.
        """
        headers = {**self.headers, "etag": self.etag}
        unchanged = not_modified(header(request, b"if-none-match"), headers)
        if unchanged is not None:
            return unchanged
        if gzip_wish(headers_of(request.scope).get(b"accept-encoding", b"")) is Wish.REFUSED:
            return Response(self.plain, headers=headers)
        headers["etag"] = suffixed(self.etag.encode()).decode()
        headers["content-encoding"] = "gzip"
        return Response(self.packed, headers=headers)


@dataclass(frozen=True)
class FrontEnd:
    """The page and the files that it loads; without a page, if the front end is switched off or was not built."""

    page: BuiltFile | None = None
    files: Mapping[str, BuiltFile] = field(default_factory=dict)


def read_front_end(folder: Path = BUILT) -> FrontEnd:
    """Return the front end that a folder holds; one without a page if there is none in it."""
    if not (folder / PAGE).is_file():
        return FrontEnd()
    page = BuiltFile.of((folder / PAGE).read_bytes(), "text/html; charset=utf-8", "no-cache")
    files = {
        path.name: BuiltFile.of(
            path.read_bytes(),
            MEDIA_TYPES[path.suffix],
            FOR_GOOD if _NAMED_BY_CONTENTS.fullmatch(path.name) else FOR_A_WHILE,
        )
        for path in sorted(folder.iterdir())
        if path.suffix in MEDIA_TYPES
    }
    return FrontEnd(page, files)

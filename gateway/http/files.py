"""Files, always sent whole. They are small, so clients need no ranges to resume a download."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from starlette.responses import FileResponse
from starlette.types import Receive, Scope, Send

from gateway.headers import headers_of
from gateway.http.entity_tags import not_modified

_OF_RANGES: Final = frozenset({b"range", b"if-range"})


class WholeFile(FileResponse):
    """A response with a file, or 304 if the client has it. It ignores `Range`, as a server may (RFC 9110 §14.2).

    starlette answers a range that it cannot read or serve with plain text instead of a problem document.
    """

    def __init__(self, path: Path, *, headers: Mapping[str, str], media_type: str | None = None) -> None:
        """Raises OSError if there is no such file."""
        said = {"accept-ranges": "none", **headers}
        super().__init__(path, headers=said, media_type=media_type, stat_result=path.stat())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        listed = headers_of(scope).get(b"if-none-match", b"").decode("latin-1")
        unchanged = not_modified(listed, self.headers)
        if unchanged is not None:
            await unchanged(scope, receive, send)
            return
        headers = [line for line in scope["headers"] if line[0] not in _OF_RANGES]
        await super().__call__({**scope, "headers": headers}, receive, send)

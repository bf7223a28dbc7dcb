"""Files, always whole. They are small, so nobody goes on with half a download."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from starlette.responses import FileResponse
from starlette.types import Receive, Scope, Send

_OF_RANGES: Final = frozenset({b"range", b"if-range"})


class WholeFile(FileResponse):
    """Answers with a file. `Range` is ignored, as a server may (RFC 9110 §14.2).

    starlette would answer one it cannot read, or cannot serve, with plain text: no problem document.
    """

    def __init__(self, path: Path, *, headers: Mapping[str, str], media_type: str | None = None) -> None:
        super().__init__(path, headers={"accept-ranges": "none", **headers}, media_type=media_type)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [line for line in scope["headers"] if line[0] not in _OF_RANGES]
        await super().__call__({**scope, "headers": headers}, receive, send)

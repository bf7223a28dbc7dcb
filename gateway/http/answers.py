"""Responses with a JSON body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from starlette.responses import Response

from gateway.headers import NO_STORE

MEDIA_TYPE: Final = "application/json"
REVALIDATED: Final = {"cache-control": "private, no-cache"}
"""For responses with an entity tag that says whom they are for: a client may keep them, and asks whether they still hold."""

_encode: Final = msgspec.json.Encoder().encode


def json_answer(body: msgspec.Struct, status: int = 200, headers: Mapping[str, str] = NO_STORE) -> Response:
    """Return a response with a struct as JSON. No cache may store it unless the headers allow it."""
    return Response(_encode(body), status, headers, MEDIA_TYPE)

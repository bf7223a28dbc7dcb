"""Answers with a JSON body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from starlette.responses import Response

MEDIA_TYPE: Final = "application/json"
NO_STORE: Final = {"cache-control": "no-store"}

_encode: Final = msgspec.json.Encoder().encode


def json_answer(body: msgspec.Struct, status: int = 200, headers: Mapping[str, str] = NO_STORE) -> Response:
    """Give a struct as JSON; kept by no cache unless the headers say otherwise."""
    return Response(_encode(body), status, headers, MEDIA_TYPE)

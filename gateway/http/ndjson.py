"""Answers of many JSON lines (NDJSON), streamed while they are read from the services."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import ExitStack, aclosing
from typing import Final

import structlog
from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse

from gateway.headers import NO_STORE
from gateway.problems.document import ProblemError

NDJSON: Final = "application/x-ndjson"
_log: Final = structlog.get_logger("gateway.exports")


async def streamed(lines: AsyncGenerator[bytes], held: ExitStack) -> StreamingResponse:
    """Return a response of all lines, which releases what is held when it ends.

    Raises ProblemError if the first lines cannot be read; later the response is cut off, without its last chunk.
    """
    first = await anext(lines, b"")  # until it is there, a refusal is answered as a problem
    rest = _rest(first, lines, held.pop_all())
    return StreamingResponse(rest, headers=dict(NO_STORE), media_type=NDJSON)


async def _rest(first: bytes, lines: AsyncGenerator[bytes], held: ExitStack) -> AsyncIterator[bytes]:
    """Yield all lines, and release what is held. If they cannot be read on, the response is cut off."""
    with held:
        async with aclosing(lines):
            if first:
                yield first
            try:
                async for some in lines:
                    yield some
            except ProblemError as problem:
                _log.warning("export cut off", reason=problem.reason.name)
                raise ClientDisconnect from None  # as if the client had gone: there is nobody to whom a problem could be answered

"""Writing and reading a gRPC stream concurrently until one of the two ends; for the streams of subscriptions and of moves."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

import grpc


class Cancellable(Protocol):
    """The part of a stream call that is used here."""

    def cancel(self) -> bool:
        """End the call."""


async def until_ended(
    stream: Cancellable, writing: Coroutine[Any, Any, None], reading: Coroutine[Any, Any, None]
) -> str:
    """Write and read until one of them ends, then end the other and the stream. Return the reason, for the log."""
    ends = asyncio.create_task(writing), asyncio.create_task(reading)
    try:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stream.cancel()
        for end in ends:
            end.cancel()
        results = await asyncio.gather(*ends, return_exceptions=True)
    return _why(results)


def _why(results: Sequence[object]) -> str:
    for result in results:
        if isinstance(result, grpc.aio.AioRpcError):
            return f"{result.code().name}: {result.details()}"
        if isinstance(result, Exception):  # an error of this program; its message may quote what was sent
            return type(result).__qualname__
    return "closed by the server"

"""Reads requests. Bytes that are not a message are refused like other malformed input.

gRPC itself would respond with UNKNOWN, the code for internal errors, and log a traceback for each.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from google.protobuf.message import DecodeError

from services.rpc.refusals import malformed

_UNREADABLE: Final = object()


def reader(deserialize: Callable[[bytes], Any] | None) -> Callable[[bytes], Any] | None:
    """Return a deserializer that marks unreadable requests, which `whole` or `each_whole` then refuse.

    None stays None: for gRPC this means that the bytes are the request.
    """
    if deserialize is None:
        return None

    def read(data: bytes) -> Any:
        try:
            return deserialize(data)
        except (
            DecodeError,
            UnicodeDecodeError,
        ):  # the latter: a text that is not UTF-8, in some builds of protobuf
            return _UNREADABLE

    return read


def whole(request: Any) -> Any:
    """Return a request. Raises Refused MALFORMED_REQUEST if it could not be read."""
    if request is _UNREADABLE:
        raise malformed("$", "is no message of this call")
    return request


async def each_whole(requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
    """Yield the requests of a stream. Raises Refused MALFORMED_REQUEST at the first that could not be read."""
    async for request in requests:
        yield whole(request)

"""Documents that are sent in pieces, held in memory until they are whole: bounded in size, in time, and in how many at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from foldtable.matches.v1 import history_pb2 as pb
from services.process.reasons import Reason
from services.rpc.refusals import Refused, malformed

MAX_DOCUMENT_BYTES: Final = 16 * 1024 * 1024
SECONDS: Final = 60.0
"""Most time from the first piece to the last; REST clients have the same time for a body."""
AT_ONCE: Final = 8
"""Most documents in one process, 128 MiB together. The one being checked needs about nine times its size in addition:
150 MiB were measured for 16 MiB in 50,000 rows."""
AT_ONCE_OF_TENANT: Final = 4
"""Most documents of one tenant, so that no tenant takes all places. Documents are checked one at a time anyway."""
RETRY_SECONDS: Final = 5
Metadata = tuple[tuple[str, str], ...]
ADMITTED: Final[Metadata] = (("foldtable-admitted", "true"),)
"""Initial metadata of a call whose document will be read. A client that waits for it sends no document to a call that is refused."""


class Upload(NamedTuple):
    """A document, and what the platform notes about its match."""

    document: bytes
    reference: str
    metadata: bytes


async def read_upload(chunks: AsyncIterator[pb.ImportMatchRequest], *, seconds: float = SECONDS) -> Upload:
    """Return a document collected from its pieces, and the notes of the first. Raises Refused MALFORMED_REQUEST as soon as it is too large or too late."""
    document = bytearray()
    first: pb.ImportMatchRequest | None = None
    try:
        async with asyncio.timeout(seconds):
            async for part in chunks:
                if first is None:
                    first = part
                elif part.reference or part.metadata:
                    at = "$.reference" if part.reference else "$.metadata"
                    raise malformed(at, "belongs into the first message")
                document += part.chunk
                if len(document) > MAX_DOCUMENT_BYTES:
                    raise malformed("$.chunk", f"has more than {MAX_DOCUMENT_BYTES} bytes in all")
    except TimeoutError:
        raise malformed("$.chunk", f"was not whole after {seconds:.0f} seconds") from None
    if first is None:
        return Upload(b"", "", b"")
    return Upload(bytes(document), first.reference, first.metadata)


class UploadRoom:
    """A bound on the documents that are collected or wait to be checked at the same time."""

    def __init__(self) -> None:
        self._by_tenant: Counter[str] = Counter()

    @contextmanager
    def taken(self, tenant: str) -> Iterator[None]:
        """Hold a place. Raises Refused RATE_LIMITED if none is free."""
        if self._by_tenant[tenant] >= AT_ONCE_OF_TENANT:
            raise _full(f"{AT_ONCE_OF_TENANT} of your imports are under way here", "imports_of_tenant")
        if self._by_tenant.total() >= AT_ONCE:
            raise _full("too many imports are under way here", "imports_of_process")
        self._by_tenant[tenant] += 1
        try:
            yield
        finally:
            self._by_tenant[tenant] -= 1
            if not self._by_tenant[tenant]:
                del self._by_tenant[tenant]


def _full(what: str, bucket: str) -> Refused:
    metadata: dict[str, str | int] = {"bucket": bucket, "seconds": RETRY_SECONDS}
    return Refused(
        Reason.RATE_LIMITED, f"{what}; the next may begin later", metadata=metadata, retry_after=RETRY_SECONDS
    )

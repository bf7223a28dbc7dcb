"""A long poll: wait until a match has a newer version. The moves themselves are read from the log, as without waiting."""

from __future__ import annotations

import asyncio

from foldtable.matches.v1.match_service_pb2 import ListMovesRequest
from gateway.live.readers import Readers
from gateway.problems.document import ProblemError
from gateway.upstream.follow.follows import Follow
from gateway.upstream.follow.stream import FollowStream


class NextMove:
    """A subscription that waits for the next move or the end of a match."""

    position = None
    """None: it needs no moves from the topic, only the wake-ups."""

    def __init__(self, follow: Follow, after: int) -> None:
        self._follow = follow
        self._after = after
        self._happened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        follow.member = self
        self.wake()

    async def wait(self, readers: Readers, *, seconds: float) -> None:
        """Return when the match has a newer version or is over, when this server stops, or after `seconds`.

        Raises ProblemError if the credential is no longer valid.
        """
        with readers.stopping(self.stop):
            await asyncio.wait((self._happened,), timeout=seconds)
        if self._happened.done():
            self._happened.result()

    # ── called by the topic ────────────────────────────────────────────────────────────────────────

    def wake(self) -> None:
        """End the wait if the match has a newer version or is over."""
        if self._follow.newest > self._after or self._follow.topic.ended:
            self.stop()

    def revoke(self, reason: str) -> None:
        """End the wait with an error because the credential is no longer valid."""
        if not self._happened.done():
            self._happened.set_exception(ProblemError(reason))

    def stop(self) -> None:
        """End the wait."""
        if not self._happened.done():
            self._happened.set_result(None)


async def wait_for_move(
    follows: FollowStream,
    wanted: ListMovesRequest,
    authorization: str,
    readers: Readers,
    *,
    wait_seconds: float,
    seconds: float,
) -> None:
    """Wait until there may be moves to list. Raises ProblemError. `seconds` is the deadline for the subscription to begin."""
    follow = await follows.follow(wanted.match_id, wanted.audience, authorization, seconds=seconds)
    try:
        await NextMove(follow, wanted.after_version).wait(readers, seconds=wait_seconds)
    finally:
        follow.member = None
        follow.end()

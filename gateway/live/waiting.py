"""A long poll: wait until a match has moved on after a version. Whoever polls reads the moves as anybody does."""

from __future__ import annotations

import asyncio

from foldtable.matches.v1.match_service_pb2 import ListMovesRequest
from gateway.live.follow_stream import FollowStream
from gateway.live.follows import Follow
from gateway.live.readers import Readers
from gateway.problem_documents import ProblemError


class NextMove:
    """Follows a match until something happens."""

    position = None
    """It needs no moves, only to know of them."""

    def __init__(self, follow: Follow, after: int) -> None:
        self._follow = follow
        self._after = after
        self._happened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        follow.member = self
        self.wake()

    async def wait(self, readers: Readers, *, seconds: float) -> None:
        """Return when the match has moved on or is over, when this server stops, or after so many seconds.

        ProblemError when the credential is no longer good.
        """
        with readers.farewell_to(self.farewell):
            await asyncio.wait((self._happened,), timeout=seconds)
        if self._happened.done():
            self._happened.result()

    # ── heard from the topic ───────────────────────────────────────────────────────────────────────

    def wake(self) -> None:
        """Look whether it is time."""
        if self._follow.newest > self._after or self._follow.topic.ended:
            self.farewell()

    def revoke(self, reason: str) -> None:
        """The credential is no longer good."""
        if not self._happened.done():
            self._happened.set_exception(ProblemError(reason))

    def farewell(self) -> None:
        """Wait no longer."""
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
    """Wait until there may be more to list than nothing; ProblemError. `seconds` is the deadline of being let in."""
    follow = await follows.follow(wanted.match_id, wanted.audience, authorization, seconds=seconds)
    try:
        await NextMove(follow, wanted.after_version).wait(readers, seconds=wait_seconds)
    finally:
        follow.member = None
        follow.end()

"""A long poll: wait until a match has a newer version. The moves themselves are read from the log, as without waiting."""

from __future__ import annotations

import asyncio

from foldtable.matches.v1.match_service_pb2 import ListMovesRequest
from gateway.live.open_streams import OpenStreams
from gateway.problems.document import ProblemError
from gateway.upstream.subscriptions.stream import SubscriptionStream
from gateway.upstream.subscriptions.subscription import Subscription


class NextMove:
    """A subscriber that waits for the next move or the end of a match."""

    position = None
    """None: it needs no moves from the subscribed match, only the wake-ups."""

    def __init__(self, subscription: Subscription, after: int) -> None:
        self._subscription = subscription
        self._after = after
        self._happened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        subscription.subscriber = self
        self.wake()

    async def wait(self, open_streams: OpenStreams, *, seconds: float) -> None:
        """Return when the match has a newer version or is over, when this server stops, or after `seconds`.

        Raises ProblemError if the credential is no longer valid.
        """
        with open_streams.stopping(self.stop):
            await asyncio.wait((self._happened,), timeout=seconds)
        if self._happened.done():
            self._happened.result()

    # ── called by the subscribed match ─────────────────────────────────────────────────────────────

    def wake(self) -> None:
        """End the wait if the match has a newer version or is over."""
        if self._subscription.newest > self._after or self._subscription.match.ended:
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
    subscriptions: SubscriptionStream,
    wanted: ListMovesRequest,
    authorization: str,
    open_streams: OpenStreams,
    *,
    wait_seconds: float,
    seconds: float,
) -> None:
    """Wait until there may be moves to list. Raises ProblemError. `seconds` is the deadline for the subscription to begin."""
    subscription = await subscriptions.subscribe(
        wanted.match_id, wanted.audience, authorization, seconds=seconds
    )
    try:
        await NextMove(subscription, wanted.after_version).wait(open_streams, seconds=wait_seconds)
    finally:
        subscription.subscriber = None
        subscription.end()

"""A rules server whose streams live on wake-ups alone: who comes back is told what happens from now on, and nothing polls."""

from __future__ import annotations

from typing import Any

from services.movelog.wakeup_subscriptions import WakeupSubscriptions
from services.rules.__main__ import main
from services.rules.match.loaded_match import LoadedMatch
from services.rules.streams import match_stream, subscription_stream
from tests.proofs.faults.planted.planting import plant

NEVER = 1e6
"""Seconds."""


async def begin(_: Any, table: LoadedMatch, *__: Any) -> int:
    """Begin at the newest version, whatever the follower has."""
    return table.version


def wake_all(_: WakeupSubscriptions) -> None:
    """Do not look for what was missed while the connection was away."""


plant(match_stream, "_begin", begin)
plant(match_stream, "SLOW_POLL_SECONDS", NEVER)
plant(subscription_stream, "SLOW_POLL_SECONDS", NEVER)
plant(subscription_stream, "_beginning", lambda _, newest: newest)
plant(WakeupSubscriptions, "wake_all", wake_all)

if __name__ == "__main__":
    main()

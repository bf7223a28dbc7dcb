"""How many lanes a worker serves at the same time, and of whom.

What a lane costs is a place while its endpoint answers. One that keeps a request waiting gives its place back: it costs
a socket and no work, so there is room for several times as many of these, and only beyond that do they take places from
others. So endpoints that hang do not hold up those that answer, whoever they belong to.

All of this is counted for each worker: its places are its own, and what it waits for is in nobody else's way.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from services.webhooks.claiming import Lane, Room

SLOW_PLACES: Final = 4
"""For each place there are so many for lanes that wait."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Lanes at the same time."""

    at_once: int = 32
    per_endpoint: int = 4
    """Also of those that wait."""

    @property
    def per_tenant(self) -> int:
        """Return the most a tenant gets, also of those that wait; claiming.py says when it is less."""
        return max(1, self.at_once // 2)


class Capacity:
    """The lanes of a worker that are served now."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lanes: set[Lane] = set()
        self._slow: set[Lane] = set()

    def begins(self, lane: Lane) -> None:
        """Count a lane."""
        self._lanes.add(lane)

    def ends(self, lane: Lane) -> None:
        """Count it no more."""
        self._lanes.discard(lane)
        self._slow.discard(lane)

    def is_slow(self, lane: Lane) -> None:
        """Give the lane's place back until its endpoint answers promptly."""
        self._slow.add(lane)

    def is_prompt(self, lane: Lane) -> None:
        """Count the lane like any other."""
        self._slow.discard(lane)

    def room(self) -> Room:
        """Return what is left, and who is served."""
        places = self._limits.at_once
        prompt = len(self._lanes) - len(self._slow)
        too_slow = max(0, len(self._slow) - SLOW_PLACES * places)
        return Room(
            lanes=max(0, places - prompt - too_slow),
            per_tenant=self._limits.per_tenant,
            per_endpoint=self._limits.per_endpoint,
            tenants=Counter(lane.tenant for lane in self._lanes),
            endpoints=Counter(lane.endpoint_id for lane in self._lanes),
        )

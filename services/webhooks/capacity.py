"""How many lanes a worker serves at the same time, and for which tenants.

A worker has a number of places. A lane occupies one while its endpoint answers promptly. A lane whose request waits for
long is slow and gives its place back: it costs a socket but no work. There is room for several slow lanes per place, and
only those beyond that number occupy places again. So endpoints that hang do not delay those that answer.

Every worker counts its own places and its own slow lanes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from services.webhooks.claiming import Lane, Room

SLOW_PLACES: Final = 4
"""How many slow lanes there may be per place before they occupy places."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How many lanes a worker serves at the same time."""

    at_once: int = 32
    per_endpoint: int = 4
    """Slow lanes included."""

    @property
    def per_tenant(self) -> int:
        """Return the most lanes of one tenant, slow lanes included; claiming.py says when it gets fewer."""
        return max(1, self.at_once // 2)


class Capacity:
    """The lanes that a worker serves now."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lanes: set[Lane] = set()
        self._slow: set[Lane] = set()

    def begins(self, lane: Lane) -> None:
        """Count a lane that is served from now on."""
        self._lanes.add(lane)

    def ends(self, lane: Lane) -> None:
        """Stop counting a lane."""
        self._lanes.discard(lane)
        self._slow.discard(lane)

    def is_slow(self, lane: Lane) -> None:
        """Give the lane's place back until its endpoint answers promptly."""
        self._slow.add(lane)

    def is_prompt(self, lane: Lane) -> None:
        """Let the lane occupy a place again."""
        self._slow.discard(lane)

    def room(self) -> Room:
        """Return how many lanes may be added, and how many are served per tenant and endpoint."""
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

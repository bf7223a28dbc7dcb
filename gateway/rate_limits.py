"""How often somebody may ask: named buckets, each with a quota that fills up again at a steady rate.

The algorithm is GCRA, the generic cell rate algorithm (ITU-T I.371): per bucket one number is kept, the moment when it
will be full again. A request moves that moment on; one that would move it further away than the window is refused.
With the header fields that takes 0.7 µs; the well-kept `limits` 5.8 took 5 to 8 µs for the same, a hit and a look at
what is left (measured side by side, so it is written here and not taken from there).

The limits are each process's own: somebody who reaches two gateways has two buckets. What is told follows
draft-ietf-httpapi-ratelimit-headers-11.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

HeaderLine = tuple[bytes, bytes]


class Bucket(StrEnum):
    """What is counted together."""

    READS = "reads"
    """Looking at matches and their tables."""
    MOVES = "moves"
    """Making moves."""
    LOBBY = "lobby"
    """Creating matches, seats, tokens: whatever else changes a match."""
    STREAMS = "streams"
    """Opening streams and their tickets; how long one lasts does not count."""
    ADMIN = "admin"
    """Tenants and API keys."""
    ANONYMOUS = "anonymous"
    """Everything without a valid credential."""


class Holder(StrEnum):
    """Whose bucket it is."""

    KEY = "key"
    """An API key."""
    TOKEN = "token"  # noqa: S105 - a kind of credential, not one
    """The token of a seat, a spectator, a referee, an invite."""
    ADDRESS = "address"
    """The address of a client, for requests without a valid credential."""


@dataclass(frozen=True)
class Limit:
    """So many requests in so many seconds, all of them at once if they come so."""

    requests: int
    seconds: int


Limits = Mapping[tuple[Holder, Bucket], Limit]

DEFAULTS: Final[Limits] = {
    (Holder.KEY, Bucket.READS): Limit(12_000, 60),
    (Holder.KEY, Bucket.MOVES): Limit(12_000, 60),
    (Holder.KEY, Bucket.LOBBY): Limit(6_000, 60),
    (Holder.KEY, Bucket.STREAMS): Limit(6_000, 60),
    (Holder.KEY, Bucket.ADMIN): Limit(300, 60),
    (Holder.TOKEN, Bucket.READS): Limit(1_800, 60),
    (Holder.TOKEN, Bucket.MOVES): Limit(1_200, 60),
    (Holder.TOKEN, Bucket.LOBBY): Limit(60, 60),
    (Holder.TOKEN, Bucket.STREAMS): Limit(120, 60),
    (Holder.TOKEN, Bucket.ADMIN): Limit(60, 60),
    (Holder.ADDRESS, Bucket.ANONYMOUS): Limit(1_200, 60),
}
"""A platform plays for thousands, a player for one."""


class Policy:
    """One bucket's limit, ready to be applied."""

    __slots__ = ("_after", "_before", "bucket", "interval", "limit", "place", "policy_line", "slack")

    def __init__(self, bucket: Bucket, limit: Limit, place: int) -> None:
        """`place` is where an account keeps the bucket."""
        self.bucket = bucket
        self.limit = limit
        self.place = place
        self.interval = limit.seconds / limit.requests
        self.slack = limit.seconds - self.interval
        self.policy_line: HeaderLine = (
            b"ratelimit-policy",
            f'"{bucket}";q={limit.requests};w={limit.seconds}'.encode(),
        )
        self._before = f'"{bucket}";r='.encode()
        self._after = f";t={max(1, math.ceil(self.interval))}".encode()

    def take(self, account: Account, now: float) -> Taken:
        """Take one request out of the bucket, if there is one."""
        full_at = account.full_at[self.place]
        missing = full_at - now if full_at > now else 0.0
        if missing > self.slack + _ROUNDING:
            seconds = max(1, math.ceil(missing - self.slack))
            return Taken(self, 0, seconds, b"%b0;t=%d" % (self._before, seconds))
        missing += self.interval
        account.full_at[self.place] = now + missing
        left = int((self.limit.seconds - missing) / self.interval + _ROUNDING)
        return Taken(self, left, 0, b"%b%d%b" % (self._before, left, self._after))

    def left(self, account: Account, now: float) -> int:
        """Give how many requests are in the bucket."""
        missing = max(0.0, account.full_at[self.place] - now)
        return int((self.limit.seconds - missing) / self.interval + _ROUNDING)


_ROUNDING: Final = 1e-6
"""Sums of intervals are not exact; a millionth of a request is not one."""


class Account:
    """The buckets of one holder."""

    __slots__ = ("full_at", "holder")

    def __init__(self, holder: Holder) -> None:
        self.holder = holder
        self.full_at = [0.0] * len(Bucket)


class Taken:
    """What came of a request to a bucket."""

    __slots__ = ("left", "line", "policy", "wait_seconds")

    def __init__(self, policy: Policy, left: int, wait_seconds: int, line: bytes) -> None:
        self.policy = policy
        self.left = left
        self.wait_seconds = wait_seconds
        """0: it was granted."""
        self.line = line

    def headers(self) -> list[HeaderLine]:
        """Give `RateLimit` and `RateLimit-Policy`."""
        return [(b"ratelimit", self.line), self.policy.policy_line]


class RateLimiter:
    """Applies limits to accounts."""

    def __init__(self, limits: Limits = DEFAULTS, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        places = {bucket: place for place, bucket in enumerate(Bucket)}
        self._policies = {
            holder: {
                bucket: Policy(bucket, limit, places[bucket])
                for (owner, bucket), limit in limits.items()
                if owner is holder
            }
            for holder in Holder
        }

    def take(self, account: Account, bucket: Bucket) -> Taken:
        """Take one request out of a bucket of an account."""
        return self._policies[account.holder][bucket].take(account, self._clock())

    def standing(self, account: Account) -> list[tuple[Bucket, Limit, int]]:
        """Give every bucket of an account with its limit and what is left."""
        now = self._clock()
        return [
            (bucket, policy.limit, policy.left(account, now))
            for bucket, policy in self._policies[account.holder].items()
        ]


def read_limits(text: str) -> dict[tuple[Holder, Bucket], Limit]:
    """Read `key.moves=6000/60,token.moves=600/60`; what is not named keeps its default. ValueError names the culprit."""
    limits = dict(DEFAULTS)
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, _, quota = part.partition("=")
        holder, _, bucket = name.strip().partition(".")
        requests, _, seconds = quota.strip().partition("/")
        if not (requests.isdecimal() and seconds.isdecimal() and int(requests) and int(seconds)):
            raise ValueError(f"{part!r} is not of the form key.moves=6000/60")
        try:
            place = Holder(holder), Bucket(bucket)
        except ValueError:
            place = None
        if place not in limits:
            known = ", ".join(f"{owner}.{name}" for owner, name in DEFAULTS)
            raise ValueError(f"{name!r} is no bucket; there are: {known}")
        limits[place] = Limit(int(requests), int(seconds))
    return limits

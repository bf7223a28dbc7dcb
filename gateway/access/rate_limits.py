"""Rate limits: named buckets, each with a quota that refills at a steady rate.

The algorithm is GCRA, the generic cell rate algorithm (ITU-T I.371). It keeps one number per bucket: the moment when the
bucket will be full again. Each request moves that moment into the future; a request that would move it further away than
the window is refused. That takes 0.7 µs including the header fields. The library `limits` 5.8 took 5 to 8 µs for the same
work, measured side by side; therefore the algorithm is implemented here.

Each process counts for itself: a client of two gateways has two buckets. The header fields follow
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
    """Kinds of requests that are counted together."""

    READS = "reads"
    """Reading matches and their states."""
    MOVES = "moves"
    """Making moves."""
    LOBBY = "lobby"
    """Creating matches, seats and tokens, and everything else that changes a match."""
    STREAMS = "streams"
    """Opening streams and getting their tickets. The duration of a stream does not count."""
    ADMIN = "admin"
    """Tenants and API keys."""
    ANONYMOUS = "anonymous"
    """Everything without a valid credential."""


class Holder(StrEnum):
    """Kinds of holders of a bucket."""

    KEY = "key"
    """An API key."""
    TOKEN = "token"  # noqa: S105 - a kind of credential, not a secret
    """A match token, of a seat, a spectator, a referee or an invite; or a player's session."""
    ADDRESS = "address"
    """A client's address, for requests without a valid credential."""


@dataclass(frozen=True)
class Limit:
    """The number of requests in a window of seconds. A burst may use the whole quota at once."""

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
"""An API key acts for a platform with thousands of players, a token for one player."""


class Policy:
    """One bucket's limit, ready to be applied."""

    __slots__ = ("_after", "_before", "bucket", "interval", "limit", "place", "policy_line", "slack")

    def __init__(self, bucket: Bucket, limit: Limit, place: int) -> None:
        """`place` is the bucket's index in an account."""
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
        """Take one request out of the bucket, if one is left."""
        full_at = account.full_at[self.place]
        missing = full_at - now if full_at > now else 0.0
        if missing > self.slack + _ROUNDING:
            seconds = max(1, math.ceil(missing - self.slack))
            return Taken(self, 0, seconds, b"%b0;t=%d" % (self._before, seconds))
        missing += self.interval
        account.full_at[self.place] = now + missing
        left = int((self.limit.seconds - missing) / self.interval + _ROUNDING)
        return Taken(self, left, 0, b"%b%d%b" % (self._before, left, self._after))

    def take_more(self, account: Account, now: float, more: int) -> Taken:
        """Take what a request counts for besides the one that was taken for it, if so much is left.

        If it counts for more than the quota, the bucket must be full but for that one; it then takes longer to refill.
        """
        missing = max(0.0, account.full_at[self.place] - now)
        needed = min(more, self.limit.requests - 1) * self.interval
        wait_seconds = 0
        if (excess := missing + needed - self.limit.seconds) > _ROUNDING * self.interval:
            wait_seconds = max(1, math.ceil(excess))
        else:
            missing += more * self.interval
            account.full_at[self.place] = now + missing
        left = self.left(account, now)
        after = self._after if left else b";t=%d" % max(1, math.ceil(missing - self.slack))
        return Taken(self, left, wait_seconds, b"%b%d%b" % (self._before, left, after))

    def left(self, account: Account, now: float) -> int:
        """Return how many requests are left in the bucket."""
        missing = max(0.0, account.full_at[self.place] - now)
        return max(0, int((self.limit.seconds - missing) / self.interval + _ROUNDING))


_ROUNDING: Final = 1e-6
"""Tolerance, in requests: sums of intervals are not exact."""


class Account:
    """The buckets of one holder."""

    __slots__ = ("full_at", "holder")

    def __init__(self, holder: Holder) -> None:
        self.holder = holder
        self.full_at = [0.0] * len(Bucket)


class Taken:
    """The result of taking a request out of a bucket."""

    __slots__ = ("left", "line", "policy", "wait_seconds")

    def __init__(self, policy: Policy, left: int, wait_seconds: int, line: bytes) -> None:
        self.policy = policy
        self.left = left
        self.wait_seconds = wait_seconds
        """Seconds until the request would be granted; 0: it was granted."""
        self.line = line

    def headers(self) -> list[HeaderLine]:
        """Return `RateLimit` and `RateLimit-Policy`."""
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

    def take_more(self, account: Account, bucket: Bucket, more: int) -> Taken:
        """Take what a request counts for besides the one that was taken for it, as `Policy.take_more` does."""
        return self._policies[account.holder][bucket].take_more(account, self._clock(), more)

    def standing(self, account: Account) -> list[tuple[Bucket, Limit, int]]:
        """Return every bucket of an account with its limit and the number of requests left."""
        now = self._clock()
        return [
            (bucket, policy.limit, policy.left(account, now))
            for bucket, policy in self._policies[account.holder].items()
        ]


def read_limits(text: str) -> dict[tuple[Holder, Bucket], Limit]:
    """Return the limits in a text such as `key.moves=6000/60,token.moves=600/60`; buckets it does not name keep their defaults.

    Raises ValueError that names the part that cannot be read.
    """
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
            raise ValueError(f"{name!r} is not a bucket; the buckets are: {known}")
        limits[place] = Limit(int(requests), int(seconds))
    return limits

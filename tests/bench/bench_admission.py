"""What a rate limit costs a request: whose it is, its bucket, and the header fields of its answer.

Run it with `make bench B=admission`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from starlette.requests import Request

from gateway.access.admission import Admission, limit_headers
from gateway.access.auth import Authenticator
from gateway.access.rate_limits import Account, Bucket, Holder, Limit, RateLimiter
from services.identity.match_tokens import MatchTokens

ROUNDS = 5
REQUESTS = 50_000
AMPLE = {(holder, bucket): Limit(10**9, 60) for holder in Holder for bucket in Bucket}


def microseconds(work: Callable[[], object]) -> float:
    """The best of some rounds, per call."""
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for _ in range(REQUESTS):
            work()
        best = min(best, time.perf_counter() - begun)
    return best / REQUESTS * 1e6


def main() -> None:
    private = Ed25519PrivateKey.generate()
    limiter = RateLimiter(AMPLE)
    authenticator = Authenticator(private.public_key())
    admission = Admission(authenticator, limiter)
    token, _ = MatchTokens(private, lifetime=timedelta(hours=1)).mint(
        match_id=uuid4(), game="g", seat=0, generation=0
    )
    account = Account(Holder.TOKEN)

    def asking(credential: bytes) -> Request:
        headers = [(b"host", b"x"), (b"authorization", b"Bearer " + credential), (b"content-length", b"2")]
        return Request({"type": "http", "headers": headers, "client": ("192.0.2.1", 1)})

    def authenticated(credential: bytes) -> None:
        authenticator.caller(asking(credential))

    def admitted(credential: bytes) -> None:
        asked = asking(credential)
        admission.admit(asked, Bucket.MOVES)
        authenticator.caller(asked)
        admission.learn(asked, 200)
        limit_headers(asked.scope)

    key = b"ft_dev_" + b"x" * 32
    print(
        f"bucket and header fields      {microseconds(lambda: limiter.take(account, Bucket.MOVES).headers()):6.2f} µs"
    )
    for name, credential in (("match token", token.encode()), ("API key", key)):
        before = microseconds(lambda credential=credential: authenticated(credential))
        after = microseconds(lambda credential=credential: admitted(credential))
        print(f"{name:<12} authenticated     {before:6.2f} µs")
        print(f"{name:<12} and admitted      {after:6.2f} µs  ({after - before:+.2f})")


if __name__ == "__main__":
    main()

"""How many reads of whole matches and of earlier states may be under way, per caller and per process; or other expensive requests.

A rules server runs them in turn (services/rules/api/heavy_reads.py); this module bounds how many wait for their turn. It
never waits itself: a caller with too many of them is refused at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from gateway.access.auth import Caller
from gateway.problems.document import ProblemError

RETRY_SECONDS: Final = 2


class HeavyReads:
    """A bound on expensive requests of one kind."""

    def __init__(
        self,
        limit: int,
        *,
        per_key: int,
        per_token: int,
        what: str = "reads of whole matches or earlier states",
        bucket: str = "heavy_reads",
    ) -> None:
        """`what` says in a refusal what there are too many of, and `bucket` in its metadata."""
        self._what = what
        self._bucket = bucket
        self._limit = limit
        self._per_key = per_key
        self._per_token = per_token
        self._by_holder: Counter[int] = Counter()
        """Counts by the holder's hash, so that the credential itself is not kept."""

    @contextmanager
    def taken(self, caller: Caller, *, if_heavy: bool = True) -> Iterator[None]:
        """Hold a place. Raises ProblemError RATE_LIMITED if the caller has too many, SERVER_BUSY if all are taken by others."""
        if not if_heavy:
            yield
            return
        holder = hash(caller.holder)
        most = self._per_key if caller.is_key else self._per_token
        if self._by_holder[holder] >= most:
            detail = f"this credential has {most} {self._what} under way here"
            raise _too_many("RATE_LIMITED", detail, f"{self._bucket}_of_credential")
        if self._by_holder.total() >= self._limit:
            raise _too_many("SERVER_BUSY", "", f"{self._bucket}_of_gateway")
        self._by_holder[holder] += 1
        try:
            yield
        finally:
            self._by_holder[holder] -= 1
            if not self._by_holder[holder]:
                del self._by_holder[holder]


def _too_many(reason: str, detail: str, bucket: str) -> ProblemError:
    seconds = str(RETRY_SECONDS)
    return ProblemError(
        reason,
        detail,
        headers={"retry-after": seconds},
        members={"metadata": {"bucket": bucket, "seconds": seconds}},
    )

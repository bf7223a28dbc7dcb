"""When something may be tried again, after how long, and when to give up.

Nothing here sends or waits. It is told the result of a try and says what to do next, so that blocking and
non-blocking clients follow the same rules:

- What fails temporarily (no connection, 429, 502, 503, 504) is tried again with growing pauses, and never earlier than
  `Retry-After` says.
- What counts once however often it arrives (a GET, a PATCH, a POST with an `Idempotency-Key`) is repeatable. What does not
  is tried again only if it surely was not carried out.
"""

from __future__ import annotations

import random
from time import monotonic
from typing import Final

import httpx

from foldtable_client.problems import Unreachable, problem_of

PASSING: Final = frozenset({429, 502, 503, 504})
"""Statuses that mean "try again later"."""
NOT_CARRIED_OUT: Final = frozenset({429})
FIRST_PAUSE_SECONDS: Final = 0.1
MAX_PAUSE_SECONDS: Final = 5.0


class Pauses:
    """How long to wait between the tries of one thing, and when to give up."""

    def __init__(self, retry_for: float, *, first: float) -> None:
        self._retry_for = retry_for
        self._first = first
        self.begin_again()

    def begin_again(self) -> None:
        """Record a success: the next failure counts as the first."""
        self._deadline = monotonic() + self._retry_for
        self._next = self._first

    def next(
        self, trouble: str, answer: httpx.Response | None = None, *, cause: Exception | None = None
    ) -> float:
        """Return the seconds to wait before the next try. Raises Unreachable if the time to keep trying ends before."""
        pause = self._next * random.uniform(0.5, 1.0)  # noqa: S311 - spreads clients out; keeps no secret
        pause = max(pause, retry_after(answer))
        if monotonic() + pause > self._deadline:
            raise Unreachable(f"{trouble}, for {self._retry_for:g} s") from cause
        self._next = min(self._next * 2, MAX_PAUSE_SECONDS)
        return pause


class Attempts:
    """The tries of one request, until it is answered."""

    def __init__(self, what: str, *, retry_for: float, repeatable: bool) -> None:
        """`what`: method and path, for messages. `repeatable`: it counts once, however often it arrives."""
        self._what = what
        self._repeatable = repeatable
        self._pauses = Pauses(retry_for, first=FIRST_PAUSE_SECONDS)

    def answered(self, answer: httpx.Response) -> float | None:
        """Return None if this is the answer (a success or 304), else the seconds to wait before the next try.

        Raises ProblemError if the request is refused, Unreachable if the time to keep trying ends.
        """
        if answer.is_success or answer.status_code == httpx.codes.NOT_MODIFIED:
            return None
        if answer.status_code not in (PASSING if self._repeatable else NOT_CARRIED_OUT):
            raise problem_of(answer)
        return self._pauses.next(f"{self._what}: {answer.status_code}", answer)

    def failed(self, error: httpx.RequestError) -> float:
        """Return the seconds to wait before the next try. Raises Unreachable if there must be none."""
        trouble = f"{self._what}: {error!r}"
        if not (self._repeatable or isinstance(error, httpx.ConnectError)):
            raise Unreachable(f"{trouble}; it may have been carried out") from error
        return self._pauses.next(trouble, cause=error)


def retry_after(answer: httpx.Response | None) -> float:
    """Return the seconds `Retry-After` says (RFC 9110 §10.2.3); 0 if it is absent or a date."""
    said = "" if answer is None else answer.headers.get("retry-after", "")
    return float(said) if said.isascii() and said.isdecimal() else 0.0

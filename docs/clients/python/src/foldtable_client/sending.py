"""Sends requests, and sends them again where that is safe.

What fails for the moment (no connection, 429, 502, 503, 504) is tried again with growing pauses, and never earlier than
`Retry-After` says. A POST carries an `Idempotency-Key`, the same on every try, where the API takes one: it counts once,
however often it arrives. A POST that takes none is sent again only if it surely was not carried out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any, Final

import httpx

from foldtable_client.headers import authorization
from foldtable_client.paths import require_path
from foldtable_client.problems import Unreachable, problem_of

PASSING: Final = frozenset({429, 502, 503, 504})
"""Statuses that say: later."""
NOT_CARRIED_OUT: Final = frozenset({429})
FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 5.0


class Pauses:
    """How long to wait between the tries of one thing, and when to give up."""

    def __init__(self, patience: float, *, first: float = FIRST_PAUSE_SECONDS) -> None:
        self._patience = patience
        self._first = first
        self.begin_again()

    def begin_again(self) -> None:
        """It worked: the next failure is a first one."""
        self._deadline = time.monotonic() + self._patience
        self._next = self._first

    def wait(self, trouble: str, answer: httpx.Response | None = None) -> None:
        """Sleep; Unreachable if patience ends before."""
        pause = self._next * random.uniform(0.5, 1.0)  # noqa: S311 - spreads clients out; keeps no secret
        pause = max(pause, told_to_wait(answer))
        if time.monotonic() + pause > self._deadline:
            raise Unreachable(f"{trouble}, for {self._patience:g} s")
        self._next = min(self._next * 2, LONGEST_PAUSE_SECONDS)
        time.sleep(pause)


def told_to_wait(answer: httpx.Response | None) -> float:
    """Give the seconds `Retry-After` says (RFC 9110 §10.2.3); 0 where it says nothing, or names a date."""
    said = "" if answer is None else answer.headers.get("retry-after", "")
    return float(said) if said.isascii() and said.isdecimal() else 0.0


class Sender:
    """A connection to one API with one credential."""

    def __init__(
        self,
        address: str,
        credential: str,
        *,
        patience: float,
        timeout: float,
        transport: httpx.BaseTransport | None,
    ) -> None:
        self.patience = patience
        self.http = httpx.Client(
            base_url=address.rstrip("/"),
            headers=authorization(credential),
            timeout=timeout,
            transport=transport,
        )

    def send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool,
    ) -> httpx.Response:
        """Give the answer, a success or 304; ProblemError, Unreachable, ValueError for what is no path."""
        require_path(path)
        request = self.http.build_request(
            method, path, params=with_said(path, params or {}), json=body, headers=headers
        )
        pauses = Pauses(self.patience)
        while True:
            answer = None
            try:
                answer = self.http.send(request)
                trouble = f"{method} {path}: {answer.status_code}"
                if answer.is_success or answer.status_code == httpx.codes.NOT_MODIFIED:
                    return answer
                if answer.status_code not in (PASSING if repeatable else NOT_CARRIED_OUT):
                    raise problem_of(answer)
            except httpx.TransportError as error:
                trouble = f"{method} {path}: {error!r}"
                if not (repeatable or isinstance(error, httpx.ConnectError)):
                    raise Unreachable(f"{trouble}; it may have been carried out") from error
            pauses.wait(trouble, answer)


def with_said(path: str, parameters: Mapping[str, Any]) -> httpx.QueryParams | None:
    """Give the query: what the path has, and the parameters that are said; None for nothing.

    A path keeps its own query only if it is put together here: httpx puts any other in its place, an empty one too.
    """
    said = {name: value for name, value in parameters.items() if value is not None}
    return httpx.QueryParams(path.partition("?")[2]).merge(said) or None

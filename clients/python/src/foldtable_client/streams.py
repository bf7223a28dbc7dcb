"""Follows server-sent events, and reconnects with `Last-Event-ID` after an interruption."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from typing import Any, Final

import httpx

from foldtable_client.events import EventReader, ServerEvent
from foldtable_client.problems import problem_of
from foldtable_client.repeating import PASSING, Pauses
from foldtable_client.sending import Sender

QUIET_SECONDS: Final = 45.0
"""Three missed pings: the connection is dead."""
RETURN_SECONDS: Final = 1.0
"""At most this long a pause before a stream that had been there is opened again; not all clients at once."""


class Resumption:
    """One stream over as many connections as it takes. It is told the result of each, and says what to do next."""

    def __init__(self, path: str, *, retry_for: float) -> None:
        """`retry_for`: seconds to keep trying while no connection holds."""
        self._what = f"GET {path}"
        self._pauses = Pauses(retry_for, first=RETURN_SECONDS)
        self._last_id = ""
        self._answer: httpx.Response | None = None
        self._reader = EventReader()

    def headers(self) -> dict[str, str]:
        """Return the headers of the next connection, so that no event comes twice and none is missed."""
        self._answer = None
        return {"Accept": "text/event-stream"} | ({"Last-Event-ID": self._last_id} if self._last_id else {})

    def opened(self, answer: httpx.Response) -> bool:
        """Return whether events follow; not after what says "later". Raises ProblemError for a refusal.

        The body of what is not a success must have been read.
        """
        if not (answer.is_success or answer.status_code in PASSING):
            raise problem_of(answer)
        self._answer = answer
        self._reader = EventReader()
        return answer.is_success

    def read(self, chunk: bytes) -> Iterator[ServerEvent]:
        """Yield the events that a chunk completes; a resumption comes back after the last that was taken."""
        for event in self._reader.read(chunk):
            self._last_id = event.id or self._last_id
            yield event

    def pause(self, error: httpx.RequestError | None) -> float:
        """Return the seconds to wait before the next connection. Raises Unreachable if the time to keep trying ends before."""
        answer = self._answer
        if answer is None or answer.is_success:
            trouble = f"{self._what}: {error!r}" if error else f"{self._what}: the stream ended"
        else:
            trouble = f"{self._what}: {answer.status_code}"
        if answer is not None and answer.is_success:  # ended or cut off, it had been there
            self._pauses.begin_again()
        return self._pauses.next(trouble, answer, cause=error)


async def follow(sender: Sender, path: str, parameters: Mapping[str, Any]) -> AsyncGenerator[ServerEvent]:
    """Yield every event, over as many connections as it takes, until the server says there is no more (204).

    Raises Unreachable if no connection holds for as long as the sender is patient, ProblemError if one is refused,
    Closed when the sender is closed.
    """
    resumption = Resumption(path, retry_for=sender.retry_for)
    while True:
        broken: httpx.RequestError | None = None
        try:
            async with sender.opened(
                path, params=parameters, headers=resumption.headers(), quiet_seconds=QUIET_SECONDS
            ) as answer:
                if answer.status_code == httpx.codes.NO_CONTENT:
                    return
                if resumption.opened(answer):
                    async with aclosing(sender.chunks(answer)) as chunks:
                        async for chunk in chunks:
                            for event in resumption.read(chunk):
                                yield event
        except httpx.RequestError as error:
            broken = error
        await sender.pause(resumption.pause(broken))

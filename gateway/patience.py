"""How long a connection may keep us waiting. Nobody holds a socket and a buffer for ever by doing nothing, slowly.

No connection has a timer of its own: a clock goes round once a second (`GatewayServer.on_tick`), which costs a request
nothing but noting the time. Event streams have a clock of their own, see live/readers.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

STALL_BYTES: Final = 32 * 1024
"""A client with bytes still to take takes at least so many in `Times.stall`, or all there are."""
KEEP_ALIVE_SECONDS: Final = 75
"""How long an idle connection is kept for another request; uvicorn keeps this one. Longer than clients (httpx: 5 seconds) and
load balancers (60) keep theirs: whoever closes first must not be us, while a request is already on its way."""
NEVER: Final = float("inf")


class Awaited(Enum):
    """What a connection owes us."""

    FIRST = "first"
    """Its first request; nothing of it has come."""
    NEXT = "next"
    """Another request after one that was answered. uvicorn closes such connections first, if it has not forgotten them."""
    HEAD = "head"
    BODY = "body"
    REST = "rest"
    """The end of a body whose request was answered already."""
    NOTHING = "nothing"
    """A request is being answered."""


@dataclass(frozen=True)
class Times:
    """How long a client may take, in seconds."""

    head: float = 10.0
    """From the beginning of a connection, or of a further request on it, until the request's head is there."""
    body: float = 60.0
    """From the end of a request's head until its body is there."""
    rest: float = 5.0
    """How long the rest of a body is thrown away that nobody wants, so that its sender comes to read the answer."""
    stall: float = 30.0
    """How long a client may leave an answer where it is."""

    def until(self, awaited: Awaited, now: float) -> float:
        """Give when something should have come."""
        match awaited:
            case Awaited.FIRST | Awaited.HEAD:
                return now + self.head
            case Awaited.NEXT:
                return now + self.head + KEEP_ALIVE_SECONDS
            case Awaited.BODY:
                return now + self.body
            case Awaited.REST:
                return now + self.rest
            case Awaited.NOTHING:
                return NEVER


class Patience:
    """What one connection owes, and until when."""

    __slots__ = ("_sent", "_stalled_at", "_times", "_until", "awaited")

    def __init__(self, times: Times, now: float) -> None:
        self._times = times
        self.awaited = Awaited.FIRST
        self._until = times.until(Awaited.FIRST, now)
        self._stalled_at = NEVER
        self._sent = 0

    def wait_for(self, awaited: Awaited, now: float) -> None:
        """Begin to wait for something."""
        self.awaited = awaited
        self._until = self._times.until(awaited, now)

    def is_over(self, now: float) -> bool:
        """Say whether what is owed should have come by now."""
        return now > self._until

    def is_stalled(self, sent: int, unsent: int, now: float) -> bool:
        """Say whether the client has stopped taking what it asked for; called once a second."""
        if not unsent:
            self._stalled_at = NEVER
        elif self._stalled_at == NEVER:
            self._stalled_at, self._sent = now, sent
        elif now - self._stalled_at > self._times.stall:
            if sent - self._sent < STALL_BYTES:
                return True
            self._stalled_at, self._sent = now, sent
        return False

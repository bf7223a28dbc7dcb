"""Deadlines of connections, so that a slow or idle client cannot hold a socket and a buffer for ever.

No connection has its own timer: all connections are checked once a second (`GatewayServer.on_tick`), so a request only has
to note the time. Event streams have a separate timer, see live/open_streams.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

STALL_BYTES: Final = 32 * 1024
"""A client to which bytes are still to be sent must take at least this many within `Times.stall`, or all that are left."""
KEEP_ALIVE_SECONDS: Final = 75
"""How long an idle connection is kept for another request. It is longer than the limits of clients
(httpx: 5 seconds) and load balancers (60): if the server closed first, a request could already be on its way."""
NEVER: Final = float("inf")


class Awaited(Enum):
    """What is expected of a client next."""

    FIRST = "first"
    """Its first request, of which nothing has arrived."""
    NEXT = "next"
    """Another request after one that was answered."""
    HEAD = "head"
    BODY = "body"
    REST = "rest"
    """The end of a body whose request has already been answered."""
    NOTHING = "nothing"
    """Nothing: a request is being answered."""


@dataclass(frozen=True)
class Times:
    """How long a client may take, in seconds."""

    head: float = 10.0
    """From the beginning of a connection, or of a further request on it, until the request's head is complete."""
    body: float = 60.0
    """From the end of a request's head until its body is complete."""
    rest: float = 5.0
    """How long the rest of an unwanted body is read and discarded, so that its sender gets to read the response."""
    stall: float = 30.0
    """How long a client may stop reading a response."""

    def until(self, awaited: Awaited, now: float) -> float:
        """Return the deadline of something that is awaited from `now` on."""
        match awaited:
            case Awaited.FIRST | Awaited.HEAD:
                return now + self.head
            case Awaited.NEXT:
                return now + KEEP_ALIVE_SECONDS
            case Awaited.BODY:
                return now + self.body
            case Awaited.REST:
                return now + self.rest
            case Awaited.NOTHING:
                return NEVER


class ConnectionDeadlines:
    """What is awaited on one connection, and until when."""

    __slots__ = ("_sent", "_stalled_at", "_times", "_until", "awaited")

    def __init__(self, times: Times, now: float) -> None:
        self._times = times
        self.awaited = Awaited.FIRST
        self._until = times.until(Awaited.FIRST, now)
        self._stalled_at = NEVER
        self._sent = 0

    def wait_for(self, awaited: Awaited, now: float) -> None:
        """Begin to wait."""
        self.awaited = awaited
        self._until = self._times.until(awaited, now)

    def is_over(self, now: float) -> bool:
        """Return whether the deadline has passed."""
        return now > self._until

    def is_stalled(self, sent: int, unsent: int, now: float) -> bool:
        """Return whether the client has stopped reading its response; called once a second."""
        if not unsent:
            self._stalled_at = NEVER
        elif self._stalled_at == NEVER:
            self._stalled_at, self._sent = now, sent
        elif now - self._stalled_at > self._times.stall:
            if sent - self._sent < STALL_BYTES:
                return True
            self._stalled_at, self._sent = now, sent
        return False

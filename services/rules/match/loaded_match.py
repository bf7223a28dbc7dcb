"""A match folded to a version, with everything needed to judge its next move without reading its rows again."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any, Final

from msgspec.structs import replace

from engine.kernel.game import AnyGame
from engine.kernel.pending import Pending
from engine.kernel.seats import Seat
from engine.match import aborting
from engine.match.absence import is_servers_own
from engine.match.commands import MatchEvent
from engine.match.timeline import Timeline
from services.movelog.chain import genesis_hash
from services.movelog.records import Match, Move, Seating, Status
from services.rules.match.downtimes import NO_DOWNTIMES, Downtimes

SEATING_SECONDS: Final = 10.0
"""How long a revoked token may still be accepted here if the wake-up that announces the revocation was lost."""
LONG_AGO: Final = float("-inf")
"""Time of reading of a seating that must be read again before it is used."""


def fingerprint(seat: int | None, request: bytes) -> bytes:
    """Return a fingerprint that distinguishes requests with the same request id."""
    return blake2b(request, digest_size=16, salt=str(seat).encode()).digest()


class LoadedMatch:
    """One match folded to a version, and what judging the next move needs of the earlier ones."""

    __slots__ = (
        "_answered",
        "_opened",
        "attended_at",
        "claims",
        "downtimes",
        "game",
        "head",
        "match",
        "moved_at",
        "name",
        "noted",
        "pending",
        "proposed_at",
        "put_aside",
        "seating",
        "seating_read_at",
        "state",
        "timeline",
        "version",
    )

    def __init__(
        self, match: Match, game: AnyGame, seating: Seating, downtimes: Downtimes = NO_DOWNTIMES
    ) -> None:
        self.downtimes = downtimes
        """The times in which no server took moves of the games of this process."""
        self.match = match
        """The match as created; its current version and what depends on it are fields of this class."""
        self.name = str(match.id)
        """The match's id as text."""
        self.game = game
        self.version = 0
        self.timeline = Timeline()
        """The rows that count."""
        self.proposed_at: datetime | None = None
        """When the latest proposal was made."""
        self.state: Any = None
        self.head = genesis_hash(match)
        """Hash of the newest row."""
        self.moved_at = match.created_at
        """When that row was written, perhaps by another server's clock; the next row is never earlier."""
        self.attended_at = match.created_at
        """When a player was last there: the time of the newest row that somebody asked for who is no bot."""
        self.pending: tuple[Pending, ...] = ()
        self.put_aside: tuple[Pending, ...] = ()
        """The decisions that were open when the match was paused; empty while it is not."""
        self.noted = 0
        """The newest version with a snapshot, stored or about to be (snapshots.py)."""
        self._opened: dict[str, int] = {}
        self._answered: dict[str, tuple[int, bytes]] = {}
        self.set_seating(seating)
        self.seating_read_at = LONG_AGO
        """In the monotonic clock's time."""

    def set_seating(self, seating: Seating) -> None:
        """Set who sits where, and which tokens are valid."""
        self.seating = seating
        self.claims = seating.claims
        if (
            len(seating.seats) != self.match.seats
        ):  # it started without its last seats, through another replica
            self.resize(len(seating.seats))
        if seating.watch_generation != self.match.watch_generation:
            self.match = replace(self.match, watch_generation=seating.watch_generation)
        if (seating.title, seating.visibility) != (self.match.title, self.match.visibility):
            self.match = replace(self.match, title=seating.title, visibility=seating.visibility)

    def resize(self, seats: int) -> None:
        """Change the number of seats before the first move, whose row follows a hash that covers the number."""
        self.match = replace(self.match, seats=seats)
        if self.version == 0:
            self.head = genesis_hash(self.match)

    def advance_to(
        self,
        move: Move,
        state: Any,
        pending: tuple[Pending, ...],
        match_events: tuple[MatchEvent, ...] | None,
    ) -> None:
        """Advance to the next row, whose state and open decisions are known already.

        `match_events` are its events if they are the server's own.
        """
        turned_from = self.timeline.head
        seat = None if move.seat is None else Seat(move.seat)
        head = self.timeline.advance(move.seq, seat, move.request, match_events)
        if match_events is not None and head is not turned_from:
            self._opened = {}  # decisions made before the undo were made on another state
        if (proposal := self.timeline.proposal) is not None and proposal.version == move.seq:
            self.proposed_at = move.recorded_at
        self.state = state
        self.version = move.seq
        self.head = move.hash
        self.moved_at = move.recorded_at
        if not (is_servers_own(move.request) or self._is_a_bots(move.seat)):
            self.attended_at = move.recorded_at
        if self.timeline.pause is None:
            self.put_aside = ()
        elif not self.put_aside:
            self.put_aside = self.pending
        self.pending = pending
        self._opened = {one.id: self._opened.get(one.id, move.seq) for one in pending}
        self._answered[move.request_id] = (move.seq, fingerprint(move.seat, move.request))

    def pending_after(self, state: Any, match_events: tuple[MatchEvent, ...] = ()) -> tuple[Pending, ...]:
        """Return the decisions that would be open after a row with this state; `match_events` are its events if they are the
        server's own.
        """
        timeline = self.timeline
        if not match_events and not timeline.pauses:
            return self.game.pending(state)
        aborted, paused = aborting.is_abort(match_events), timeline.is_paused_after(match_events)
        return aborting.pending(self.game, state, aborted=aborted, paused=paused)

    def served_until(self, start: datetime, length: timedelta) -> datetime:
        """Return when so much time since `start` has passed in which moves of the match were taken."""
        return self.downtimes.served_until((self.match.game, self.match.rules_version), start, length)

    @property
    def stood_until(self) -> datetime | None:
        """When the deadlines of the match were last moved because no server had taken moves, as far as this process knows."""
        if self.match.clock is None and self.timeline.proposal is None:
            return None
        until = self.downtimes.last_until((self.match.game, self.match.rules_version))
        return until if until is not None and until > self.match.created_at else None

    def _is_a_bots(self, seat: int | None) -> bool:
        seats = self.seating.seats
        return seat is not None and seat < len(seats) and bool(seats[seat].bot)

    def answered(self, request_id: str) -> tuple[int, bytes] | None:
        """Return the version a request id made, and the request's fingerprint; None if it has made none."""
        return self._answered.get(request_id)

    def decision_of(self, seat: Seat) -> Pending | None:
        """Return the seat's open decision."""
        return next((one for one in self.pending if one.seat == seat), None)

    def opened(self, seat: Seat) -> int:
        """Return the version that opened the seat's decision. Raises LookupError if it has none."""
        decision = self.decision_of(seat)
        if decision is None:
            raise LookupError(f"seat {seat} has nothing to decide")
        return self._opened[decision.id]

    def same_decision_since(self, seat: Seat, version: int) -> bool:
        """Return whether a secret simultaneous decision of this seat has been open, unchanged, since `version`.

        What other seats have decided in secret meanwhile cannot conflict with this seat's answer.
        """
        decision = self.decision_of(seat)
        return decision is not None and decision.simultaneous and self._opened[decision.id] <= version

    @property
    def status(self) -> Status:
        if self.version == 0:
            return Status.WAITING
        return Status.RUNNING if self.pending or self._is_paused() else Status.ENDED

    def _is_paused(self) -> bool:
        timeline = self.timeline
        if not timeline.pauses or timeline.pause is None or timeline.aborted is not None:
            return False
        return self.game.outcome(self.state) is None

    @property
    def to_act(self) -> tuple[int, ...]:
        return tuple(one.seat for one in self.pending)


def may_have_changed(loaded: LoadedMatch) -> bool:
    """Return whether the seating must be read again.

    Before the start it may change with every call; afterwards only by a revocation, which wakes all replicas.
    """
    return loaded.version == 0 or may_be_gone(loaded)


def may_be_gone(loaded: LoadedMatch) -> bool:
    """Return whether the match may have been deleted since it was last read: that wakes all replicas, too."""
    return time.monotonic() - loaded.seating_read_at > SEATING_SECONDS

"""The same log in memory: for tests and for trying things out. Kept honest by the contract tests of both."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from uuid import UUID

from msgspec.structs import replace

from services.movelog.checks import check_append, check_limit, check_new, check_seat, check_text
from services.movelog.log import (
    LogError,
    LogUnavailable,
    MatchUnknown,
    NoFreeSeat,
    RequestIdTaken,
    SeatTaken,
    StaleVersion,
    Wakeups,
)
from services.movelog.records import Append, Match, Move, SeatClaim
from services.movelog.watchers import Watchers


class _Stored:
    """A match and all that belongs to it."""

    __slots__ = ("claims", "match", "moves", "request_ids")

    def __init__(self, match: Match, claims: Sequence[SeatClaim]) -> None:
        self.match = match
        self.claims = {claim.seat: claim for claim in claims}
        self.moves: list[Move] = []
        self.request_ids: set[str] = set()


class MemoryLog:
    """A `MoveLog` that ends with its process. No method waits in its middle, so each is atomic."""

    def __init__(self) -> None:
        self._matches: dict[UUID, _Stored] = {}
        self._requested: dict[tuple[str, str], UUID] = {}
        self._watchers = Watchers()
        self._is_closed = False

    async def create(self, match: Match, claims: Sequence[SeatClaim]) -> Match:
        """See `MoveLog.create`; ValueError for a match that cannot be."""
        self._must_be_open()
        check_new(match, claims)
        if match.request_id is not None:
            first = self._requested.get((match.tenant, match.request_id))
            if first is not None:
                return self._matches[first].match
        if match.id in self._matches:
            stored = self._matches[match.id].match
            if (stored.tenant, stored.commitment) != (match.tenant, match.commitment):
                raise LogError(f"match id {match.id} is taken by another match")
            return stored
        if match.request_id is not None:
            self._requested[match.tenant, match.request_id] = match.id
        self._matches[match.id] = _Stored(match, claims)
        return match

    async def find(self, match_id: UUID) -> Match:
        """See `MoveLog.find`."""
        return self._stored(match_id).match

    async def claims(self, match_id: UUID) -> tuple[SeatClaim, ...]:
        """See `MoveLog.claims`; empty for an unknown match."""
        self._must_be_open()
        stored = self._matches.get(match_id)
        return () if stored is None else tuple(stored.claims[seat] for seat in sorted(stored.claims))

    async def claim(self, match_id: UUID, seat: int | None, player: str) -> SeatClaim:
        """See `MoveLog.claim`; ValueError for a seat the match does not have.

        A named player who already sits on the very seat gets the same claim again.
        """
        check_text(player)
        stored = self._stored(match_id)
        if seat is None:
            free = [seat for seat in range(stored.match.seats) if seat not in stored.claims]
            if not free:
                raise NoFreeSeat(f"match {match_id} has no free seat")
            seat = free[0]
        check_seat(seat, stored.match.seats)
        held = stored.claims.get(seat)
        if held is not None:
            if player and held.player == player:
                return held
            raise SeatTaken(f"seat {seat} of match {match_id} is taken")
        stored.claims[seat] = SeatClaim(seat=seat, player=player)
        return stored.claims[seat]

    async def append(self, append: Append) -> None:
        """See `MoveLog.append`; ValueError for a move that no log could hold."""
        check_append(append)
        move = append.move
        stored = self._stored(move.match_id)
        if move.request_id in stored.request_ids:
            raise RequestIdTaken(f"match {move.match_id} has a move with this request id")
        if stored.match.version != move.seq - 1:
            raise StaleVersion(f"match {move.match_id} is not at version {move.seq - 1}")
        stored.moves.append(move)
        stored.request_ids.add(move.request_id)
        stored.match = replace(
            stored.match,
            version=move.seq,
            status=append.status,
            to_act=append.to_act,
            outcome=append.outcome,
            updated_at=move.recorded_at,
        )
        self._watchers.wake(move.match_id)

    async def read(self, match_id: UUID, *, after: int = 0, limit: int | None = None) -> list[Move]:
        """See `MoveLog.read`; ValueError for a limit below zero."""
        self._must_be_open()
        check_limit(limit)
        stored = self._matches.get(match_id)
        if stored is None:
            return []
        first = max(after, 0)
        return stored.moves[first:] if limit is None else stored.moves[first : first + limit]

    def watch(self, match_id: UUID) -> AbstractAsyncContextManager[Wakeups]:
        """See `MoveLog.watch`."""
        return self._watchers.watch(match_id)

    async def close(self) -> None:
        """Take no more calls. What is stored is gone with the process."""
        self._is_closed = True

    def _stored(self, match_id: UUID) -> _Stored:
        self._must_be_open()
        try:
            return self._matches[match_id]
        except KeyError:
            raise MatchUnknown(f"no match {match_id}") from None

    def _must_be_open(self) -> None:
        if self._is_closed:
            raise LogUnavailable("the log is closed")

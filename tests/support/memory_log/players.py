"""The players of seats of the log in memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

from msgspec.structs import replace

from services.movelog.checks import check_limit, check_seat, check_text
from services.movelog.failures import StaleVersion
from services.movelog.identities import SeatIdentities
from services.movelog.lobby import PlayerRule
from services.movelog.players import (
    MAX_REPLACED,
    ConsentOutdated,
    NotRunning,
    Reached,
    ReplacedTooOften,
    Replacement,
    RevokedSeats,
)
from services.movelog.records import JoinedBy, ReplacedPlayer, SeatRecord, Status
from tests.support.memory_log.events import MemoryEvents
from tests.support.memory_log.lobby import MemoryLobby, Shelf, new_identity


class MemorySeatPlayers:
    """See `SeatPlayers`. No method waits in its middle, so each is atomic."""

    def __init__(
        self, shelf: Shelf, lobby: MemoryLobby, events: MemoryEvents, announce: Callable[[UUID], None]
    ) -> None:
        self._shelf = shelf
        self._lobby = lobby
        self._events = events
        self._announce = announce

    async def replace(self, match_id: UUID, wanted: Replacement) -> SeatRecord:
        """See `SeatPlayers.replace`."""
        check_text(wanted.player, wanted.name)
        stored = self._shelf.stored(match_id)
        rule = PlayerRule(tenant=wanted.tenant, player=wanted.player, only_seat=True)
        self._shelf.must_hold(rule, stored)
        self._lobby.must_be_new(wanted.request)
        check_seat(wanted.seat, stored.match.seats)
        if stored.match.version != wanted.version:
            raise StaleVersion(f"match {match_id} is not at version {wanted.version}")
        if stored.match.status is not Status.RUNNING:
            raise NotRunning(f"match {match_id} is {stored.match.status}")
        row = stored.seats[wanted.seat]
        if len(row.replaced) >= MAX_REPLACED:
            raise ReplacedTooOften(f"seat {wanted.seat} of match {match_id} had {MAX_REPLACED} other players")
        if wanted.asked_at is not None and row.replaced and row.replaced[-1].until_version >= wanted.asked_at:
            raise ConsentOutdated(f"seat {wanted.seat} of match {match_id} has another player since")
        before = ReplacedPlayer(
            player=row.player,
            name=row.name,
            until_version=stored.match.version,
            replaced_at=datetime.now(UTC),
        )
        taken = replace(
            row,
            player=wanted.player,
            name=wanted.name,
            joined_by=JoinedBy.JOIN,
            data=wanted.data,
            bot="",
            account="",
            ready=False,
            generation=row.generation + 1,
            invite_generation=row.invite_generation + 1,
            replaced=(*row.replaced, before),
        )
        stored.seats[wanted.seat] = taken
        identities = stored.identities[wanted.seat]
        stored.identities[wanted.seat] = SeatIdentities(
            seat=wanted.seat, present=new_identity(), earlier=(*identities.earlier, identities.present)
        )
        stored.revocations += 1
        self._lobby.note(wanted.request, match_id, wanted.seat, taken.generation)
        self._events.replaced(stored.match, taken)
        self._announce(match_id)
        return taken

    async def identities(self, match_id: UUID) -> tuple[SeatIdentities, ...]:
        """See `SeatPlayers.identities`."""
        self._shelf.must_be_open()
        stored = self._shelf.matches.get(match_id)
        return () if stored is None else tuple([stored.identities[row.seat] for row in stored.seats])

    async def revoke(
        self, tenant: str, player: str, *, after: Reached | None = None, limit: int
    ) -> RevokedSeats:
        """See `SeatPlayers.revoke`."""
        check_text(player)
        check_limit(limit)
        self._shelf.must_be_open()
        found = [
            Reached(stored.match.status is not Status.ENDED, stored.match.id)
            for stored in self._shelf.matches.values()
            if stored.match.tenant == tenant and any(row.player == player != "" for row in stored.seats)
        ]
        page = [one for one in sorted(found, reverse=True) if after is None or one < after][:limit]
        seats = 0
        for one in page:
            stored = self._shelf.matches[one.match_id]
            stored.revocations += 1
            for row in stored.seats:
                if row.player == player:
                    seats += 1
                    stored.seats[row.seat] = replace(
                        row, generation=row.generation + 1, invite_generation=row.invite_generation + 1
                    )
            self._announce(one.match_id)
        return RevokedSeats(seats, page[-1] if page and len(page) == limit else None)

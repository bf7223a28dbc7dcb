"""The lobby of the log in memory. No method waits in its middle, so each is atomic."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

from msgspec.structs import replace

from engine.match.commands import PausedBy
from services.movelog.checks import check_append, check_new, check_seat, check_text
from services.movelog.clocks import SeatClock
from services.movelog.failures import LogUnavailable, MatchUnknown, StaleVersion, TokensRevoked, clock_refusal
from services.movelog.identities import SALT_BYTES, Identity, SeatIdentities
from services.movelog.lobby import (
    MatchEnded,
    MatchStarted,
    NoFreeSeat,
    NoOpenMatch,
    PlayerRule,
    PlayerSeated,
    QuickJoin,
    SeatChange,
    SeatFree,
    SeatGiven,
    SeatRequest,
    SeatRequestTaken,
    SeatsFree,
    SeatTaken,
    SeatWanted,
    TooManyWaiting,
    first_seat,
    has_it,
    why_not,
)
from services.movelog.records import (
    Append,
    JoinedBy,
    Match,
    Move,
    Progress,
    Seating,
    SeatRecord,
    SeatState,
    Status,
    TokenUse,
    Visibility,
)
from services.movelog.ticking import in_time, may_move, ticked_all, wound
from tests.support.memory_log.events import MemoryEvents


def new_identity() -> Identity:
    """Return the identity of a player who has just come."""
    return Identity(salt=os.urandom(SALT_BYTES))


class Stored:
    """A match and all that belongs to it."""

    __slots__ = ("clocks", "identities", "match", "moves", "request_ids", "revocations", "seats")

    def __init__(self, match: Match, seats: tuple[SeatRecord, ...]) -> None:
        self.match = match
        self.seats = list(seats)
        self.identities = {row.seat: SeatIdentities(seat=row.seat, present=new_identity()) for row in seats}
        self.clocks: tuple[SeatClock, ...] = ()
        self.moves: list[Move] = []
        self.request_ids: set[str] = set()
        self.revocations = 0

    def must_be_good(self, revocations: int | None) -> None:
        """Raises TokensRevoked if tokens were revoked since; None: no token is used."""
        if revocations not in {None, self.revocations}:
            raise TokensRevoked(f"tokens of match {self.match.id} were revoked")

    def advance(self, append: Append) -> None:
        """Add the next move. Raises TimeIsUp, TimeLeft."""
        move = append.move
        self._tick(append)
        self.moves.append(move)
        self.request_ids.add(move.request_id)
        self.match = replace(
            self.match,
            version=move.seq,
            status=append.status,
            to_act=append.to_act,
            outcome=append.outcome,
            updated_at=move.recorded_at,
            paused_by=self._paused_by(append),
        )

    def _paused_by(self, append: Append) -> PausedBy | None:
        change = append.proposal
        if change is None or change.paused is None:
            return self.match.paused_by
        return PausedBy(change.paused) if change.paused else None

    def _tick(self, append: Append) -> None:
        """Change the clocks, if the match has any."""
        clock, tick, mover = self.match.clock, append.tick, append.move.seat
        if clock is None or tick is None:
            return
        now = datetime.now(UTC)
        clocks = self.clocks if self.match.version else wound(clock, self.match.seats)
        for one in clocks:
            if one.seat == mover and not may_move(clock, one, tick.cause, now):
                raise clock_refusal(append.move.match_id, tick.cause)
        if not in_time(clocks, tick, now):
            raise clock_refusal(append.move.match_id, tick.cause)
        has_ended = append.status is Status.ENDED
        self.clocks = () if has_ended else ticked_all(clock, clocks, tick, mover, now)

    @property
    def progress(self) -> Progress:
        """See `MoveLog.progress`."""
        return Progress(version=self.match.version, revocations=self.revocations)


class Shelf:
    """Every match, by its id; shared by the log and its lobby."""

    def __init__(self) -> None:
        self.matches: dict[UUID, Stored] = {}
        self.is_closed = False

    def must_be_open(self) -> None:
        """Raises LogUnavailable once the log is closed."""
        if self.is_closed:
            raise LogUnavailable("the log is closed")

    def stored(self, match_id: UUID) -> Stored:
        """Return a match. Raises MatchUnknown."""
        self.must_be_open()
        try:
            return self.matches[match_id]
        except KeyError:
            raise MatchUnknown(f"no match {match_id}") from None

    def must_be_good(self, token: TokenUse | None) -> None:
        """Raises TokensRevoked if tokens of a match were revoked since the caller's was checked."""
        if token is not None:
            self.stored(token.match_id).must_be_good(token.revocations)

    def must_hold(
        self, rule: PlayerRule | None, stored: Stored | None = None, seat: int | None = None
    ) -> None:
        """Raises PlayerSeated or TooManyWaiting unless a rule holds; `seat` is the one that the player wants."""
        if rule is None:
            return
        if rule.only_seat and stored is not None and (own := _seats_of(stored, rule.player)):
            if own[0] == seat:
                return
            raise PlayerSeated(f"{rule.player!r} has a seat of match {stored.match.id}", seat=own[0])
        waiting = [
            one
            for one in self.matches.values()
            if one.match.tenant == rule.tenant and one.match.version == 0 and _seats_of(one, rule.player)
        ]
        if rule.most_waiting is not None and len(waiting) >= rule.most_waiting:
            raise TooManyWaiting(f"{rule.player!r} sits in {rule.most_waiting} matches that have not begun")

    def waiting(self, match_id: UUID) -> Stored:
        """Return a match that has not started. Raises MatchStarted."""
        stored = self.stored(match_id)
        if stored.match.version > 0:
            raise MatchStarted(f"match {match_id} has begun")
        return stored


class MemoryLobby:
    """See `Lobby`."""

    def __init__(self, shelf: Shelf, events: MemoryEvents, announce: Callable[[UUID], None]) -> None:
        self._shelf = shelf
        self._events = events
        self._announce = announce
        self._given: dict[tuple[str, str], SeatGiven] = {}

    async def seating(self, match_id: UUID) -> Seating:
        """See `Lobby.seating`."""
        stored = self._shelf.stored(match_id)
        return Seating(
            seats=tuple(stored.seats),
            watch_generation=stored.match.watch_generation,
            revocations=stored.revocations,
            title=stored.match.title,
            visibility=stored.match.visibility,
        )

    async def claim(self, match_id: UUID, wanted: SeatWanted) -> SeatRecord:
        """See `Lobby.claim`."""
        check_text(wanted.player, wanted.name)
        stored = self._shelf.stored(match_id)
        self._shelf.must_be_good(wanted.token)
        self.must_be_new(wanted.request)
        seat = wanted.seat
        if seat is None:
            is_open = stored.match.version == 0
            free = [row.seat for row in stored.seats if is_open and row.state is SeatState.OPEN]
            if not free:
                raise NoFreeSeat(f"match {match_id} has no free seat")
            seat = free[0]
        check_seat(seat, stored.match.seats)
        self._shelf.must_hold(wanted.rule, stored, wanted.seat)
        held = stored.seats[seat]
        if has_it(held, wanted):
            return held
        if (refusal := why_not(held, wanted)) is not None:
            raise refusal
        self._shelf.waiting(match_id)
        return self._take(stored, seat, wanted)

    async def requested(self, tenant: str, request_id: str) -> SeatGiven | None:
        """See `Lobby.requested`."""
        self._shelf.must_be_open()
        return self._given.get((tenant, request_id))

    async def quick_join(self, wanted: QuickJoin, otherwise: Match | None) -> tuple[UUID, SeatRecord]:
        """See `Lobby.quick_join`."""
        check_text(wanted.player, wanted.name)
        self._shelf.must_be_open()
        self.must_be_new(wanted.request)
        self._shelf.must_hold(wanted.rule)
        for match_id in sorted(self._shelf.matches):
            stored = self._shelf.matches[match_id]
            free = [row.seat for row in stored.seats if row.state is SeatState.OPEN]
            if free and _fits(stored, wanted):
                by, request = JoinedBy.QUICK_JOIN, wanted.request
                claim = SeatWanted(player=wanted.player, name=wanted.name, by=by, request=request)
                return match_id, self._take(stored, free[0], claim)
        if otherwise is None:
            raise NoOpenMatch("no public match with an open seat fits")
        stored = Stored(otherwise, check_new(otherwise, [first_seat(wanted)]))
        self._shelf.matches[otherwise.id] = stored
        self.note(wanted.request, otherwise.id, 0, 0)
        self._events.created(otherwise)
        self._events.joined(otherwise, stored.seats[0])
        self._announce(otherwise.id)
        return otherwise.id, stored.seats[0]

    async def leave(self, match_id: UUID, seat: int, generation: int | None) -> SeatRecord:
        """See `Lobby.leave`."""
        stored = self._waiting_seat(match_id, seat)
        row = stored.seats[seat]
        is_taken = row.state is SeatState.TAKEN
        is_old = generation is not None and (not is_taken or row.generation != generation)
        if row.state is SeatState.OPEN or is_old:
            raise SeatFree(f"seat {seat} of match {match_id} is free")
        is_kept = is_taken and row.joined_by is JoinedBy.INVITE
        if is_taken:
            self._events.left(stored.match, row)
        stored.revocations += 1
        return self._put(
            stored,
            replace(
                row,
                state=SeatState.INVITED if is_kept else SeatState.OPEN,
                player=row.player if is_kept else "",
                name=row.name if is_kept else "",
                generation=row.generation + 1,
                invite_generation=row.invite_generation + 1,
                bot="",
                data=b"",
                account="",
                ready=False,
            ),
        )

    async def update_seat(
        self, match_id: UUID, seat: int, generation: int | None, change: SeatChange
    ) -> SeatRecord:
        """See `Lobby.update_seat`."""
        check_text(change.name or "")
        stored = self._shelf.stored(match_id)
        check_seat(seat, stored.match.seats)
        row = stored.seats[seat]
        if change.ready is not None:
            self._shelf.waiting(match_id)
        if row.state is not SeatState.TAKEN or generation not in {None, row.generation}:
            raise SeatFree(f"seat {seat} of match {match_id} is free")
        return self._put(
            stored,
            replace(
                row,
                name=row.name if change.name is None else change.name,
                renamed=row.renamed or (change.name, change.data) != (None, None),
                data=row.data if change.data is None else change.data,
                ready=row.ready if change.ready is None else change.ready,
            ),
        )

    async def invite(self, match_id: UUID, seat: int, player: str, name: str) -> SeatRecord:
        """See `Lobby.invite`."""
        check_text(player, name)
        stored = self._waiting_seat(match_id, seat)
        row = stored.seats[seat]
        if row.state is SeatState.TAKEN:
            raise SeatTaken(f"seat {seat} of match {match_id} is taken")
        return self._put(
            stored,
            replace(
                row,
                state=SeatState.INVITED,
                player=player or row.player,
                name=name or row.name,
                invite_generation=row.invite_generation + 1,
                account="",
            ),
        )

    async def revoke(self, match_id: UUID, seat: int) -> SeatRecord:
        """See `Lobby.revoke`."""
        stored = self._shelf.stored(match_id)
        check_seat(seat, stored.match.seats)
        row = stored.seats[seat]
        stored.revocations += 1
        raised = replace(row, generation=row.generation + 1, invite_generation=row.invite_generation + 1)
        return self._put(stored, raised)

    async def revoke_watchers(self, match_id: UUID) -> int:
        """See `Lobby.revoke_watchers`."""
        stored = self._shelf.stored(match_id)
        stored.revocations += 1
        stored.match = replace(stored.match, watch_generation=stored.match.watch_generation + 1)
        self._announce(match_id)
        return stored.match.watch_generation

    async def seat_bot(
        self, match_id: UUID, seat: int, bot: str, generation: int | None = None
    ) -> SeatRecord:
        """See `Lobby.seat_bot`."""
        check_text(bot)
        stored = self._shelf.stored(match_id)
        check_seat(seat, stored.match.seats)
        row = stored.seats[seat]
        if stored.match.status is Status.ENDED:
            raise MatchEnded(f"match {match_id} is over")
        if generation is not None and (row.state is not SeatState.TAKEN or row.generation != generation):
            raise SeatFree(f"seat {seat} of match {match_id} is free")
        if row.state is SeatState.TAKEN:
            return row if row.bot == bot else self._put(stored, replace(row, bot=bot))
        if not bot:
            raise SeatFree(f"seat {seat} of match {match_id} is free")
        taken = SeatRecord(
            seat=seat,
            state=SeatState.TAKEN,
            generation=row.generation,
            invite_generation=row.invite_generation + 1,
            joined_by=JoinedBy.BOT,
            bot=bot,
        )
        return self._put(stored, taken)

    async def start(self, append: Append, seats: int) -> None:
        """See `Lobby.start`."""
        check_append(append)
        match_id = append.move.match_id
        stored = self._shelf.stored(match_id)
        if stored.match.version != append.move.seq - 1:
            raise StaleVersion(f"match {match_id} is not at version {append.move.seq - 1}")
        stored.must_be_good(append.revocations)
        taken = [row.seat for row in stored.seats if row.state is SeatState.TAKEN]
        if taken != list(range(seats)):
            raise SeatsFree(
                f"the first {seats} seats of match {match_id} are not exactly those that are taken"
            )
        stored.match = replace(stored.match, seats=seats, seats_left_out=stored.match.seats - seats)
        del stored.seats[seats:]
        stored.advance(append)
        self._events.moved(stored.match, append, stored.seats)
        self._announce(match_id)

    async def rematch_of(self, match_id: UUID) -> Match | None:
        """See `Lobby.rematch_of`."""
        self._shelf.must_be_open()
        every = (stored.match for stored in self._shelf.matches.values())
        return next((match for match in every if match.rematch_of == match_id), None)

    def _waiting_seat(self, match_id: UUID, seat: int) -> Stored:
        stored = self._shelf.stored(match_id)
        check_seat(seat, stored.match.seats)
        return self._shelf.waiting(match_id)

    def _take(self, stored: Stored, seat: int, wanted: SeatWanted) -> SeatRecord:
        row = stored.seats[seat]
        self.note(wanted.request, stored.match.id, seat, row.generation)
        taken = replace(
            row,
            state=SeatState.TAKEN,
            player=wanted.player or row.player,
            name=wanted.name or row.name,
            joined_by=wanted.by,
            data=wanted.data or row.data,
            account=wanted.account or row.account,
            ready=False,
        )
        self._events.joined(stored.match, taken)
        return self._put(stored, taken)

    def _put(self, stored: Stored, row: SeatRecord) -> SeatRecord:
        stored.seats[row.seat] = row
        self._announce(stored.match.id)
        return row

    def must_be_new(self, request: SeatRequest | None) -> None:
        """Raises SeatRequestTaken if a request id was used before."""
        if request is not None and (request.tenant, request.request_id) in self._given:
            raise SeatRequestTaken("this request id has been used to take a seat")

    def note(self, request: SeatRequest | None, match_id: UUID, seat: int, generation: int) -> None:
        """Note which seat a request got."""
        if request is not None:
            self._given[request.tenant, request.request_id] = SeatGiven(
                match_id=match_id, seat=seat, mark=request.mark, generation=generation
            )


def _seats_of(stored: Stored, player: str) -> list[int]:
    return [row.seat for row in stored.seats if row.state is SeatState.TAKEN and row.player == player]


def _fits(stored: Stored, wanted: QuickJoin) -> bool:
    match = stored.match
    return (
        (match.tenant, match.game) == (wanted.tenant, wanted.game)
        and match.rules_version in wanted.rules_versions
        and match.visibility is Visibility.PUBLIC
        and match.status is Status.WAITING
        and match.version == 0
        and wanted.seats in {None, match.seats}
        and wanted.options in {None, match.options}
        and not (wanted.player and any(row.player == wanted.player for row in stored.seats))
    )

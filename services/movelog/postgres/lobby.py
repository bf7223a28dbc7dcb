"""The lobby in Postgres. Each change is one statement; only starting, and creating a match because none fits, take two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import UUID

from psycopg.errors import UniqueViolation

from services.movelog.checks import check_append, check_new, check_seat, check_text
from services.movelog.failures import MatchUnknown, StaleVersion, TokensRevoked
from services.movelog.lobby import (
    MatchEnded,
    MatchStarted,
    NoFreeSeat,
    NoOpenMatch,
    PlayerErased,
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
from services.movelog.notes import NO_NOTES
from services.movelog.postgres import lobby_queries as queries
from services.movelog.postgres.asking import ask, ask_on, hold_good, in_our_words
from services.movelog.postgres.clock_queries import START_WITH_CLOCK
from services.movelog.postgres.queries import FIND
from services.movelog.postgres.rows import (
    append_values,
    match_from,
    match_values,
    note_values,
    seat_from,
    seat_given_from,
    seat_values,
    seating_from,
)
from services.movelog.records import Append, JoinedBy, Match, Seating, SeatRecord, SeatState, Status
from services.postgres.database import Connection, Pool
from services.postgres.records import NamedRow

Announce = Callable[[UUID, int], None]
"""Wakes all subscribers of a match, here and in other processes, with its version, and reports that its seats have changed."""

_NO_REQUEST: Final = (None, None, None)


class PostgresLobby:
    """See `Lobby`."""

    def __init__(self, pool: Pool, announce: Announce) -> None:
        self._pool = pool
        self._announce = announce

    async def seating(self, match_id: UUID) -> Seating:
        """See `Lobby.seating`."""
        rows = await ask(self._pool, queries.SEATING, (match_id,))
        if not rows:
            raise MatchUnknown(f"no match {match_id}")
        return seating_from(rows)

    async def claim(self, match_id: UUID, wanted: SeatWanted) -> SeatRecord:
        """See `Lobby.claim`."""
        check_text(wanted.player, wanted.name)
        given = (match_id, wanted.player, wanted.name, wanted.by.value, *_noted(wanted.request))
        while True:  # each further iteration means that somebody else has just taken a seat
            if wanted.seat is None:
                rows = await self._take(queries.CLAIM_LOWEST, (*given, wanted.data), wanted)
            else:
                where = (_seat(wanted.seat), wanted.invite)
                rows = await self._take(
                    queries.CLAIM_SEAT, (*given, *where, wanted.data, wanted.account), wanted
                )
            if rows:
                self._announce(match_id, 0)
                return seat_from(rows[0])
            held = await self._why_not_claimed(match_id, wanted)
            if held is not None:
                return held

    async def requested(self, tenant: str, request_id: str) -> SeatGiven | None:
        """See `Lobby.requested`."""
        rows = await ask(self._pool, queries.REQUESTED, (tenant, request_id))
        if not rows:
            return None
        return seat_given_from(rows[0])

    async def quick_join(self, wanted: QuickJoin, otherwise: Match | None) -> tuple[UUID, SeatRecord]:
        """See `Lobby.quick_join`."""
        check_text(wanted.player, wanted.name)
        question = (
            wanted.tenant,
            wanted.player,
            wanted.name,
            JoinedBy.QUICK_JOIN.value,
            *_noted(wanted.request),
            wanted.game,
            list(wanted.rules_versions),
            wanted.seats,
            wanted.options,
        )
        if wanted.player:
            joined = await self._seek(question, wanted, None)
        else:
            rows = await self._take(queries.QUICK_JOIN, question)
            joined = _joined(rows[0]) if rows else None
        if joined is None and otherwise is not None:
            joined = await self._seek(question, wanted, otherwise)
        if joined is None:
            raise NoOpenMatch("no public match with an open seat fits")
        self._announce(joined[0], 0)
        return joined

    async def leave(self, match_id: UUID, seat: int, generation: int | None) -> SeatRecord:
        """See `Lobby.leave`."""
        rows = await ask(self._pool, queries.LEAVE, (match_id, _seat(seat), generation))
        if not rows:
            await self._existing(match_id, seat)
            raise SeatFree(f"seat {seat} of match {match_id} is free")
        return self._announced(match_id, rows)

    async def update_seat(
        self, match_id: UUID, seat: int, generation: int | None, change: SeatChange
    ) -> SeatRecord:
        """See `Lobby.update_seat`."""
        check_text(change.name or "")
        values = (match_id, _seat(seat), generation, change.name, change.data, change.ready)
        rows = await ask(self._pool, queries.UPDATE_SEAT, values)
        if not rows:
            match = await self._match(match_id)
            check_seat(seat, match.seats)
            if change.ready is not None and match.version > 0:
                raise MatchStarted(f"match {match_id} has begun")
            if await ask(self._pool, queries.IS_ERASED, values[:3]):
                raise PlayerErased(f"the player of seat {seat} of match {match_id} is erased")
            raise SeatFree(f"seat {seat} of match {match_id} is free")
        return self._announced(match_id, rows)

    async def invite(self, match_id: UUID, seat: int, player: str, name: str) -> SeatRecord:
        """See `Lobby.invite`."""
        check_text(player, name)
        rows = await ask(self._pool, queries.INVITE, (match_id, _seat(seat), player, name))
        if not rows:
            await self._existing(match_id, seat)
            raise SeatTaken(f"seat {seat} of match {match_id} is taken")
        return self._announced(match_id, rows)

    async def revoke(self, match_id: UUID, seat: int) -> SeatRecord:
        """See `Lobby.revoke`."""
        rows = await ask(self._pool, queries.REVOKE, (match_id, _seat(seat)))
        if not rows:
            check_seat(seat, len((await self.seating(match_id)).seats))
            raise SeatFree(f"seat {seat} of match {match_id} has never been taken")
        return self._announced(match_id, rows)

    async def revoke_watchers(self, match_id: UUID) -> int:
        """See `Lobby.revoke_watchers`."""
        rows = await ask(self._pool, queries.REVOKE_WATCHERS, (match_id,))
        if not rows:
            raise MatchUnknown(f"no match {match_id}")
        self._announce(match_id, 0)
        generation: int = rows[0]["watch_generation"]
        return generation

    async def seat_bot(
        self, match_id: UUID, seat: int, bot: str, generation: int | None = None
    ) -> SeatRecord:
        """See `Lobby.seat_bot`."""
        check_text(bot)
        rows = await ask(self._pool, queries.SEAT_BOT, (match_id, _seat(seat), bot, generation))
        if rows:
            return self._announced(match_id, rows)
        match = await self._match(match_id)
        check_seat(seat, match.seats)
        if match.status is Status.ENDED:
            raise MatchEnded(f"match {match_id} is over")
        row = (await self.seating(match_id)).seats[seat]
        if row.state is SeatState.TAKEN and row.bot == bot and generation in {None, row.generation}:
            return row
        raise SeatFree(f"seat {seat} of match {match_id} is free")

    async def start(self, append: Append, seats: int) -> None:
        """See `Lobby.start`."""
        check_append(append)
        match_id = append.move.match_id
        statement = queries.START if append.tick is None else START_WITH_CLOCK
        with in_our_words():
            async with self._pool.connection() as connection, connection.transaction():
                await ask_on(connection, queries.HOLD, (match_id,))
                rows = await ask_on(connection, statement, (*append_values(append), seats))
        if rows:
            self._announce(match_id, append.move.seq)
            return
        match = await self._match(match_id)
        if match.version > 0:
            raise StaleVersion(f"match {match_id} is not at version 0")
        if append.revocations not in {None, (await self.seating(match_id)).revocations}:
            raise TokensRevoked(f"tokens of match {match_id} were revoked")
        raise SeatsFree(f"the first {seats} seats of match {match_id} are not exactly those that are taken")

    async def rematch_of(self, match_id: UUID) -> Match | None:
        """See `Lobby.rematch_of`."""
        rows = await ask(self._pool, queries.REMATCH_OF, (match_id,))
        return match_from(rows[0]) if rows else None

    async def _take(
        self, query: str, values: tuple[object, ...], wanted: SeatWanted | None = None
    ) -> list[NamedRow]:
        try:
            if wanted is None or (wanted.token is None and wanted.rule is None):
                return await ask(self._pool, query, values)
            with in_our_words():
                async with self._pool.connection() as connection, connection.transaction():
                    if wanted.token is not None:
                        await hold_good(connection, wanted.token)
                    if wanted.rule is not None:
                        await must_hold(connection, wanted.rule, values[0], wanted.seat)
                    return await ask_on(connection, query, values)
        except UniqueViolation:
            raise SeatRequestTaken("this request id has been used to take a seat") from None

    async def _seek(
        self, question: tuple[object, ...], wanted: QuickJoin, otherwise: Match | None
    ) -> tuple[UUID, SeatRecord] | None:
        """Search while the player has no other search running; to create a match if none fits, while nobody else creates one."""
        seats = () if otherwise is None else check_new(otherwise, [first_seat(wanted)])
        try:
            with in_our_words():
                async with self._pool.connection() as connection, connection.transaction():
                    if wanted.rule is not None:
                        await must_hold(connection, wanted.rule)
                    elif wanted.player:
                        await ask_on(connection, queries.ONE_OF_A_PLAYER, (wanted.tenant, wanted.player))
                    if otherwise is not None:
                        await ask_on(connection, queries.ONE_MAKER, (wanted.tenant, wanted.game))
                    rows = await ask_on(connection, queries.QUICK_JOIN, question)
                    if rows or otherwise is None:
                        return _joined(rows[0]) if rows else None
                    values = (
                        *match_values(otherwise),
                        *seat_values(seats),
                        *note_values(NO_NOTES),
                        *_noted(wanted.request),
                        0,
                    )
                    await ask_on(connection, queries.CREATE_FOR, values)
                    return otherwise.id, seats[0]
        except UniqueViolation:
            raise SeatRequestTaken("this request id has been used to take a seat") from None

    async def _why_not_claimed(self, match_id: UUID, wanted: SeatWanted) -> SeatRecord | None:
        """Return the claim that the player has already; None if another try may succeed. Raise a LobbyError otherwise."""
        if wanted.seat is None:
            match = await self._match(match_id)
            seats = (await self.seating(match_id)).seats
            if match.version > 0 or not any(row.state is SeatState.OPEN for row in seats):
                raise NoFreeSeat(f"match {match_id} has no free seat")
            await ask(self._pool, queries.SEAT_ROWS, (match_id,))
            return None
        seats = (await self.seating(match_id)).seats
        check_seat(wanted.seat, len(seats))
        held = seats[wanted.seat]
        if has_it(held, wanted):
            return held
        if (refusal := why_not(held, wanted)) is not None:
            raise refusal
        if (await self._match(match_id)).version > 0:
            raise MatchStarted(f"match {match_id} has begun")
        await ask(self._pool, queries.SEAT_ROWS, (match_id,))
        return None

    async def _existing(self, match_id: UUID, seat: int) -> None:
        """Raise the error that prevents any change of this seat: no such match or seat, or the match has begun."""
        match = await self._match(match_id)
        check_seat(seat, match.seats)
        if match.version > 0:
            raise MatchStarted(f"match {match_id} has begun")

    async def _match(self, match_id: UUID) -> Match:
        rows = await ask(self._pool, FIND, (match_id,))
        if not rows:
            raise MatchUnknown(f"no match {match_id}")
        return match_from(rows[0])

    def _announced(self, match_id: UUID, rows: list[NamedRow]) -> SeatRecord:
        self._announce(match_id, 0)
        return seat_from(rows[0])


def _joined(row: NamedRow) -> tuple[UUID, SeatRecord]:
    return row.pop("match_id"), seat_from(row)


def _noted(request: SeatRequest | None) -> tuple[object, ...]:
    return _NO_REQUEST if request is None else (request.tenant, request.request_id, request.mark)


def _seat(seat: int) -> int:
    """Return a seat number that fits into its column; one that no match has stays one that no match has."""
    return seat if -1 < seat < 2**15 else -1


async def must_hold(
    connection: Connection, rule: PlayerRule, match_id: object = None, seat: int | None = None
) -> None:
    """Raises PlayerSeated or TooManyWaiting unless a rule holds; `seat` is the one that the player wants.

    It goes on to hold until the transaction ends: no other request takes a seat for the player meanwhile.
    """
    await ask_on(connection, queries.ONE_OF_A_PLAYER, (rule.tenant, rule.player))
    if rule.only_seat and match_id is not None:
        rows = await ask_on(connection, queries.SEAT_OF, (match_id, rule.player))
        if rows and rows[0]["seat"] == seat:
            return
        if rows:
            raise PlayerSeated(f"{rule.player!r} has a seat of match {match_id}", seat=rows[0]["seat"])
    if rule.most_waiting is not None:
        counted = (rule.tenant, rule.player, rule.most_waiting)
        (row,) = await ask_on(connection, queries.WAITING_SEATS, counted)
        if row["waiting"] >= rule.most_waiting:
            raise TooManyWaiting(f"{rule.player!r} sits in {rule.most_waiting} matches that have not begun")

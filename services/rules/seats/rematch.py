"""Rematches: one match follows an ended one, with the same players, each one seat further, under the newest rules.

A tenant's request takes every seat. A player takes the own seat with the seat token of the match before; until the
others do the same, their seats are reserved for them. Bots' own seats are taken from the beginning; a player for whom a
bot played has the seat again.
"""

from __future__ import annotations

from functools import partial
from uuid import UUID

from msgspec.structs import replace

from services.identity.callers import Caller, SeatCaller, TenantCaller
from services.identity.match_tokens import seat_account
from services.identity.player_sessions import SessionScope
from services.movelog.lobby import LobbyError, PlayerRule, SeatTaken, SeatWanted, TooManyWaiting
from services.movelog.notes import Notes
from services.movelog.records import JoinedBy, Match, SeatRecord, SeatState, StartRule, Status, TokenUse
from services.process.reasons import Reason
from services.rpc.refusals import Refused
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import may_change
from services.rules.match.seating import NewMatch, create
from services.rules.match.token_use import write_with_token
from services.rules.seats.joining import refused
from services.rules.seats.waiting_seats import room_for, too_many_waiting


def seat_after(seat: int, seats: int) -> int:
    """Return where a player sits next: the second begins, the first comes last."""
    return (seat - 1) % seats


def seat_before(seat: int, seats: int) -> int:
    """Return where the player of a seat sat in the match before."""
    return (seat + 1) % seats


async def rematch(tables: MatchCache, table: LoadedMatch, caller: Caller, notes: Notes) -> UUID:
    """Return the rematch, created with these notes if there is none yet, with the caller's seats taken.

    The caller holds the lock of the match that is over. Raises Refused MATCH_NOT_OVER, or TENANT_ONLY if a player of a fork
    would create the rematch.
    """
    may_change(caller, SessionScope.CREATE)
    await tables.catch_up(table)
    if table.status is not Status.ENDED:
        raise Refused(Reason.MATCH_NOT_OVER, "there is a rematch once the match is over")
    if table.state is None:
        raise Refused(Reason.MATCH_NOT_STARTED, "the match was called off before it began; make a new one")
    return await write_with_token(tables, table, caller, partial(_follow, tables, table, caller, notes))


async def _follow(
    tables: MatchCache, table: LoadedMatch, caller: Caller, notes: Notes, token: TokenUse | None
) -> UUID:
    """Create the rematch if there is none, and take the caller's seats. Raises TokensRevoked."""
    lobby = tables.log.lobby
    next_match = await lobby.rematch_of(table.match.id)
    if next_match is None:
        _may_make(caller, table.match)
        next_match = await _create(tables, table, caller, notes, token)
    if isinstance(caller, SeatCaller):
        await _take(tables, next_match, table, caller.seat, caller, token)
        return next_match.id
    for row in (await lobby.seating(next_match.id)).seats:
        if row.state is SeatState.RESERVED:
            await _take(tables, next_match, table, seat_before(row.seat, table.match.seats), caller, token)
    return next_match.id


def _may_make(caller: Caller, before: Match) -> None:
    """Refuse a player of a fork: its rematch would be no fork, and could be forked again with a token (`may_fork`)."""
    if before.forked_from is not None and not isinstance(caller, TenantCaller):
        raise Refused(Reason.TENANT_ONLY, "only a tenant's API key may make the rematch of a fork")


async def _create(
    tables: MatchCache, table: LoadedMatch, caller: Caller, notes: Notes, token: TokenUse | None
) -> Match:
    before = table.match
    own = seat_after(caller.seat, before.seats) if isinstance(caller, SeatCaller) else None
    plan = [
        SeatRecord(
            seat=seat_after(row.seat, before.seats),
            state=SeatState.TAKEN
            if _is_a_bots(row) or own in {None, seat_after(row.seat, before.seats)}
            else SeatState.RESERVED,
            player=row.player,
            name=row.name,
            joined_by=JoinedBy.BOT if _is_a_bots(row) else JoinedBy.REMATCH,
            bot=row.bot if _is_a_bots(row) else "",
            data=row.data,
            account="" if _is_a_bots(row) else _account(before, row),
        )
        for row in table.seating.seats
    ]
    new = NewMatch(
        tenant=before.tenant,
        game=table.game.newest,
        seats=before.seats,
        options=table.game.options_codec.decode(before.options),
        plan=sorted(plan, key=lambda row: row.seat),
        settings=replace(before.settings, start=StartRule.WHEN_FULL),
        notes=notes,
        rematch_of=before.id,
        rule=room_for(caller.session) if isinstance(caller, SeatCaller) and caller.session else None,
    )
    try:
        return await create(tables.log, new, token)
    except TooManyWaiting:
        raise too_many_waiting() from None


def _rule(caller: Caller, table: LoadedMatch, before: SeatRecord) -> PlayerRule | None:
    """Return what must hold of a player who plays again: whoever had one seat gets one, and a session waits in so many matches only."""
    if not isinstance(caller, SeatCaller) or not before.player:
        return None
    had_one = [row.player for row in table.seating.seats].count(before.player) == 1
    if caller.session is not None:
        return room_for(caller.session, only_seat=had_one)
    return PlayerRule(tenant=table.match.tenant, player=before.player, only_seat=had_one)


def _account(before: Match, row: SeatRecord) -> str:
    """Return the account whose rate limits the player's tokens use: the same as in the match before."""
    return row.account or seat_account(before.id, row.seat, row.generation)


def _is_a_bots(row: SeatRecord) -> bool:
    """Return whether the seat is a bot's own, and not one where a bot played for a player."""
    return bool(row.bot) and row.joined_by is JoinedBy.BOT


async def _take(
    tables: MatchCache,
    match: Match,
    table: LoadedMatch,
    seat_then: int,
    caller: Caller,
    token: TokenUse | None,
) -> None:
    """Take the seat of a player of the match before, who may already have it, or may have given it up since."""
    lobby = tables.log.lobby
    before, seat = table.seating.seats[seat_then], seat_after(seat_then, table.match.seats)
    wanted = SeatWanted(
        seat=seat,
        player=before.player,
        name=before.name,
        data=before.data,
        account=_account(table.match, before),
        by=JoinedBy.REMATCH,
        rule=_rule(caller, table, before),
        token=token,
    )
    try:
        await lobby.claim(match.id, wanted)
    except SeatTaken as refusal:
        row = (await lobby.seating(match.id)).seats[seat]
        if row.joined_by is not JoinedBy.REMATCH:
            raise refused(refusal, seat=seat) from None
        if (
            row.generation > 0
        ):  # its tokens were revoked: a token of the match before must not bring them back
            raise Refused(
                Reason.SEAT_FORBIDDEN,
                "the tokens of this seat were revoked; the tenant mints fresh ones",
                metadata={"seat": seat},
            ) from None
    except LobbyError as refusal:
        raise refused(refusal, seat=seat) from None
    except ValueError:  # it is for fewer players, or has begun without its last seats
        raise Refused(
            Reason.NOT_JOINABLE, "the match that follows has no seat for this player", metadata={"seat": seat}
        ) from None

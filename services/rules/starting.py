"""When a match begins, and with whom.

A match that starts when it is full is started by whoever opens it next once its last seat is taken; the one who took
the seat is only the first of them, so a server that dies in between leaves nothing stuck.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import msgspec

from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.forking import Fork
from engine.kernel.requests import StartMatch, check_seat_count
from services.movelog.lobby import SeatsFree
from services.movelog.records import StartRule
from services.rpc.callers import Caller, SeatCaller
from services.rpc.refusals import Reason, Refused
from services.rules import forking
from services.rules.acting import Request, act
from services.rules.permissions import may_change
from services.rules.tables import Table, Tables

START_REQUEST_ID: Final = "·start"
"""Not ASCII, so no client's request id can be the same."""


async def start_when_full(tables: Tables, table: Table) -> None:
    """Start a match that is due, whoever took the last seat. The caller holds the table."""
    if table.version > 0 or table.match.start is StartRule.ON_DEMAND or not table.seating.is_full:
        return
    try:
        await _begin(tables, table, table.match.seats)
    except SeatsFree:  # somebody has just left
        await tables.read_seating(table)


async def start_on_demand(tables: Tables, table: Table, caller: Caller) -> None:
    """Start with those who are there; nothing happens if the match has begun. Refused NOT_FULL says what is missing.

    The caller holds the table.
    """
    may_start(caller, table)
    if table.version > 0:
        return
    count = _seats_to_start_with(table)
    try:
        await _begin(tables, table, count)
    except SeatsFree:
        await tables.read_seating(table)
        raise _not_full(table, "somebody has just joined or left; look again") from None


def may_start(caller: Caller, table: Table) -> None:
    """Refuse who may not: the tenant always may, and whoever sits there where the match starts on demand."""
    may_change(caller)
    if isinstance(caller, SeatCaller) and table.match.start is not StartRule.ON_DEMAND:
        raise Refused(
            Reason.TENANT_ONLY,
            "this match starts with its last seat taken; only the tenant's API key may start it earlier",
        )


def _seats_to_start_with(table: Table) -> int:
    """Give how many play; the free seats must be the last ones, and the game for so many."""
    taken = [claim.seat for claim in table.claims]
    count = len(taken)
    if table.match.forked_from is not None and count != table.match.seats:
        raise _not_full(table, "a fork is played by as many as the match it begins in")
    if taken != list(range(count)):
        raise _not_full(table, "a seat before a taken one is free; only the last seats can be left out")
    try:
        check_seat_count(table.game, count)
    except RuleViolation:
        raise _not_full(table, f"the game is not for {count} players") from None
    return count


def _not_full(table: Table, message: str) -> Refused:
    taken = {claim.seat for claim in table.claims}
    free = [str(seat) for seat in range(table.match.seats) if seat not in taken]
    return Refused(
        Reason.NOT_FULL, message, metadata={"taken_seats": len(taken), "free_seats": ", ".join(free)}
    )


async def _begin(tables: Tables, table: Table, seats: int) -> None:
    """Make the first move; SeatsFree. Somebody else may make it first, and then it is theirs that counts."""
    before = table.match.seats
    if seats != before:
        table.resize(seats)
    start: StartMatch | Fork
    if (forked_from := table.match.forked_from) is None:
        options = table.game.options_codec.decode(table.match.options)
        start = StartMatch(seats=seats, options=msgspec.Raw(encode(options)))
    else:
        start = await forking.first_request(tables, table.match, forked_from)
    request = Request(seat=None, body=start, request_id=START_REQUEST_ID, expected_version=0)
    try:
        await act(tables, table, request, write=partial(tables.log.lobby.start, seats=seats))
    except (Refused, SeatsFree):
        if table.version == 0:
            table.resize(before)
            raise
    await tables.read_seating(table)

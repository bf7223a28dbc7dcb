"""When a match begins, and with whom.

A match that starts when full is started by the first request that opens it after its last seat was taken. Usually that
is the request that took the seat; if its server dies in between, the next request starts the match.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import msgspec

from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.match.forking import Fork
from engine.match.requests import StartMatch, check_seat_count
from services.identity.callers import Caller, SeatCaller
from services.movelog.lobby import SeatsFree
from services.movelog.records import Append, Match, Seating, StartRule
from services.process.reasons import Reason
from services.rpc.refusals import Refused
from services.rules.match import forking
from services.rules.match.appending import Request, append_of
from services.rules.match.commands import run_command
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.moves import decide, make_move
from services.rules.match.permissions import may_change

START_REQUEST_ID: Final = "·start"
"""Not ASCII, so no client's request id can be the same."""


async def start_when_full(cache: MatchCache, loaded: LoadedMatch) -> None:
    """Start a match that is due to start. The caller holds the match's lock."""
    if loaded.version > 0 or not is_due(loaded.match, loaded.seating):
        return
    try:
        await _begin(cache, loaded, loaded.match.seats)
    except SeatsFree:  # somebody has just left
        await cache.read_seating(loaded)


def is_due(match: Match, seating: Seating) -> bool:
    """Return whether a match that has not begun is due to start by itself."""
    return match.start is not StartRule.ON_DEMAND and seating.is_full


def first_row(loaded: LoadedMatch) -> Append:
    """Return the first row of a match that is due to start, and no fork, for the log to write while its seats are as they are loaded.

    Raises Refused.
    """
    start = _start_of(loaded)
    request = Request(seat=None, body=start, request_id=START_REQUEST_ID, expected_version=0)
    body = encode(start)
    decided = decide(loaded, request, body)
    return append_of(loaded, request, START_REQUEST_ID, body, loaded.seating.revocations, decided)


async def start_on_demand(cache: MatchCache, loaded: LoadedMatch, caller: Caller) -> None:
    """Start with the players who have joined; do nothing if the match has begun. Raises Refused NOT_FULL with what is missing.

    The caller holds the match's lock.
    """
    may_start(caller, loaded)
    if loaded.version > 0:
        return
    count = _seats_to_start_with(loaded)
    try:
        await _begin(cache, loaded, count, caller)
    except SeatsFree:
        await cache.read_seating(loaded)
        raise _not_full(loaded, "somebody has just joined or left; read the match again") from None


def may_start(caller: Caller, loaded: LoadedMatch) -> None:
    """Raises Refused for callers that may not start the match: the tenant may always, a player only if it starts on demand,
    or is a rematch, in which those who have come need not wait for a player who never comes.
    """
    may_change(caller)
    is_for_players = loaded.match.start is StartRule.ON_DEMAND or loaded.match.rematch_of is not None
    if isinstance(caller, SeatCaller) and not is_for_players:
        raise Refused(
            Reason.TENANT_ONLY,
            "this match starts with its last seat taken; only the tenant's API key may start it earlier",
        )


def _seats_to_start_with(loaded: LoadedMatch) -> int:
    """Return how many play. Raises Refused if a free seat precedes a taken one, or the game does not allow that number."""
    taken = [claim.seat for claim in loaded.claims]
    count = len(taken)
    if loaded.match.forked_from is not None and count != loaded.match.seats:
        raise _not_full(loaded, "a fork has as many players as the match it was made from")
    if taken != list(range(count)):
        raise _not_full(loaded, "a seat before a taken one is free; only the last seats can be left out")
    try:
        check_seat_count(loaded.game, count)
    except RuleViolation:
        raise _not_full(loaded, f"the game is not for {count} players") from None
    return count


def _not_full(loaded: LoadedMatch, message: str) -> Refused:
    taken = {claim.seat for claim in loaded.claims}
    free = [str(seat) for seat in range(loaded.match.seats) if seat not in taken]
    return Refused(
        Reason.NOT_FULL, message, metadata={"taken_seats": len(taken), "free_seats": ", ".join(free)}
    )


def _start_of(loaded: LoadedMatch) -> StartMatch:
    """Return the request of a match's first row, with as many seats as are loaded."""
    options = loaded.game.options_codec.decode(loaded.match.options)
    return StartMatch(seats=loaded.match.seats, options=msgspec.Raw(encode(options)))


async def _begin(cache: MatchCache, loaded: LoadedMatch, seats: int, caller: Caller | None = None) -> None:
    """Make the first move. Raises SeatsFree. If another process makes it first, that one counts."""
    before = loaded.match.seats
    if seats != before:
        loaded.resize(seats)
    start: StartMatch | Fork
    if (forked_from := loaded.match.forked_from) is None:
        start = _start_of(loaded)
    else:
        start = await forking.first_request(cache, loaded.match, forked_from)
    request = Request(seat=None, body=start, request_id=START_REQUEST_ID, expected_version=0, caller=caller)
    begin = run_command if isinstance(start, Fork) else make_move
    try:
        await begin(cache, loaded, request, write=partial(cache.log.lobby.start, seats=seats))
    except (Refused, SeatsFree):
        if loaded.version == 0:
            loaded.resize(before)
            raise
    await cache.read_seating(loaded)

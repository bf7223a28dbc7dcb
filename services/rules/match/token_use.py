"""Writes that are authorized by a token, and fail if the token is revoked meanwhile.

A replica's cached match may not know of the latest revocation. So a write for the holder of a token carries the number
of revocations at the match that the replica knows of, and the log accepts it only while that number is unchanged.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from services.identity.callers import Caller, SeatCaller, TenantCaller, WatchCaller
from services.movelog.failures import TokensRevoked
from services.movelog.records import TokenUse
from services.process.reasons import Reason
from services.rpc.refusals import Refused
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import may_enter

Written = TypeVar("Written")


def token_use(caller: Caller | None, loaded: LoadedMatch) -> TokenUse | None:
    """Return the token a caller writes with, and the known revocations; None for an API key and for the server itself.

    Raises Refused if the token has been revoked.
    """
    if caller is None or isinstance(caller, TenantCaller):
        return None
    may_enter(caller, loaded.match, loaded.claims)
    return TokenUse(match_id=loaded.match.id, revocations=loaded.seating.revocations)


async def look_again(cache: MatchCache, loaded: LoadedMatch, caller: Caller | None) -> None:
    """Read again which tokens are valid; raises Refused if the caller's has been revoked. The caller holds the match's lock."""
    if caller is not None and not isinstance(caller, TenantCaller):
        await cache.read_seating(loaded)
        may_enter(caller, loaded.match, loaded.claims)


async def write_with_token(
    cache: MatchCache,
    loaded: LoadedMatch,
    caller: Caller,
    write: Callable[[TokenUse | None], Awaitable[Written]],
) -> Written:
    """Write for a caller; write again if only others' tokens were revoked meanwhile. The caller holds the match's lock.

    Raises Refused if the caller's token has been revoked.
    """
    while True:
        token = token_use(caller, loaded)
        try:
            return await write(token)
        except TokensRevoked:
            await look_again(cache, loaded, caller)


def generation_of(caller: Caller, loaded: LoadedMatch) -> int | None:
    """Return the generation of the caller's seat that a change requires; None for a tenant.

    A session has no generation of the seat: it acts with the present one while the seat is its player's.
    """
    if not isinstance(caller, SeatCaller):
        return None
    if caller.session is None:
        return caller.generation
    for claim in loaded.claims:
        if claim.seat == caller.seat:
            return claim.generation
    raise Refused(Reason.SEAT_FORBIDDEN, "you no longer have this seat")  # given up since the request came


def is_newer(caller: Caller, loaded: LoadedMatch) -> bool:
    """Return whether a token was minted after a revocation that the loaded match does not know of."""
    match caller:
        case SeatCaller(seat=seat, generation=generation, session=None):
            seats = loaded.seating.seats
            return seat < len(seats) and seats[seat].generation < generation
        case WatchCaller(generation=generation):
            return loaded.match.watch_generation < generation
        case _:
            return False

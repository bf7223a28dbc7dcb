"""A player's name, data and readiness at a seat, which everybody at the match sees. The server stores and shows them, and
interprets none: a match starts whether or not its players have said to be ready.
"""

from __future__ import annotations

from typing import Final

import msgspec

from services.identity.callers import Caller
from services.movelog.lobby import MatchStarted, PlayerErased, SeatChange, SeatFree
from services.movelog.records import SeatRecord
from services.process.bounds import MAX_NAME
from services.process.reasons import Reason
from services.rpc.free_text import read_text
from services.rpc.json_payloads import must_be_alike_for_all
from services.rpc.refusals import Refused, malformed
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import acting_seat
from services.rules.match.token_use import generation_of, look_again

MAX_DATA: Final = 1_024
"""Most bytes of JSON without whitespace; a listing of a thousand matches carries the data of all their players."""


def read_data(data: bytes, at: str = "$.data") -> bytes:
    """Return JSON as it is stored, without whitespace; empty for `null` and for no bytes. Raises Refused MALFORMED_REQUEST.

    The texts in it are for the front ends alone: they are neither normalized nor checked for what they show.
    """
    if len(data) > 4 * MAX_DATA:  # no sensible JSON has so much whitespace
        raise malformed(at, f"has {len(data)} bytes; at most {MAX_DATA} are kept")
    if not data:
        return b""
    must_be_alike_for_all(data, at)
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise malformed(at, "is not JSON") from None
    if value is None:
        return b""
    kept = msgspec.json.encode(value)
    if len(kept) > MAX_DATA:
        raise malformed(at, f"has {len(kept)} bytes; at most {MAX_DATA} are kept")
    return kept


async def update_seat(
    cache: MatchCache,
    loaded: LoadedMatch,
    caller: Caller,
    seat: int | None,
    *,
    name: str | None,
    data: bytes | None,
    ready: bool | None,
) -> SeatRecord:
    """Change a seat's name or data, for its player or the tenant, at any time, even after the end; before the start also whether
    the player is ready.

    None leaves a value unchanged. This is no move: nothing of it is in the log, and a repeat changes nothing. The caller
    holds the match's lock. Raises Refused MALFORMED_REQUEST, also if the seat's player is erased; SEAT_FORBIDDEN; MATCH_STARTED for the readiness after the start,
    when it means nothing, so that a client learns of a button that it shows too long.
    """
    changed = acting_seat(caller, loaded.match, seat)
    if name is None and data is None and ready is None:
        raise malformed("$", "must contain at least one of `name`, `data` and `ready`")
    if name is not None:
        name = read_text(name, "$.name", MAX_NAME)
    change = SeatChange(name=name, data=None if data is None else read_data(data), ready=ready)
    generation = generation_of(caller, loaded)
    try:
        row = await cache.log.lobby.update_seat(loaded.match.id, changed, generation, change)
    except SeatFree:
        await look_again(cache, loaded, caller)
        raise malformed("$.seat", "nobody has taken this seat") from None
    except PlayerErased:
        at = "$.data" if name is None else "$.name"
        raise malformed(
            at, "the seat's player is erased; replace the player to give the seat another"
        ) from None
    except MatchStarted:
        raise Refused(
            Reason.MATCH_STARTED, "the match has begun; nobody is waited for", metadata={"seat": changed}
        ) from None
    await cache.read_seating(loaded)
    return row

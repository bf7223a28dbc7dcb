"""What a player may take and fill with a session: one own seat, seats for whoever joins, and built-in bots."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import msgspec
from msgspec.structs import replace

from foldtable.matches.v1 import match_service_pb2 as pb
from services.identity.administration import own_player
from services.identity.callers import PlayerCaller
from services.movelog.records import JoinedBy, SeatRecord, SeatState
from services.rpc.bot_names import level_of
from services.rpc.refusals import malformed


def own_plan(
    caller: PlayerCaller, request: pb.CreateMatchRequest, plan: Sequence[SeatRecord], most: int
) -> list[SeatRecord]:
    """Return the seats of a match that a player creates: by default, the first is the player's and the others are open.

    `most` is the largest number of seats of the game. Raises Refused MALFORMED_REQUEST for a seat that only the tenant may hand out, and unless exactly one is the player's.
    """
    if request.players:
        raise malformed("$.players", "is for the tenant to say; with a session, use `seating`")
    if request.rematch_of:
        raise malformed("$.rematch_of", "is for the tenant to say; ask for the rematch of that match")
    if not plan:
        seats = [SeatRecord(seat=seat) for seat in range(min(request.seats, most))]
        seats[:1] = [_own(caller, SeatRecord(seat=0)) for _ in seats[:1]]
        return seats
    own = [row.seat for row in plan if row.state is SeatState.TAKEN and row.joined_by is not JoinedBy.BOT]
    if len(own) != 1:
        at = f"$.seating[{own[1]}].kind" if own else "$.seating"
        raise malformed(
            at, "must give exactly one seat to you, and leave the others to bots or whoever joins"
        )
    return [_own(caller, row) if row.seat == own[0] else _others(row) for row in plan]


def _own(caller: PlayerCaller, row: SeatRecord) -> SeatRecord:
    own_player(caller, row.player, f"$.seating[{row.seat}].player")
    return replace(row, state=SeatState.TAKEN, player=caller.player, account=caller.account)


def _others(row: SeatRecord) -> SeatRecord:
    if row.player:
        raise malformed(f"$.seating[{row.seat}].player", "is for the tenant to say; name no other player")
    if row.bot and not level_of(row.bot):
        raise malformed(f"$.seating[{row.seat}].bot", "is a bot of the tenant's; name a level instead")
    return row


def own_request_id(caller: PlayerCaller, request_id: str) -> str:
    """Return the id under which a player's request is stored, so that it meets no request of the tenant or of others."""
    if not request_id:
        return ""
    mark = blake2b(msgspec.json.encode([caller.player, request_id]), digest_size=24).hexdigest()
    return f"player:{mark}"

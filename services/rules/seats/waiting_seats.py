"""How many matches that have not begun a player sits in: a session may not fill the lobby."""

from __future__ import annotations

from typing import Final

from services.identity.callers import PlayerCaller
from services.movelog.lobby import PlayerRule
from services.process.reasons import Reason
from services.rpc.refusals import Refused

MAX_WAITING: Final = 50


def room_for(caller: PlayerCaller, *, only_seat: bool = False) -> PlayerRule:
    """Return the rule under which a session takes a seat."""
    return PlayerRule(
        tenant=caller.tenant, player=caller.player, only_seat=only_seat, most_waiting=MAX_WAITING
    )


def too_many_waiting() -> Refused:
    """Return the refusal of a seat for a player who sits in as many matches that have not begun as may be."""
    return Refused(
        Reason.TOO_MANY_WAITING,
        f"you sit in {MAX_WAITING} matches that have not begun, as many as may be; leave one, or wait",
        metadata={"limit": MAX_WAITING},
    )

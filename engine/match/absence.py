"""Decisions for an absent player, once the time for a decision is up.

The row belongs to the seat and counts like any move. Its request says that time was up, for which decision, and what was
done: the game's policy, or leaving for good. So anyone who decides the match again can verify that the server chose nothing.

§clock Time limits. A match may have a clock. When a seat's time is up, the server decides for it, as the match was
created: with the game's default action, with a bot, or by letting the seat leave for good. A seat whose time was up
several times in a row is away, until its player returns: the server decides for it at once while a present player
waits, and otherwise when the time of the decision is up. A match that everybody has left is aborted after a while. A
time-out and a return are refused when there is nothing to be decided or nobody to return.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from engine.kernel.chance import Chance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.records import Event
from engine.kernel.seats import Seat

RULE: Final = "clock"
"""The `rule` of these refusals, where a game's refusal names its paragraph."""
_LEAVE: Final = b'{"type":"resign"}'
_TIME_OUT: Final = b'{"type":"time_out"'
"""Canonical JSON puts the tag first."""
_SERVERS_OWN: Final = (_TIME_OUT, b'{"type":"begin_vacation"', b'{"type":"end_vacation"')


class TimeOut(msgspec.Struct, frozen=True, kw_only=True, tag="time_out", forbid_unknown_fields=True):
    """The seat's time for an open decision is up."""

    action: msgspec.Raw
    """What is done instead: an action of the game, or `{"type":"resign"}`."""
    decision: str
    """The id of the decision."""

    @property
    def forfeits(self) -> bool:
        """Return whether the seat leaves for good."""
        return bytes(self.action) == _LEAVE


def is_time_out(request: bytes) -> bool:
    """Return whether the server made a row because a player's time was up."""
    return request.startswith(_TIME_OUT)


def is_servers_own(request: bytes) -> bool:
    """Return whether the server made a row of a seat by itself: a time-out, or the begin or end of a vacation."""
    return request.startswith(_SERVERS_OWN)


def played(game: AnyGame, state: Any, seat: Seat) -> TimeOut:
    """Return the time-out of a seat's open decision that plays on by the game's policy. Raises LookupError if it has none."""
    return TimeOut(
        action=msgspec.Raw(encode(game.policy(state, seat))), decision=_decision(game, state, seat)
    )


def forfeited(game: AnyGame, state: Any, seat: Seat) -> TimeOut:
    """Return the time-out of a seat's open decision with which it leaves for good. Raises LookupError if it has none."""
    return TimeOut(action=msgspec.Raw(_LEAVE), decision=_decision(game, state, seat))


def decide(game: AnyGame, state: Any, seat: Seat, request: TimeOut, chance: Chance) -> tuple[Event, ...]:
    """Return the events. Raises RuleViolation if that decision is not open, Unreadable if the server chose for itself."""
    if not any(one.seat == seat and one.id == request.decision for one in game.pending(state)):
        raise RuleViolation(TableCode.NOT_YOUR_TURN, rule=RULE)
    if request.forfeits:
        return game.leave(state, seat, chance)
    stand_in = game.policy(state, seat)
    if encode(stand_in) != bytes(request.action):
        raise Unreadable("this is not what the game's policy does here", pointer="$.action")
    return game.decide(state, seat, stand_in, chance)


def _decision(game: AnyGame, state: Any, seat: Seat) -> str:
    found = next((one.id for one in game.pending(state) if one.seat == seat), None)
    if found is None:
        raise LookupError(f"seat {seat} has nothing to decide")
    return found

"""Forks: a match that begins at a table of another one, dealt again as far as its maker could not know it.

The first row of a fork holds the whole table, so a fork is folded, replayed and checked without the match it came from.
The table is a function of what the maker knows and of the fork's own luck: nothing hidden is ever copied into it.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec

from engine.kernel.chance import Chance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.house import NOT_SHOWN, Forked, MatchId
from engine.kernel.seats import Audience, Seat

MOST_MOVES: Final = 2_147_483_647
"""No match has more."""

RULE: Final = "fork"
"""Stands where a refusal of a game names its paragraph."""


class Fork(msgspec.Struct, frozen=True, kw_only=True, tag="fork", forbid_unknown_fields=True):
    """The first row of a fork, in place of a start; asked by the system, not by a seat."""

    of: MatchId
    """The match that is forked."""
    version: Annotated[int, msgspec.Meta(ge=1, le=MOST_MOVES)]
    """Its version at whose table the fork begins."""
    audience: Audience
    """Whose knowledge is kept; the rest is dealt again."""
    seats: int
    options: msgspec.Raw
    """The game's options as JSON."""
    left: tuple[Seat, ...] = ()
    """Seats that had left for good."""


def deal(game: AnyGame, state: Any, fork: Fork, chance: Chance) -> tuple[Forked, ...]:
    """Give the events a fork of this table begins with; RuleViolation NOTHING_TO_PLAY where no decision is open."""
    must_go_on_from(game, state)
    dealt = game.redeal(state, fork.audience, chance)
    return (
        Forked(of=fork.of, version=fork.version, audience=fork.audience, state=msgspec.Raw(encode(dealt))),
    )


def must_go_on_from(game: AnyGame, state: Any) -> None:
    """Refuse a table at which nobody has anything to decide; RuleViolation NOTHING_TO_PLAY."""
    if state is None or not game.pending(state):
        raise RuleViolation(TableCode.NOTHING_TO_PLAY, rule=RULE)


def table_of(game: AnyGame, event: Forked) -> Any:
    """Give the table a fork begins at; `Unreadable` without it."""
    if event.state == NOT_SHOWN:
        raise Unreadable("the table of this fork is not shown here", pointer="$.state")
    return game.state_codec.decode(bytes(event.state))


def what_is_wrong(game: AnyGame, fork: Fork, events: tuple[Any, ...]) -> str:
    """Say why these cannot be the events of a fork, as far as they alone can tell; empty if they can."""
    if len(events) != 1 or not isinstance(events[0], Forked):
        return f"{len(events)} events, and not the table of a fork"
    (event,) = events
    if (event.of, event.version, event.audience) != (fork.of, fork.version, fork.audience):
        return "a fork of something else than was asked for"
    try:
        state = table_of(game, event)
    except Unreadable as error:
        return f"{error.pointer}: {error.detail}"
    if game.rules_of(state) != game.rules_version:
        return f"a table of rules {game.rules_of(state)}, not {game.rules_version}"
    if not (pending := game.pending(state)):
        return "a table at which nobody has anything to decide"
    named = {*fork.left, *(one.seat for one in pending)}
    if fork.audience.seat is not None:
        named.add(fork.audience.seat)
    return "" if named <= set(range(fork.seats)) else f"a seat that a table of {fork.seats} does not have"

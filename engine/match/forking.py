"""Forks: a match that begins with a state of another one, in which everything its maker could not know is dealt again.

The first row of a fork holds the complete state, so a fork is folded, replayed and verified without the match it came from.
The state depends only on what the maker knows and on the fork's own chance: nothing hidden is ever copied into it.

§fork Forks. A fork is a new match that begins with the state of another one at a chosen version. Whatever its maker
could not know there is dealt again. At that version some decision must be open: a match cannot be forked where it is
over.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec

from engine.kernel.chance import Chance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.seats import Audience, Seat
from engine.match.commands import NOT_SHOWN, Forked, MatchId

MAX_MOVES: Final = 2_147_483_647
"""The greatest number of moves of any match."""

RULE: Final = "fork"
"""The `rule` of these refusals, where a game's refusal names its paragraph."""


class Fork(msgspec.Struct, frozen=True, kw_only=True, tag="fork", forbid_unknown_fields=True):
    """The first row of a fork, in place of a start; requested by the system, not by a seat."""

    of: MatchId
    """The match that is forked."""
    version: Annotated[int, msgspec.Meta(ge=1, le=MAX_MOVES)]
    """The version of that match with whose state the fork begins."""
    audience: Audience
    """The audience whose knowledge is kept; everything hidden from it is dealt again."""
    seats: int
    options: msgspec.Raw
    """The game's options as JSON."""
    left: tuple[Seat, ...] = ()
    """Seats that had left for good."""


def deal(game: AnyGame, state: Any, fork: Fork, chance: Chance) -> tuple[Forked, ...]:
    """Return the first events of a fork of this state. Raises RuleViolation NOTHING_TO_PLAY if no decision is open."""
    must_go_on_from(game, state)
    dealt = game.redeal(state, fork.audience, chance)
    return (
        Forked(of=fork.of, version=fork.version, audience=fork.audience, state=msgspec.Raw(encode(dealt))),
    )


def must_go_on_from(game: AnyGame, state: Any) -> None:
    """Raises RuleViolation NOTHING_TO_PLAY if no decision is open in the state."""
    if state is None or not game.pending(state):
        raise RuleViolation(TableCode.NOTHING_TO_PLAY, rule=RULE)


def table_of(game: AnyGame, event: Forked) -> Any:
    """Return the initial state of a fork. Raises Unreadable if the event does not contain it."""
    if event.state == NOT_SHOWN:
        raise Unreadable("the table of this fork is not shown here", pointer="$.state")
    return game.state_codec.decode(bytes(event.state))


def what_is_wrong(game: AnyGame, fork: Fork, events: tuple[Any, ...]) -> str:
    """Return why these cannot be the events of a fork, judged by themselves; empty if they can."""
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

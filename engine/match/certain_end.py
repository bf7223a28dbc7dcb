"""Matches that may never end: when an option that allows them is refused.

Every match ends by its rules, whatever legal moves are made, unless an option removes that limit (`Game.endless`). A match
with such an option is for people who are present. Without a clock nobody would ever have to decide, and a policy or a bot
that plays on would fill the log for ever. So it needs a clock under which absent players leave for good; it ends when one
player is left. Present players may agree to call it off, and the tenant may at any time. A playout, where nobody can, is refused.

§end Matches that might never end. Every match ends by its rules, whatever the players do, unless an option removes
the limit that makes sure of it. Such a match needs a clock with which absent players leave for good, and no seat may
be played by a bot. Simulations of whole matches do not accept such an option.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.game import AnyGame

RULE: Final = "end"
"""The `rule` of these refusals, where a game's refusal names its paragraph."""


class Missing(StrEnum):
    """What a match that may go on for ever lacks. Stable."""

    FORFEIT_CLOCK = "FORFEIT_CLOCK"
    """A clock under which absent players forfeit."""
    PEOPLE_ONLY = "PEOPLE_ONLY"
    """Seats that are played by people only."""


def must_end(game: AnyGame, options: Any, *, forfeits: bool = False, bots: bool = False) -> None:
    """Raises RuleViolation NO_CERTAIN_END if a match with these options may never end.

    `forfeits`: a clock makes absent players leave. `bots`: not all seats are played by people.
    """
    option = game.endless(options)
    if option is None:
        return
    if bots:
        raise no_certain_end(option, Missing.PEOPLE_ONLY)
    if not forfeits:
        raise no_certain_end(option, Missing.FORFEIT_CLOCK)


def no_certain_end(option: str, missing: Missing) -> RuleViolation:
    """Return the refusal."""
    return RuleViolation(TableCode.NO_CERTAIN_END, rule=RULE, field=option, missing=missing.value)

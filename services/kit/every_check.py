"""All checks of the kit, in the order in which they run."""

from __future__ import annotations

from typing import Final

from services.kit.check import Check
from services.kit.records.every_check import RECORD_CHECKS
from services.kit.rules import (
    bots,
    conserved,
    draws_after_judging,
    ends,
    leaving,
    listed_actions,
    non_interference,
    plays,
    policy,
    redeal,
    replay,
    rules_versions,
    speed,
    undo_boundary,
    unlisted_actions,
)

RULE_CHECKS: Final[tuple[Check, ...]] = (
    plays.CHECK,
    listed_actions.CHECK,
    unlisted_actions.CHECK,
    draws_after_judging.CHECK,
    replay.CHECK,
    ends.CHECK,
    conserved.CHECK,
    leaving.CHECK,
    policy.CHECK,
    redeal.CHECK,
    non_interference.CHECK,
    undo_boundary.CHECK,
    rules_versions.CHECK,
    bots.CHECK,
)
"""First what makes matches possible, then what is looked at in them."""
CHECKS: Final[tuple[Check, ...]] = (*RULE_CHECKS, *RECORD_CHECKS, speed.CHECK)


def named(names: tuple[str, ...]) -> tuple[Check, ...]:
    """Return the checks of these names in the order above; without names, all. Raises KeyError, which lists the names."""
    known = [check.name for check in CHECKS]
    for name in names:
        if name not in known:
            raise KeyError(f"no check {name!r}; there are: {', '.join(known)}")
    return tuple(check for check in CHECKS if not names or check.name in names)

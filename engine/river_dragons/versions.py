"""The versions of the rules of River Dragons, and the rulings they decide in different ways."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from engine.kernel.rules_versions import RulesVersion, rulings_by_version


class Rulings(msgspec.Struct, frozen=True, kw_only=True):
    """What was decided in more than one way; a rule asks for it at the one place where it is judged."""

    leavers_rank_last_after_a_win: bool
    """[F7] Who has left ranks behind who stayed, also when somebody has won."""


_1_0_0: Final = Rulings(leavers_rank_last_after_a_win=False)
_1_1_0: Final = replace(_1_0_0, leavers_rank_last_after_a_win=True)

VERSIONS: Final = (
    RulesVersion(
        version="1.1.0",
        since="2026-11-21",
        changes="Who has left ranks behind all who stayed, also when somebody reaches a destination [F7].",
        rulings=_1_1_0,
    ),
    RulesVersion(version="1.0.0", since="2026-11-21", changes="The first rules.", rulings=_1_0_0),
)
"""Newest first."""

RULINGS: Final = rulings_by_version(VERSIONS)

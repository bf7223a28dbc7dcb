"""The versions of the rules of River Dragons, and the rulings they decide in different ways."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from engine.kernel.rules_versions import RulesVersion, rulings_by_version


class Rulings(msgspec.Struct, frozen=True, kw_only=True):
    """The rulings on which versions differ; a rule reads each at the one place where it is applied."""

    leavers_rank_last_after_a_win: bool
    """[F7] Seats that have left rank behind those that stayed, also after a win."""
    round_limit_is_an_option: bool
    """[R23] The options say after how many rounds the match is a draw, or that it never is."""


_1_0_0: Final = Rulings(leavers_rank_last_after_a_win=False, round_limit_is_an_option=False)
_1_1_0: Final = replace(_1_0_0, leavers_rank_last_after_a_win=True)
_1_2_0: Final = replace(_1_1_0, round_limit_is_an_option=True)

VERSIONS: Final = (
    RulesVersion(
        version="1.2.0",
        since="2026-11-22",
        changes="The option `round_limit` says after how many rounds a match is a draw: 40 as before, another number, or never [R23].",
        rulings=_1_2_0,
    ),
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

"""The versions of the rules of River of Gold, and the rulings in which they differ."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from engine.kernel.rules_versions import RulesVersion, rulings_by_version


class Rulings(msgspec.Struct, frozen=True, kw_only=True):
    """The rulings in which versions differ; each is read at the one place where its rule is applied."""

    last_exchanges: bool
    """[F11] After the last turn each seat that can exchange is asked once more, before the final scoring."""
    room_before_lapsing: bool
    """[F12] If an exchange would make room for one of a journey's bonuses, its owner is asked before they lapse."""


_1_0_0: Final = Rulings(last_exchanges=False, room_before_lapsing=False)
_1_1_0: Final = replace(_1_0_0, last_exchanges=True, room_before_lapsing=True)

VERSIONS: Final = (
    RulesVersion(
        version="1.1.0",
        since="2026-11-22",
        changes="Everybody may exchange once more before the final scoring [F11], "
        "and before a journey's bonuses lapse for which an exchange would make room [F12].",
        rulings=_1_1_0,
    ),
    RulesVersion(version="1.0.0", since="2026-11-21", changes="The first rules.", rulings=_1_0_0),
)
"""Newest first."""

RULINGS: Final = rulings_by_version(VERSIONS)

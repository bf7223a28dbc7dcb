"""The versions of the rules of Al-Rashid, and the rulings in which they differ."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from engine.kernel.rules_versions import RulesVersion, rulings_by_version


class Rulings(msgspec.Struct, frozen=True, kw_only=True):
    """The rulings that differ between versions. Each is read where its rule is applied."""

    only_tiles_there_are: bool
    """[F10] A colour is named for the General, for recruits and for the Agha only as often as it has tiles left."""


_1_0_0: Final = Rulings(only_tiles_there_are=False)
_1_1_0: Final = replace(_1_0_0, only_tiles_there_are=True)

VERSIONS: Final = (
    RulesVersion(
        version="1.1.0",
        since="2026-11-22",
        changes="No mercenary can be named of a colour that has run out, so nobody gives the General a good for nothing [F10].",
        rulings=_1_1_0,
    ),
    RulesVersion(version="1.0.0", since="2026-11-21", changes="The first rules.", rulings=_1_0_0),
)
"""Newest first."""

RULINGS: Final = rulings_by_version(VERSIONS)

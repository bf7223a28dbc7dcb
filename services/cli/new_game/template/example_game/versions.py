"""The versions of the rules, newest first. A match keeps the version it began with.

To change a ruling later: give `RulesVersion.rulings` a frozen struct with a field for that ruling, put a new version on top,
and let the one place that applies the ruling read it. A version that was released is never changed or removed.
"""

from __future__ import annotations

from typing import Final

from engine.interface import RulesVersion

VERSIONS: Final = (
    RulesVersion(version="1.0.0", since="2026-11-23", changes="The first rules.", rulings=None),
)

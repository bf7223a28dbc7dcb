"""The versions of the rules of River of Gold. No ruling was ever decided in another way, so there is one."""

from __future__ import annotations

from typing import Final

from engine.kernel.rules_versions import RulesVersion

VERSIONS: Final = (
    RulesVersion(version="1.0.0", since="2026-11-21", changes="The first rules.", rulings=None),
)
"""Newest first."""

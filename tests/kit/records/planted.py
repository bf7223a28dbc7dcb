"""Games with a planted fault: one of ours, with something replaced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.registry import newest
from services.kit.check import Check
from services.kit.subject import Subject

SIMPLE = "al_rashid"
"""Quickly played, with listed actions alone."""
WITH_TEMPLATES = "river_dragons"
"""Its programs, stones and planks are templates."""


def subject(game_id: str = SIMPLE, *, golden: Path | None = None, **changes: Any) -> Subject:
    """One match of a game with other functions or data."""
    planted = Subject(game_id, matches=1, game=replace(newest(game_id), **changes), golden=golden)
    planted.checks = replace(planted.checks, options=planted.checks.options[:1])
    return planted


def faults(check: Check, of: Subject) -> list[str]:
    """What a check says of a game."""
    return [fault.what for fault in check.run(of).faults]


def with_messages(game_id: str, language: str, change: Callable[[dict[str, str]], Any]) -> Subject:
    """A game with other messages in one language."""
    texts = replace(newest(game_id).texts)
    catalogues = {tag: dict(catalogue) for tag, catalogue in newest(game_id).texts.catalogues.items()}
    change(catalogues[language])
    vars(texts)["catalogues"] = catalogues
    return subject(game_id, texts=texts)

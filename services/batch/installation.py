"""What is installed here: results are the same everywhere only if the same programs compute them."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version

from engine.registry import GAMES, GameUnusable
from engine.registry import game as registered_game


@cache
def installed() -> str:
    """Return Foldtable's version and that of each game's rules, as one line of text."""
    return ", ".join((f"foldtable {version('foldtable')}", *map(_rules_of, GAMES)))


def _rules_of(game_id: str) -> str:
    try:
        return f"{game_id} {registered_game(game_id).rules_version}"
    except GameUnusable:
        return f"{game_id} unusable"

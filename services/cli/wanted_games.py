"""The games that a command is asked to work with: installed, and of use, or the command ends with a sentence."""

from __future__ import annotations

from engine.kernel.game import AnyGame
from engine.registry import GAMES, REFUSED, GameUnusable
from engine.registry import game as registered_game
from services.cli.console import ERR, fail, printable


def wanted_game(game_id: str) -> AnyGame:
    """Return a game that somebody has named; end with a sentence if it is not installed or its rules cannot be used."""
    must_be_installed(game_id)
    try:
        return registered_game(game_id)
    except GameUnusable as refused:
        fail(str(refused))


def must_be_installed(*game_ids: str) -> None:
    """End with a sentence if one of these games is not installed, or its package is refused."""
    unknown = sorted({game_id for game_id in game_ids if game_id not in GAMES and game_id not in REFUSED})
    if unknown:
        named = ", ".join(map(repr, unknown))
        fail(f"unknown game{'s' if len(unknown) > 1 else ''} {named}; there are: {', '.join(GAMES)}", code=2)
    for game_id in game_ids:
        if game_id in REFUSED:
            fail(str(REFUSED[game_id]))


def playable_games() -> tuple[str, ...]:
    """Return the installed games whose rules can be used, for a command that plays all of them; tell why others cannot."""
    playable = []
    problems = list(REFUSED.values())
    for game_id in GAMES:
        try:
            registered_game(game_id)
        except GameUnusable as refused:
            problems.append(refused)
        else:
            playable.append(game_id)
    for problem in problems:
        ERR.print(f"left out: {printable(str(problem))}", markup=False, soft_wrap=True, emoji=False)
    return tuple(playable)

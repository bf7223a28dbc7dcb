"""Which version of the rules a match is played by, and games and versions this server does not have.

A match keeps the rules it was created under. During a rolling update an older server meets matches of rules it does
not know yet. It neither shows nor plays them, because both would be wrong.
"""

from __future__ import annotations

from typing import Final

from engine.kernel.game import AnyGame
from services.process.reasons import Reason
from services.rpc.refusals import Refused

MAX_VERSION: Final = 64
"""Most characters of a requested version that a refusal quotes."""


class NotPlayableHere(Refused):
    """This server cannot fold the match, whoever asks. Only callers that may know of the match are told."""


class GameNotHere(NotPlayableHere):
    """GAME_NOT_FOUND: this server does not serve the game of the match, or no longer."""

    def __init__(self, game_id: str) -> None:
        super().__init__(
            Reason.GAME_NOT_FOUND,
            f"this server does not serve the game of this match, {game_id}",
            metadata={"game": game_id},
        )


class RulesNotHere(NotPlayableHere):
    """RULES_VERSION_UNSUPPORTED: this server does not have these rules of the game."""

    def __init__(self, game: AnyGame, version: str, *, field: str | None = None) -> None:
        supported = ", ".join(one.version for one in game.versions)
        super().__init__(
            Reason.RULES_VERSION_UNSUPPORTED,
            f"this server does not have these rules of {game.id}; it has {supported}",
            field=field,
            metadata={"rules_version": version[:MAX_VERSION], "supported": supported},
        )


def under(game: AnyGame, version: str, *, field: str | None = None) -> AnyGame:
    """Return a game under one version of its rules. Raises RulesNotHere. `field` is the request's field that names the version."""
    try:
        return game.by(version)
    except KeyError:
        raise RulesNotHere(game, version, field=field) from None

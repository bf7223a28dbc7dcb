"""Which rules a match is played by, and those this server does not have.

A match keeps the rules it was created under. While servers are being replaced, an older one meets matches of rules it
does not know yet: it neither shows nor plays them, for it would do both wrongly.
"""

from __future__ import annotations

from typing import Final

from engine.kernel.game import AnyGame
from services.rpc.refusals import Reason, Refused

MAX_VERSION: Final = 64
"""Characters of a version that are told back to who asked for it."""


class RulesNotHere(Refused):
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
    """Give a game under one version of its rules; RulesNotHere. `field` is where the request asks for it."""
    try:
        return game.by(version)
    except KeyError:
        raise RulesNotHere(game, version, field=field) from None

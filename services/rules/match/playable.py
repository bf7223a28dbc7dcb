"""Which version of the rules a match is played by, and versions this server does not have.

A match keeps the rules it was created under. During a rolling update an older server meets matches of rules it does
not know yet. It neither shows nor plays them, because both would be wrong.
"""

from __future__ import annotations

from typing import Final

from engine.kernel.game import AnyGame
from services.rpc.refusals import Reason, Refused

MAX_VERSION: Final = 64
"""Most characters of a requested version that a refusal quotes."""


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
    """Return a game under one version of its rules. Raise RulesNotHere. `field` is the request's field that names the version."""
    try:
        return game.by(version)
    except KeyError:
        raise RulesNotHere(game, version, field=field) from None

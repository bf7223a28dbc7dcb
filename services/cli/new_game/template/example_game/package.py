"""The entry point: where the parts of this game are. Foldtable reads it without importing the rules.

`pyproject.toml` names `PACKAGE` in the group `foldtable.games`. That is all it takes to be found.
"""

from __future__ import annotations

from typing import Final

from engine.interface import GamePackage

PACKAGE: Final = GamePackage(
    id="example_game",
    interface="1.0",
    game="example_game.game:GAME",
    contract="example_game.v1",
    descriptors="example_game:contract.binpb",
    action_space="example_game.agents.action_space:action_space",
    features="example_game.agents.features:features",
    checks="example_game.checks:CHECKS",
    golden="example_game:golden",
)

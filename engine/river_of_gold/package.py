"""River of Gold as a package that the registry finds, in the same way as the games of others."""

from __future__ import annotations

from typing import Final

from engine.kernel.package import GamePackage

PACKAGE: Final = GamePackage(
    id="river_of_gold",
    interface="1.0",
    game="engine.river_of_gold.game:GAME",
    contract="foldtable.river_of_gold.v1",
    descriptors="foldtable:descriptors.binpb",
    action_space="engine.river_of_gold.agents.action_space:action_space",
    features="engine.river_of_gold.agents.features:features",
    checks="engine.river_of_gold.checks:CHECKS",
)

"""River Dragons as a package that the registry finds, in the same way as the games of others."""

from __future__ import annotations

from typing import Final

from engine.kernel.package import GamePackage

PACKAGE: Final = GamePackage(
    id="river_dragons",
    interface="1.0",
    game="engine.river_dragons.game:GAME",
    contract="foldtable.river_dragons.v1",
    descriptors="foldtable:descriptors.binpb",
    action_space="engine.river_dragons.agents.action_space:action_space",
    features="engine.river_dragons.agents.features:features",
    checks="engine.river_dragons.checks:CHECKS",
)

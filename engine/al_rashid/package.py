"""Al-Rashid as a package that the registry finds, in the same way as the games of others."""

from __future__ import annotations

from typing import Final

from engine.kernel.package import GamePackage

PACKAGE: Final = GamePackage(
    id="al_rashid",
    interface="1.0",
    game="engine.al_rashid.game:GAME",
    contract="foldtable.al_rashid.v1",
    descriptors="foldtable:descriptors.binpb",
    action_space="engine.al_rashid.agents.action_space:action_space",
    features="engine.al_rashid.agents.features:features",
    checks="engine.al_rashid.checks:CHECKS",
)

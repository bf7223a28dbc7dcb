"""River Dragons as it might be one day: rules that are in no release, to see what becomes of older matches when they come.

They forbid dragons. For tests; put in the registry's place of the game for as long as a test runs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from engine import registry
from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.game import AnyGame
from engine.kernel.rules_versions import RulesVersion
from engine.kernel.seats import Seat
from engine.river_dragons import versions
from engine.river_dragons.actions import SubmitProgram
from engine.river_dragons.box.components import DRAGON_TARGET
from engine.river_dragons.errors import Code
from engine.river_dragons.game import GAME
from engine.river_dragons.state import State
from engine.river_dragons.templates import ProgramTemplate

COMING = "1.9.0"


def coming_rules(monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Have the registry give River Dragons with the coming rules as its newest, until the test is over."""
    rulings = versions.RULINGS[GAME.rules_version]
    newest = RulesVersion(version=COMING, since="2030-01-01", changes="No dragons [F99].", rulings=rulings)
    coming = replace(
        GAME,
        versions=(newest, *GAME.versions),
        rules_version=COMING,
        decide=_decide,
        legal_actions=_legal_actions,
        sample=_sample,
    )
    monkeypatch.setitem(versions.RULINGS, COMING, rulings)
    # A server puts its own into this place; what was there comes back at the end.
    monkeypatch.setitem(registry._STAND_INS, GAME.id, coming)
    return coming


def has_dragons(action: Any) -> bool:
    return isinstance(action, SubmitProgram) and any(card in DRAGON_TARGET for card in action.cards)


def _decide(state: State, seat: Seat, action: Any, chance: Chance) -> Any:
    if state.rules_version == COMING and has_dragons(action):
        raise RuleViolation(Code.SECOND_DRAGON, rule="F99", limit=0)
    return GAME.decide(state, seat, action, chance)


def _legal_actions(state: State, seat: Seat) -> Any:
    legal = GAME.legal_actions(state, seat)
    if state.rules_version != COMING:
        return legal
    templates = [
        msgspec.structs.replace(one, max_dragons=0) if isinstance(one, ProgramTemplate) else one
        for one in legal.templates
    ]
    return msgspec.structs.replace(legal, templates=tuple(templates))


def _sample(state: State, seat: Seat, chance: Chance) -> Any:
    while True:
        action = GAME.sample(state, seat, chance)
        if state.rules_version != COMING or not has_dragons(action):
            return action

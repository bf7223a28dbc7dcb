"""Whatever keeps the steps and limits of a template is legal, where they say everything. What every game must have, the kit asks."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import seat_audience
from engine.match.playout import random_match
from engine.registry import game as registered_game
from services.kit.records.found import tag_of
from tests.support.filled_templates import filled
from tests.support.our_games import TABLES


def luck(number: int, about: int) -> SeededChance:
    return SeededChance(number.to_bytes(32, "big"), about)


def accepts(game: Any, state: Any, seat: Any, action: dict[str, Any]) -> bool:
    try:
        read = game.action_codec.decode(msgspec.json.encode(action))
        return bool(game.decide(state, seat, read, luck(0, 1)))
    except RuleViolation:
        return False


@pytest.mark.parametrize(("name", "options"), TABLES, ids=lambda value: "-".join(value) or "base")
def test_most_fillings_of_a_template_are_legal(name: str, options: dict[str, Any]) -> None:
    """A payment may also be worth too little or too much."""
    tried = accepted = 0
    game = registered_game(name)
    read = game.options_codec.decode(msgspec.json.encode(options))
    steps = random_match(game, read, game.seat_counts[1], bytes(32), luck(1, 1 << 32))
    for place, state in enumerate(step.state for step in steps):
        for seat in game.to_act(state):
            view = game.view(state, seat_audience(seat))
            for template in game.legal_actions(state, seat).templates:
                action = filled(tag_of(template), game.template_hint(view, template), luck(7, place))
                if action is None:
                    continue
                legal = accepts(game, state, seat, action)
                tried += 1
                accepted += legal
                assert legal or tag_of(template) == "pay", action
    assert accepted or not tried

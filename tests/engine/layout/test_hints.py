"""Whatever keeps the steps and limits of a template is legal, where they say everything. What every game must have, the kit asks."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import seat_audience
from services.kit.records.filling import filled
from services.kit.records.found import tag_of
from tests.engine.layout.tables import EVERY_TABLE, luck, match


def accepts(game: Any, state: Any, seat: Any, action: dict[str, Any]) -> bool:
    try:
        read = game.action_codec.decode(msgspec.json.encode(action))
        return bool(game.decide(state, seat, read, luck(0, 1)))
    except RuleViolation:
        return False


@EVERY_TABLE
def test_most_fillings_of_a_template_are_legal(name: str, options: dict[str, Any]) -> None:
    """A payment may also be worth too little or too much."""
    tried = accepted = 0
    for place, (game, state) in enumerate(match(name, options, 1)):
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

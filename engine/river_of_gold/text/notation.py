"""One line of English per action and event, and the view drawn for the terminal.

>>> from engine.river_of_gold.actions import Build
>>> from engine.river_of_gold.box.ids import BuildingId, ShoreId
>>> NOTATION.action(Build(shore=ShoreId.SHORE_16, building=BuildingId.ERA1_SHRINE_5))
'build era1_shrine_5 on shore_16'
"""

from __future__ import annotations

from typing import Any, Final

from engine.river_of_gold.actions import RiverOfGoldAction
from engine.river_of_gold.box.components import Goods
from engine.river_of_gold.events import RiverOfGoldEvent
from engine.river_of_gold.text.drawing import draw
from engine.river_of_gold.text.event_lines import event_line
from engine.river_of_gold.text.wording import goods
from engine.river_of_gold.view import RiverOfGoldView

_PLAIN: Final[dict[str, str]] = {
    "choose_patron": "choose {patron}",
    "spend_favor": "turn the die {direction}",
    "exchange_goods": "exchange 2 {give} for 1 {take}",
    "exchange_koku": "exchange 5 koku for 1 favor",
    "build": "build {building} on {shore}",
    "sail": "sail the {ship} ship by {distance}",
    "deliver": "deliver to {customer}",
    "choose_good": "choose {good}",
    "discard_customer": "discard {customer}",
    "choose_royal_ship": "make the {ship} ship the royal one",
    "place_marker": "place the second marker on {shore}",
    "end_turn": "end turn",
    "roll_die": "roll the die",
    "set_die": "set the die to {face}",
    "decline_exchange": "decline to exchange",
}
"""The lines of actions that need only their fields, by tag."""


class RiverOfGoldNotation:
    """Seats are written `seat 0`, goods `2 silk, 1 rice`, everything else by its id."""

    def action(self, action: RiverOfGoldAction) -> str:
        tag = str(action.__struct_config__.tag)
        plain = _PLAIN.get(tag)
        if plain is not None:
            return plain.format(**{name: getattr(action, name) for name in action.__struct_fields__})
        return _composed(tag, action)

    def event(self, event: RiverOfGoldEvent) -> str:
        return event_line(event)

    def view(self, view: RiverOfGoldView) -> str:
        return draw(view)


def _composed(tag: str, action: Any) -> str:
    """Return the line of an action that has optional parts or needs more than its fields."""
    match tag:
        case "take_journey_bonus":
            return f"journey: {'3 koku' if action.good is None else f'1 {action.good}'}"
        case "use_merchant":
            return f"use {action.customer}{'' if action.good is None else f': 1 {action.good}'}"
        case "sell_goods":
            return f"sell {goods(Goods(silk=action.silk, rice=action.rice, porcelain=action.porcelain))}"
        case _:
            raise TypeError(f"no notation for {tag}")


NOTATION: Final = RiverOfGoldNotation()

"""One line of English per action and event, and views drawn for the terminal.

>>> from engine.al_rashid.actions import PlacePiece
>>> from engine.al_rashid.box.areas import SPIES
>>> from engine.al_rashid.box.components import Piece
>>> NOTATION.action(PlacePiece(piece=Piece.PASHA, area=SPIES))
'place pasha in spies'
"""

from __future__ import annotations

from typing import Any, Final

from engine.al_rashid.actions import AlRashidAction
from engine.al_rashid.events import AlRashidEvent
from engine.al_rashid.text.drawing import draw
from engine.al_rashid.text.event_lines import event_line
from engine.al_rashid.text.wording import goods, squad
from engine.al_rashid.view import AlRashidView

_PLAIN: Final[dict[str, str]] = {
    "choose_stack": "draw from the {colour} stack",
    "hold_back": "hold back {piece}",
    "decline": "decline",
    "place_piece": "place {piece} in {area}",
    "move_piece": "move {piece} from {from_area} to {to_area}",
    "peek": "look at the mercenaries of {territory}",
    "use_smuggler": "smuggler: {give} for {take}",
    "use_trader": "trader: {give} for the other common goods",
    "use_importer": "{office}: take its good",
    "use_recruiter": "recruiter: draw {colour}",
    "use_negotiator": "negotiator: look at {territory}",
    "remove_mercenary": "remove tile {tile} with an own {own_value}",
    "resolve_area": "resolve {area}",
    "end_turn": "end turn",
    "choose_favors": "impostor: {first}, then {second}",
    "give_good": "general: {give} for {colour}",
    "swap_good": "vizier: {give} for {take}",
    "name_colours": "draw {red} red, {blue} blue",
    "flee": "flee",
    "take_spoil": "spoils: {good}",
    "take_all": "take all {good}",
}
"""Actions that are fully described by their fields, by tag."""


class AlRashidNotation:
    """Seats are written `seat 0`, goods `2 hardwood, 1 silk`, tiles `red 3, blue 2`, everything else by its id."""

    def action(self, action: AlRashidAction) -> str:
        tag = str(action.__struct_config__.tag)
        plain = _PLAIN.get(tag)
        if plain is not None:
            return plain.format(**{name: getattr(action, name) for name in action.__struct_fields__})
        return _composed(tag, action)

    def event(self, event: AlRashidEvent) -> str:
        return event_line(event)

    def view(self, view: AlRashidView) -> str:
        return draw(view)


def _composed(tag: str, action: Any) -> str:
    """Return the line of an action with parts that may be absent."""
    match tag:
        case "pay":
            return f"pay {goods(action.goods)}"
        case "take_goods":
            return f"quartermaster: {goods(action.goods)}"
        case "fight":
            return f"fight with {squad(action.tiles)}"
        case "take_items":
            note = " and the credit note" if action.note else ""
            return f"take {goods(action.goods)}{note}"
        case "convert_sage":
            return f"alchemist: sage in {action.area or 'the reserve'}"
        case "declare_visit":
            return f"visit: {visit_parts(action.service, action.office, action.note, action.favor)}"
        case "declare_audience":
            gift = None if action.benevolence is None else f"benevolence ({action.benevolence})"
            parts = [part for part in (gift, office_part(action.office, action.note)) if part]
            return f"audience: {' and '.join(parts) or 'nothing'}"
        case _:
            raise TypeError(f"no notation for {tag}")


def visit_parts(service: bool, office: str | None, note: bool, favor: str | None) -> str:
    """Return what a visit consists of."""
    named = ("service" if service else None, office_part(office, note), f"favor ({favor})" if favor else None)
    return " and ".join(part for part in named if part) or "nothing"


def office_part(office: str | None, note: bool) -> str | None:
    """Return the office of a visit, if there is one."""
    if office is None:
        return None
    return f"{office} with a credit note" if note else office


NOTATION: Final = AlRashidNotation()

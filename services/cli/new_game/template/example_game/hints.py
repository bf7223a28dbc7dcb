"""How actions are offered to a person: which belong together, what to touch, and how a template is filled in."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.interface import Hint, Limit, NumberStep, TemplateHint

from example_game.actions import GameAction, Tip
from example_game.box import Bowl
from example_game.templates import GameTemplate
from example_game.view import GameView

_IN_ALL: Final = "pebbles"


class ActionGroup(StrEnum):
    """Which actions belong together; the heading is the text `group.<group>`."""

    PLACE = "place"
    """Placing pebbles (§2)."""
    TIP = "tip"
    """Tipping a bowl, or none (§4)."""


def hint(_view: GameView, action: GameAction) -> Hint:
    """Return how a listed action is presented. A bowl is tipped by touching it."""
    targets = (action.bowl,) if isinstance(action, Tip) else ()
    return Hint(group=ActionGroup.TIP, targets=targets)


def template_hint(_view: GameView, template: GameTemplate) -> TemplateHint:
    """Return how pebbles are placed: a number for each bowl, and a limit on the sum."""
    return TemplateHint(
        group=ActionGroup.PLACE,
        steps=tuple(
            NumberStep(field=f"/{bowl}", least=0, most=template.most, suggested=0, name=bowl, limit=_IN_ALL)
            for bowl in Bowl
        ),
        limits=(Limit(name=_IN_ALL, most=template.most),),
    )

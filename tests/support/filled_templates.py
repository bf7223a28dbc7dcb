"""Templates that are filled in at random, with the hint alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.kernel.chance import Chance
from engine.kernel.hints import ChooseStep, NumberStep, PointStep, TemplateHint, Value
from services.kit.records.filling import keeps, put


def filled(tag: str, hint: TemplateHint, chance: Chance) -> dict[str, Any] | None:
    """Return an action with a random value for each step; None if it broke a limit. Points are left out."""
    action: dict[str, Any] = {"type": tag}
    used: set[Value] = set()
    counted: Counter[str] = Counter()
    for step in hint.steps:
        match step:
            case ChooseStep():
                open_ = [one for one in step.choices if not (step.different and one.value in used)]
                chosen = open_[chance.below(len(open_))] if len(open_) > 1 else open_[0]
                used |= {chosen.value} if step.different else set()
                counted[chosen.limit] += 1
                put(action, step.field, chosen.value)
            case NumberStep():
                width = step.most - step.least + 1
                number = step.least + (chance.below(width) if width > 1 else 0)
                counted[step.limit] += number
                put(action, step.field, number)
            case PointStep():
                return None
    return action if all(keeps(limit, counted[limit.name]) for limit in hint.limits) else None

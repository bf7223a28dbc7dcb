"""Filling in a template as a page does that knows nothing of the game: step by step, with the hint alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.kernel.hints import ChooseStep, Limit, NumberStep, PointStep, TemplateHint, Value


def suggested(tag: str, hint: TemplateHint) -> dict[str, Any] | None:
    """Return the action that the suggested numbers make; None if a step has no suggestion."""
    action: dict[str, Any] = {"type": tag}
    for step in hint.steps:
        if not isinstance(step, NumberStep):
            return None
        put(action, step.field, step.suggested)
    return action


def keeps(limit: Limit, number: int) -> bool:
    return limit.least <= number and (limit.most is None or number <= limit.most)


def reaches(hint: TemplateHint, action: dict[str, Any]) -> bool:
    """Return whether the steps and limits lead to an action."""
    used: list[Any] = []
    counted: Counter[str] = Counter()
    for step in hint.steps:
        match step:
            case ChooseStep():
                value = get(action, step.field)
                found = [one for one in step.choices if one.value == value]
                if not found or (step.different and value in used):
                    return False
                used += [value] if step.different else []
                counted[found[0].limit] += 1
            case NumberStep():
                number = get(action, step.field)
                if not step.least <= number <= step.most:
                    return False
                counted[step.limit] += number
            case PointStep():
                assert isinstance(get(action, step.field_x), int)
                assert isinstance(get(action, step.field_y), int)
    return all(keeps(limit, counted[limit.name]) for limit in hint.limits)


def put(action: dict[str, Any], pointer: str, value: Value) -> None:
    """Put a value where a JSON Pointer says, and make the objects and lists on the way."""
    *way, last = pointer.removeprefix("/").split("/")
    at: Any = action
    for name, following in zip(way, [*way, last][1:], strict=True):
        if name not in at:
            at[name] = [] if following.isdigit() else {}
        at = at[name]
    if isinstance(at, list):
        assert int(last) == len(at), "lists are filled from the front"
        at.append(value)
    else:
        at[last] = value


def get(action: Any, pointer: str) -> Any:
    """Return the value where a JSON Pointer leads; 0 for a field that has been left out because it is the default."""
    at = action
    for name in pointer.removeprefix("/").split("/"):
        at = at[int(name)] if isinstance(at, list) else at.get(name, 0)
    return at


def fields(hint: TemplateHint) -> Iterator[str]:
    """Return every pointer of the steps."""
    for step in hint.steps:
        if isinstance(step, PointStep):
            yield from (step.field_x, step.field_y)
        else:
            yield step.field

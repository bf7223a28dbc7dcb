"""Making an action of a template, step by step, with its hint alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeGuard, cast

from foldtable_client import types
from foldtable_client.choices import TemplateChoice
from foldtable_client.pointers import put

Value = str | int | bool | tuple[int, int] | None
"""What is chosen in one step; of a point, x and y."""


def fill(template: TemplateChoice, values: Sequence[Value]) -> types.Action:
    """Return the action with a value for each step, in the order of the steps.

    Raises ValueError if a value is not among those of its step, or they break a limit together. Steps and limits cannot
    say everything: `Client.rehearse` asks the rules.
    """
    steps = template.hint["steps"]
    if len(values) != len(steps):
        raise ValueError(f"{len(values)} values for {len(steps)} steps")
    action: dict[str, Any] = {"type": template.template["type"]}
    used: list[Value] = []
    counted = Counter[str]()
    for step, value in zip(steps, values, strict=True):
        match step["type"]:
            case "choose":
                counted[_chosen(step, value, used)] += 1
                put(action, step["field"], value)
            case "number":
                counted[step["limit"]] += _number(step, value)
                put(action, step["field"], value)
            case "point":
                x, y = _point(step, value)
                put(action, step["field_x"], x)
                put(action, step["field_y"], y)
    for limit in template.hint["limits"]:
        _keep(limit, counted[limit["name"]])
    return cast("types.Action", action)  # its steps say what it has


def _chosen(step: types.ChooseStep, value: Value, used: list[Value]) -> str:
    """Return the limit that a chosen value counts against; `used` are those that later steps may not repeat."""
    found = [one for one in step["choices"] if one["value"] == value and type(one["value"]) is type(value)]
    if not found:
        raise ValueError(f"{step['field']}: {value!r} is not among the choices")
    if step["different"]:
        if value in used:
            raise ValueError(f"{step['field']}: {value!r} has been chosen already")
        used.append(value)
    return found[0]["limit"]


def _number(step: types.NumberStep, value: Value) -> int:
    if not _is_number(value) or not step["least"] <= value <= step["most"]:
        raise ValueError(f"{step['field']}: {value!r} is not a number from {step['least']} to {step['most']}")
    return value


def _point(step: types.PointStep, value: Value) -> tuple[int, int]:
    if not (isinstance(value, tuple) and len(value) == 2 and all(map(_is_number, value))):
        raise ValueError(f"{step['field_x']}, {step['field_y']}: {value!r} is no pair of whole numbers")
    return value


def _is_number(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _keep(limit: types.Limit, count: int) -> None:
    """Raises ValueError if a sum breaks a limit."""
    most = limit["most"]
    if count < limit["least"] or (most is not None and count > most):
        allowed = f"at least {limit['least']}" if most is None else f"from {limit['least']} to {most}"
        raise ValueError(f"{limit['name']}: {count} is not {allowed}")

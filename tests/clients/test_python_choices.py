"""The Python client shows what may be chosen, and fills in templates with their hints alone."""

from __future__ import annotations

from typing import Any

import pytest

from foldtable_client import ActionChoice, TemplateChoice, choices, fill
from foldtable_client.filling import Value

PROGRAM: Any = {
    "group": "program",
    "steps": [
        {
            "type": "choose",
            "field": f"/cards/{slot}",
            "different": True,
            "choices": [
                {"value": value, "name": "", "target": "", "limit": limit}
                for value, limit in (("stone1", "stones"), ("stone2", "stones"), ("move1", ""))
            ],
        }
        for slot in (0, 1)
    ],
    "limits": [{"name": "stones", "least": 0, "most": 1}],
}
PAYMENT: Any = {
    "group": "pay",
    "steps": [
        {
            "type": "number",
            "field": f"/payment/{resource}",
            "least": 0,
            "most": 3,
            "suggested": 1,
            "name": resource,
            "limit": "all",
        }
        for resource in ("koku", "a~1b")
    ],
    "limits": [{"name": "all", "least": 2, "most": None}],
}
POINT: Any = {
    "group": "stones",
    "steps": [{"type": "point", "field_x": "/x", "field_y": "/y", "board": "river"}],
    "limits": [],
}


def template(hint: Any, kind: str = "program") -> TemplateChoice:
    return TemplateChoice({"type": kind, "domain": "whatever"}, hint, None)


@pytest.mark.parametrize(
    ("hint", "values", "made"),
    [
        (PROGRAM, ["stone2", "move1"], {"type": "program", "cards": ["stone2", "move1"]}),
        (PAYMENT, [2, 0], {"type": "program", "payment": {"koku": 2, "a/b": 0}}),
        (POINT, [(17, -3)], {"type": "program", "x": 17, "y": -3}),
    ],
    ids=["values", "numbers", "a point"],
)
def test_each_value_is_put_where_its_step_says(hint: Any, values: list[Value], made: Any) -> None:
    assert fill(template(hint), values) == made


@pytest.mark.parametrize(
    ("hint", "values", "why"),
    [
        (PROGRAM, ["stone1"], "1 values for 2 steps"),
        (PROGRAM, ["stone1", "move2"], "/cards/1: 'move2' is not among the choices"),
        (PROGRAM, ["move1", "move1"], "/cards/1: 'move1' has been chosen already"),
        (PROGRAM, ["stone1", "stone2"], "stones: 2 is not from 0 to 1"),
        (PAYMENT, [4, 0], "/payment/koku: 4 is not a number from 0 to 3"),
        (PAYMENT, [True, 1], "/payment/koku: True is not a number"),
        (PAYMENT, [1, 0], "all: 1 is not at least 2"),
        (POINT, [17], "/x, /y: 17 is no pair"),
        (POINT, [(1, 2, 3)], "is no pair"),
    ],
    ids=str,
)
def test_what_the_hint_does_not_allow_is_refused(hint: Any, values: list[Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        fill(template(hint), values)


def test_each_action_and_template_comes_with_its_hint_and_its_words() -> None:
    legal = {
        "actions": [{"type": "pass"}, {"type": "sail"}],
        "action_hints": [{"group": "end"}, {"group": "go"}],
        "templates": [{"type": "pay"}],
        "template_hints": [PAYMENT],
        "action_texts": [{"key": "a"}, {"key": "b"}],
    }
    table: Any = {"legal": legal}
    passing: Any = ActionChoice({"type": "pass"}, {"group": "end"}, {"key": "a"})  # type: ignore[arg-type,typeddict-item]
    sailing: Any = ActionChoice({"type": "sail"}, {"group": "go"}, {"key": "b"})  # type: ignore[arg-type,typeddict-item]
    assert choices(table) == [passing, sailing, TemplateChoice({"type": "pay"}, PAYMENT, None)]


def test_who_has_nothing_to_decide_has_no_choices() -> None:
    table: Any = {"legal": None}
    assert choices(table) == []

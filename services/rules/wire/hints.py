"""Hints for people who choose an action, as protobuf messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, assert_never

from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.hints import Choice, ChooseStep, Hint, NumberStep, PointStep, Step, TemplateHint
from foldtable.rules.v1 import hints_pb2
from services.rpc.message_from import message_from

_action_hint: Final = message_from(hints_pb2.ActionHint, Hint)
_choice: Final = message_from(hints_pb2.Choice, Choice, value=lambda choice: encode(choice.value))
_choose: Final = message_from(
    hints_pb2.ChooseStep, ChooseStep, choices=lambda step: map(_choice, step.choices)
)
_number: Final = message_from(hints_pb2.NumberStep, NumberStep)
_point: Final = message_from(hints_pb2.PointStep, PointStep)


def _step(step: Step) -> hints_pb2.Step:
    match step:
        case ChooseStep():
            return hints_pb2.Step(choose=_choose(step))
        case NumberStep():
            return hints_pb2.Step(number=_number(step))
        case PointStep():
            return hints_pb2.Step(point=_point(step))
        case _:
            assert_never(step)


_template_hint: Final = message_from(
    hints_pb2.TemplateHint, TemplateHint, steps=lambda hint: map(_step, hint.steps)
)


def action_hints(game: AnyGame, view: Any, actions: Sequence[Any]) -> list[hints_pb2.ActionHint]:
    """Return how legal actions are presented to the seat whose view it is, in their order."""
    return [_action_hint(game.hint(view, action)) for action in actions]


def template_hints(game: AnyGame, view: Any, templates: Sequence[Any]) -> list[hints_pb2.TemplateHint]:
    """Return how templates are presented to the seat whose view it is, in their order."""
    return [_template_hint(game.template_hint(view, template)) for template in templates]

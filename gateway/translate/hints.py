"""Hints for people who choose an action, as the structs of REST."""

from __future__ import annotations

from typing import Final

from foldtable.rules.v1 import hints_pb2
from gateway.schemas.tables import hints
from gateway.translate.struct_of import struct_of

action_hint: Final = struct_of(hints.ActionHint, hints_pb2.ActionHint)
_choose: Final = struct_of(hints.ChooseStep, hints_pb2.ChooseStep)
_number: Final = struct_of(hints.NumberStep, hints_pb2.NumberStep)
_point: Final = struct_of(hints.PointStep, hints_pb2.PointStep)


def _steps(message: hints_pb2.TemplateHint) -> list[hints.Step]:
    steps: list[hints.Step] = []
    for step in message.steps:
        match step.WhichOneof("step"):
            case "choose":
                steps.append(_choose(step.choose))
            case "number":
                steps.append(_number(step.number))
            case "point":
                steps.append(_point(step.point))
            case None:
                pass  # a kind of step newer than this gateway
    return steps


template_hint: Final = struct_of(hints.TemplateHint, hints_pb2.TemplateHint, steps=_steps)

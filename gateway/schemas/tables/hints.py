"""Hints for people who choose an action."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Raw

from foldtable.rules.v1 import hints_pb2
from gateway.contract.mirror_of import Mirror, mirror_of


@mirror_of(hints_pb2.ActionHint)
class ActionHint(Mirror):
    pass


@mirror_of(hints_pb2.Choice)
class Choice(Mirror):
    value: Annotated[Raw, Meta(extra_json_schema={"type": ["string", "integer", "boolean", "null"]})]


@mirror_of(hints_pb2.ChooseStep, tag="choose")
class ChooseStep(Mirror):
    pass


@mirror_of(hints_pb2.NumberStep, tag="number")
class NumberStep(Mirror):
    pass


@mirror_of(hints_pb2.PointStep, tag="point")
class PointStep(Mirror):
    pass


Step = ChooseStep | NumberStep | PointStep


@mirror_of(hints_pb2.TemplateHint)
class TemplateHint(Mirror):
    steps: list[Step]

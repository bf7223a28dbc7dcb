"""Hints for people who choose an action."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Raw, Struct

ActionGroup = Annotated[str, Meta(examples=["build"])]
Pointer = Annotated[str, Meta(examples=["/cards/0"])]


class Cost(Struct, frozen=True, kw_only=True):
    resource: Annotated[str, Meta(examples=["koku"])]
    amount: int


class ActionHint(Struct, frozen=True, kw_only=True):
    group: ActionGroup
    targets: list[str]
    cost: list[Cost]


class Choice(Struct, frozen=True, kw_only=True):
    value: Annotated[Raw, Meta(extra_json_schema={"type": ["string", "integer", "boolean", "null"]})]
    name: str
    target: str
    limit: str


class ChooseStep(Struct, frozen=True, kw_only=True, tag_field="type", tag="choose"):
    field: Pointer
    choices: list[Choice]
    different: bool


class NumberStep(Struct, frozen=True, kw_only=True, tag_field="type", tag="number"):
    field: Pointer
    least: int
    most: int
    suggested: int
    name: str
    limit: str


class PointStep(Struct, frozen=True, kw_only=True, tag_field="type", tag="point"):
    field_x: Pointer
    field_y: Pointer
    board: str


Step = ChooseStep | NumberStep | PointStep


class Limit(Struct, frozen=True, kw_only=True):
    name: str
    least: int
    most: int | None


class TemplateHint(Struct, frozen=True, kw_only=True):
    group: ActionGroup
    steps: list[Step]
    limits: list[Limit]

"""Hints for people who choose an action."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Raw, Struct

ActionGroup = Annotated[
    str,
    Meta(
        description="Which actions belong together; its heading is the text `group.<group>`.",
        examples=["build"],
    ),
]
Pointer = Annotated[
    str,
    Meta(description="Where the value goes in the action: a JSON Pointer (RFC 6901).", examples=["/cards/0"]),
]
LimitName = Annotated[str, Meta(description="The limit that it counts against; empty: none.")]
CountedName = Annotated[
    str,
    Meta(
        description="What it is: its name is the text `component.<name>`; empty if the value speaks for itself."
    ),
]


class Cost(Struct, frozen=True, kw_only=True):
    """What the seat pays of one resource."""

    resource: Annotated[
        str, Meta(description="Its name is the text `component.<resource>`.", examples=["koku"])
    ]
    amount: Annotated[int, Meta(description="How much, at least 1.")]


class ActionHint(Struct, frozen=True, kw_only=True):
    """How an action is presented to a person."""

    group: ActionGroup
    targets: Annotated[
        list[str],
        Meta(
            description="Ids of places or pieces to touch, in this order; empty if the action concerns none. The texts distinguish actions with the same targets."
        ),
    ]
    cost: Annotated[list[Cost], Meta(description="What the seat pays, as far as the rules fix it.")]


class Choice(Struct, frozen=True, kw_only=True):
    """A value to choose."""

    value: Annotated[
        Raw,
        Meta(
            description="The value.",
            extra_json_schema={"type": ["string", "integer", "boolean", "null"]},
        ),
    ]
    name: CountedName
    target: Annotated[str, Meta(description="The id of the place or the piece to touch for it; empty: none.")]
    limit: LimitName


class ChooseStep(Struct, frozen=True, kw_only=True, tag_field="type", tag="choose"):
    """One of several values is to be chosen."""

    field: Pointer
    choices: Annotated[list[Choice], Meta(description="The values.")]
    different: Annotated[
        bool,
        Meta(description="Whether the value must differ from those of all earlier steps that say so, too."),
    ]


class NumberStep(Struct, frozen=True, kw_only=True, tag_field="type", tag="number"):
    """A whole number is to be chosen."""

    field: Pointer
    least: Annotated[int, Meta(description="The least number.")]
    most: Annotated[int, Meta(description="The greatest number.")]
    suggested: Annotated[
        int,
        Meta(
            description="A number to begin with; all of them together make a legal action, if there is one to suggest."
        ),
    ]
    name: CountedName
    limit: LimitName


class PointStep(Struct, frozen=True, kw_only=True, tag_field="type", tag="point"):
    """A point of a board is to be touched; the template says where it may be."""

    field_x: Pointer
    field_y: Pointer
    board: Annotated[str, Meta(description="The id of the board, in whose units the point is given.")]


Step = ChooseStep | NumberStep | PointStep


class Limit(Struct, frozen=True, kw_only=True):
    """A bound over several steps: on the sum of the numbers and the count of the values that name it."""

    name: Annotated[str, Meta(description="As steps and choices name it.")]
    least: Annotated[int, Meta(description="The least sum.")]
    most: Annotated[int | None, Meta(description="The greatest sum; null: no bound.")]


class TemplateHint(Struct, frozen=True, kw_only=True):
    """How a template is presented to a person, and filled in: an object with its `type`, and the value of each step in its place.

    What steps and limits cannot express, such as the value of a payment, `dry_run` checks.
    """

    group: ActionGroup
    steps: Annotated[
        list[Step],
        Meta(
            description="What to choose, in this order. Objects and lists that the pointers name are made on the way."
        ),
    ]
    limits: Annotated[list[Limit], Meta(description="Bounds over several steps.")]


ActionHints = Annotated[
    list[ActionHint], Meta(description="How each action is presented to a person, in the same order.")
]
TemplateHints = Annotated[
    list[TemplateHint],
    Meta(description="How each template is presented to a person and filled in, in the same order."),
]

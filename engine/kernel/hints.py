"""Hints for people who choose an action: what belongs together, what to touch, what it costs, how to fill in a template.

A hint is made from the view of the seat that chooses, so it knows no more than that seat.
"""

from __future__ import annotations

import msgspec

Value = str | int | bool | None


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What the seat pays of one resource. Gains are not part of it."""

    resource: str
    """What is paid; its name is the text `component.<resource>`."""
    amount: int
    """How much, at least 1."""


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """How an action is presented to a person."""

    group: str
    """Which actions belong together; its heading is the text `group.<group>`."""
    targets: tuple[str, ...] = ()
    """Ids of places or pieces to touch, in this order; empty if the action concerns none. Two actions of one list may have the
    same targets; their texts distinguish them."""
    cost: tuple[Cost, ...] = ()
    """What the seat pays for it, as far as the rules fix it."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A value to choose."""

    value: Value
    """The value."""
    name: str = ""
    """What it is: a name of the catalogue, `component.<name>`; empty if the value speaks for itself."""
    target: str = ""
    """The id of the place or the piece to touch for it; empty: none."""
    limit: str = ""
    """The limit that it counts against; empty: none."""


class ChooseStep(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="choose"):
    """One of several values is to be chosen."""

    field: str
    """Where the value goes in the action: a JSON Pointer (RFC 6901), such as `/cards/0`."""
    choices: tuple[Choice, ...]
    """The values."""
    different: bool = False
    """Whether the value must differ from those of all earlier steps that say so, too."""


class NumberStep(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="number"):
    """A whole number is to be chosen."""

    field: str
    """Where the number goes in the action: a JSON Pointer (RFC 6901)."""
    least: int
    """The least number."""
    most: int
    """The greatest number."""
    suggested: int
    """A number to begin with. All suggested numbers together make a legal action, if there is one to suggest."""
    name: str = ""
    """What is counted: a name of the catalogue, `component.<name>`."""
    limit: str = ""
    """The limit that the number counts against; empty: none."""


class PointStep(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="point"):
    """A point of a board is to be touched; the template says where it may be."""

    field_x: str
    """Where the x of the point goes in the action: a JSON Pointer (RFC 6901)."""
    field_y: str
    """Where the y of the point goes in the action."""
    board: str
    """The id of the board, in whose units the point is given."""


Step = ChooseStep | NumberStep | PointStep


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """A bound over several steps: on the sum of the numbers and the count of the values that name it."""

    name: str
    """The name that steps and choices refer to."""
    least: int = 0
    """The least sum."""
    most: int | None = None
    """The greatest sum; absent: no bound."""


class TemplateHint(msgspec.Struct, frozen=True, kw_only=True):
    """How a template is presented to a person, and filled in.

    The action is `{"type": <the template's type>}` with the value of each step put in its place. What the steps and limits
    cannot express, such as the value of a payment, the rules check: `dry_run` asks them.
    """

    group: str
    """As in `Hint`."""
    steps: tuple[Step, ...]
    """What to choose, in this order. Objects and lists that the pointers name are made on the way."""
    limits: tuple[Limit, ...] = ()
    """Bounds over several steps."""

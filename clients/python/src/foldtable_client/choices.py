"""What a seat may choose from at a table: each action with its hint and its words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat

from foldtable_client import types


@dataclass(frozen=True)
class ActionChoice:
    """An action, to be made as it is."""

    action: types.Action
    hint: types.ActionHint
    text: types.Text | None
    """What to call it; None unless a language was asked for."""


@dataclass(frozen=True)
class TemplateChoice:
    """A set of actions too large to list: `fill` makes one of them."""

    template: types.Template
    hint: types.TemplateHint
    text: types.Text | None
    """What to call it; None unless a language was asked for."""


Choice = ActionChoice | TemplateChoice


def choices(table: types.Table) -> list[Choice]:
    """Return all that the seat may do, the actions first; nothing if it has nothing to decide."""
    legal = table["legal"]
    if legal is None:
        return []
    listed = map(ActionChoice, legal["actions"], legal["action_hints"], _texts(legal.get("action_texts")))
    described = map(
        TemplateChoice, legal["templates"], legal["template_hints"], _texts(legal.get("template_texts"))
    )
    return [*listed, *described]


def _texts(texts: list[types.Text] | None) -> Iterable[types.Text | None]:
    return texts or repeat(None)

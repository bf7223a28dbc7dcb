"""Base classes of what is written down: actions, events, options, views.

All are frozen structs. Subclasses repeat `frozen=True, kw_only=True` (mypy asks for the first, msgspec
does not inherit the second) and choose a `tag` once: it is the wire name for ever, never the class path.
"""

from __future__ import annotations

import msgspec


class Action(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """What a seat asks for, in the imperative. Unknown fields are refused: they hide misunderstandings."""


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """What happened, in the past tense, with final numbers. A new field gets a default; a new meaning, a new tag."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is chosen before the start. Every field has a default, so `{}` is a playable game."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What an audience may see, built up field by field from an allow-list, never by taking things away."""


class Template(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """A set of legal actions too large to list, told by its domain. The tag is the tag of the actions it stands for."""

"""Base classes of the data that is stored or sent: actions, events, options, views.

All are frozen structs. Subclasses repeat `frozen=True, kw_only=True` (mypy requires the first, msgspec
does not inherit the second) and choose a `tag` once: it is the permanent wire name, never the class path.
"""

from __future__ import annotations

import msgspec


class Action(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """A seat's request, named in the imperative. Unknown fields are refused, because they may hide a misunderstanding."""


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Something that happened, named in the past tense, with final numbers. A new field gets a default; a new meaning, a new tag."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices before the start. Every field has a default, so `{}` is valid."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What an audience may see. It is built field by field from an allow-list, never by removing hidden fields."""


class Template(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """A set of legal actions too large to list, described by its domain. Its tag is the tag of those actions."""

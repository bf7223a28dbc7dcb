"""A text: the key of a message and its arguments.

>>> Text("event.round_started", {"round": 3, "first_player": Text("seat", {"seat": 1})}).key
'event.round_started'
"""

from __future__ import annotations

from typing import Final

import msgspec

NONE: Final = "none"
"""The argument that stands for an absent, hidden or empty value; messages select by it."""


class Text(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message of the catalogue with its arguments. It contains no information that its record does not contain."""

    key: str
    """Such as `event.round_started`, `component.port`, `refusal.NOT_YOUR_TURN`."""
    args: dict[str, int | str | Text | tuple[Text, ...]] = {}
    """Each is a number; a word that the message selects by or inserts unchanged; a text; or several texts."""

"""A text: the key of a message and the arguments that belong into it.

>>> Text("event.round_started", {"round": 3, "first_player": Text("seat", {"seat": 1})}).key
'event.round_started'
"""

from __future__ import annotations

from typing import Final

import msgspec

NONE: Final = "none"
"""The argument that stands for what is absent, hidden or empty; messages select by it."""


class Text(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message of the catalogue with its arguments. It holds nothing that the record it was made of does not hold."""

    key: str
    """Such as `event.round_started`, `component.port`, `refusal.NOT_YOUR_TURN`."""
    args: dict[str, int | str | Text | tuple[Text, ...]] = {}
    """A number; a word that the message selects by, or that stays as it is; a text; or several texts."""

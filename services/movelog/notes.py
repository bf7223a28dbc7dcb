"""What a platform notes about a match: a reference of its own, and metadata. Nothing of it is part of the match or of its log.

Notes have a table of their own, because moves rewrite the row of a match, and most matches have no notes.
"""

from __future__ import annotations

from typing import Final

import msgspec

NO_METADATA: Final = b"{}"


class Notes(msgspec.Struct, frozen=True, kw_only=True):
    """The notes about a match. Only its tenant sees them."""

    reference: str = ""
    """Unique among the tenant's matches; empty: none."""
    metadata: bytes = NO_METADATA
    """A JSON object without white space, its names in order."""

    @property
    def is_empty(self) -> bool:
        return not self.reference and self.metadata == NO_METADATA


NO_NOTES: Final = Notes()

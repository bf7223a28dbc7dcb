"""What a platform notes about a match: a reference of its own, and metadata. Nothing of it is part of the match or of its log.

Notes have a table of their own, because moves rewrite the row of a match, and most matches have no notes.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from services.movelog.records import Visibility

NO_METADATA: Final = b"{}"


class Notes(msgspec.Struct, frozen=True, kw_only=True):
    """The notes about a match. Only its tenant sees them."""

    reference: str = ""
    """Unique among the tenant's matches; empty: none."""
    metadata: bytes = NO_METADATA
    """A JSON object without white space, its names in order."""

    changed: bool = False
    """The title, the visibility or the notes were changed since the match was created, so they differ from the creating request."""

    @property
    def is_empty(self) -> bool:
        return not self.reference and self.metadata == NO_METADATA


NO_NOTES: Final = Notes()


class MatchChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change of a match that is no move. None leaves a value unchanged."""

    title: str | None = None
    visibility: Visibility | None = None
    reference: str | None = None
    metadata: bytes | None = None
    """A merge patch (RFC 7396) of the metadata."""

    def noted(self, before: Notes) -> Notes:
        """Return the notes after this change."""
        return Notes(
            reference=before.reference if self.reference is None else self.reference,
            metadata=before.metadata if self.metadata is None else merged(before.metadata, self.metadata),
            changed=True,
        )


def merged(metadata: bytes, patch: bytes) -> bytes:
    """Return metadata after a merge patch (RFC 7396); `null` in place of an object removes everything."""
    change = msgspec.json.decode(patch)
    after = {} if change is None else _merged(msgspec.json.decode(metadata), change)
    return msgspec.json.encode(after, order="sorted")


def _merged(target: Any, patch: Any) -> Any:
    """Apply a merge patch as RFC 7396 §2 says. Both are bounded in depth."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = _merged(result.get(name), value)
    return result

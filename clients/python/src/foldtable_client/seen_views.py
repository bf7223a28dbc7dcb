"""The entity tags of views: by a tag, the API knows what the caller has, and for whom it was."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final, NamedTuple

MAX_VIEWS: Final = 1_000
"""Views whose tags are remembered. Of the others a whole view is transferred once more."""


class Eyes(NamedTuple):
    """A match, and whose view of it."""

    match_id: str
    seat: int | None
    audience: str | None


class SeenViews:
    """Remembers of each view its newest version and tag. Safe to share between threads."""

    def __init__(self) -> None:
        self._seen: OrderedDict[Eyes, tuple[int, str]] = OrderedDict()
        self._lock = Lock()

    def tag_of(self, eyes: Eyes, version: int) -> str:
        """Return the tag of a version; empty if it is not remembered."""
        with self._lock:
            known, tag = self._seen.get(eyes, (None, ""))
        return tag if known == version else ""

    def remember(self, eyes: Eyes, version: int, tag: str) -> None:
        """Remember the tag of a view that was received, and forget the oldest one if there are too many."""
        with self._lock:
            self._seen[eyes] = version, tag
            self._seen.move_to_end(eyes)
            if len(self._seen) > MAX_VIEWS:
                self._seen.popitem(last=False)

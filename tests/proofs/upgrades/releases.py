"""The releases there were, as far as the database can tell them apart: the last code of each schema.

A release that brings a step of the schema is added here with the next one that brings another, and gets its sample
(`python -m tests.proofs.upgrades.write_sample`). Steps between two rows were never released by themselves: a migration takes all
steps in one transaction, so no database rests there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from services.postgres.database import REVISION


@dataclass(frozen=True)
class Release:
    """The last code that was written for a schema."""

    revision: str
    """Its `services.postgres.database.REVISION`."""
    commit: str
    """Where it is in this repository's history."""


RELEASES: Final = (
    Release("0001", "b32ba7ed3a1bd40e8aac3ee41b702ef4ce6da3cb"),
    Release("0004", "39578a9bd98a6e3b4ad88ead62f4f09e19cb4297"),
    Release("0005", "d8617a306e6598d6d774657151bf85e9da36d758"),
    Release("0007", "b586061de015ad0a92e1cd3419e9e086d6f0b47f"),
    Release("0010", "5fc16978a028a2d5cd19c5b55687c69d74fa7d78"),
    Release("0011", "b7fd15c7659720be419b26a4066bc7b1521f7f9c"),
)
"""Oldest first."""

PREVIOUS: Final = max(
    (one for one in RELEASES if one.revision < REVISION), key=lambda release: release.revision
)
"""The release before this one: what a rolling update finds running."""


def release_of(revision: str) -> Release:
    """Return the release of a schema; KeyError with those there are."""
    for one in RELEASES:
        if one.revision == revision:
            return one
    raise KeyError(f"no release of {revision}; there are: {', '.join(one.revision for one in RELEASES)}")

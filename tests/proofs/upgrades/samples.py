"""What is kept of each release: the rows its own code wrote, and what that code said of them.

`tests/migrations/samples/<revision>/` holds `rows.jsonl` (see rows.py), `told.json` (see `Told`), and the exports of the
release: `ended.match.json` of a match that was over, `running.match.json` as a seat could have it. They are never written
anew: they are what an old database looks like.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from tests.proofs.upgrades.rows import MatchCache, read

SAMPLES: Final = Path(__file__).parents[2] / "migrations" / "samples"


class ToldMatch(msgspec.Struct, frozen=True, kw_only=True):
    """What a release's gateway said of a match when its rows were taken."""

    scene: str
    """See scenes.py."""
    match_id: str
    goes_on: bool
    """Somebody is to act; it is to be played on."""
    document: dict[str, Any]
    """`GET /v1/matches/{id}`."""
    view: dict[str, Any] | None
    """`GET /v1/matches/{id}/view` of seat 0; None before the start."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be known of a sample."""

    revision: str
    commit: str
    """Of the code that wrote it."""
    key: str
    """An API key of the tenant. It opens nothing but this sample."""
    webhook_key: str
    """The key its endpoints' secrets are sealed with."""
    matches: tuple[ToldMatch, ...]
    feed: tuple[dict[str, Any], ...] = ()
    """The tenant's events, as `GET /v1/events` and webhooks give them."""


class Sample:
    """One release's."""

    def __init__(self, revision: str) -> None:
        self.folder = SAMPLES / revision
        self.revision = revision

    @property
    def told(self) -> Told:
        return msgspec.json.decode((self.folder / "told.json").read_bytes(), type=Told)

    @property
    def rows(self) -> MatchCache:
        return read(self.folder / "rows.jsonl")

    @property
    def exports(self) -> tuple[Path, ...]:
        return tuple(sorted(self.folder.glob("*.match.json")))


def stored() -> list[str]:
    """Return the revisions of which there is a sample."""
    return sorted(folder.name for folder in SAMPLES.iterdir() if folder.is_dir())

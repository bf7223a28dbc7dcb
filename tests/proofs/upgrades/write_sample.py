"""Write what a release's own code leaves in a database: `python -m tests.proofs.upgrades.write_sample 0007`.

The release is taken from the history, migrates an empty Postgres with its own steps, and its own services are played on
over REST. What is there already is never written anew.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import psycopg

from services.embedded_postgres import EmbeddedPostgres
from tests.proofs.upgrades.client import Client
from tests.proofs.upgrades.old_code import check_out, revision_of, run_python
from tests.proofs.upgrades.releases import RELEASES, Release, release_of
from tests.proofs.upgrades.rows import MatchCache, dump, write
from tests.proofs.upgrades.samples import Sample, Told, ToldMatch
from tests.proofs.upgrades.scenes import Played, Scene, play_all
from tests.proofs.upgrades.systems import Keys, issue_key, new_keys, services

UNLOGGED = ("stream_tickets",)
"""Good for a minute, and gone after a crash: nobody misses them."""
FEED = "0010"
"""The first release with a feed."""
FAR_AWAY = "2126-01-01 00:00:00+00"
FIRST_TRANSACTION = 10
"""Every database has had more: the number of a transaction means nothing in another database but «over»."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.upgrades.write_sample", description=__doc__)
    parser.add_argument("revision", choices=[one.revision for one in RELEASES])
    release = release_of(parser.parse_args().revision)
    sample = Sample(release.revision)
    if sample.folder.exists():
        sys.exit(f"{sample.folder} is there; samples are never written anew")
    with tempfile.TemporaryDirectory() as workplace:
        place = Path(workplace)
        place.chmod(0o755)  # run as root, Postgres becomes another user, who must get here
        _write(release, sample, place)


def _write(release: Release, sample: Sample, place: Path) -> None:
    code = place / "code"
    code.mkdir()
    check_out(release.commit, code)
    assert revision_of(code) == release.revision
    with EmbeddedPostgres(place / "postgres") as postgres:
        run_python(code, "-m", "migrations", database_url=postgres.url)
        key, keys = issue_key(code, postgres.url), new_keys(place)
        with (
            services(release.revision, code, postgres.url, keys) as running,
            Client(running.url, key) as client,
        ):
            played = play_all(client, release.revision)
            told = _told(release, client, key, keys, played)
            exports = _exports(client, played)
        with psycopg.connect(postgres.url) as connection:
            tables = _portable(dump(connection, but=UNLOGGED))
    sample.folder.mkdir(parents=True)
    write(sample.folder / "rows.jsonl", tables)
    (sample.folder / "told.json").write_bytes(msgspec.json.encode(told) + b"\n")
    for name, document in exports.items():
        (sample.folder / f"{name}.match.json").write_bytes(document)


def _told(release: Release, client: Client, key: str, keys: Keys, played: Played) -> Told:
    return Told(
        revision=release.revision,
        commit=release.commit,
        key=key,
        webhook_key=keys.webhook.read_text().strip(),
        matches=tuple(_told_match(client, scene) for scene in played),
        feed=_feed(client) if release.revision >= FEED else (),
    )


def _feed(client: Client) -> tuple[dict[str, Any], ...]:
    """Read every page of the tenant's events."""
    events: list[dict[str, Any]] = []
    page = client.get("/events")
    while page["events"]:
        events += page["events"]
        page = client.get("/events", after=page["cursor"])
    return tuple(events)


def _told_match(client: Client, scene: Scene) -> ToldMatch:
    document: dict[str, Any] = client.get(f"/matches/{scene.match_id}")
    begun = document["version"] > 0
    view = client.get(f"/matches/{scene.match_id}/view", seat=0) if begun else None
    return ToldMatch(
        scene=scene.name,
        match_id=scene.match_id,
        goes_on=scene.goes_on,
        document=document,
        view=view,
    )


def _exports(client: Client, played: Played) -> dict[str, bytes]:
    """Return a whole match as the release exported it, and a running one as its seat 0 could have it."""
    ids = {scene.name: scene.match_id for scene in played}
    ended = client.ask("GET", f"/matches/{ids['ended_al_rashid']}/export")
    running = client.ask("GET", f"/matches/{ids['running_river_dragons']}/export", params={"seat": 0})
    return {"ended": ended.content, "running": running.content}


def _portable(tables: MatchCache) -> MatchCache:
    """Number the transactions of the feed anew, in their order, below those every database has behind it.

    And give clocks that run a century: what is tested is that they go on, not how long ago the sample was written.
    """
    rows = tables.get("events", [])
    numbers = {
        number: place for place, number in enumerate(sorted({int(row["transaction"]) for row in rows}))
    }
    for row in rows:
        row["transaction"] = str(FIRST_TRANSACTION + numbers[int(row["transaction"])])
    for row in tables.get("clocks", []):
        row["deadline_at"] = row["deadline_at"] and FAR_AWAY
    return tables


if __name__ == "__main__":
    main()

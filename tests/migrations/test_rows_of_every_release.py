"""Databases as every release left them, brought to the newest schema: nothing is lost, and everything goes on."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from rules_stack import Player

from foldtable.matches.v1 import match_pb2, match_service_pb2
from foldtable.rules.v1 import table_pb2
from migrations.migrate import downgrade, migrate
from services.movelog.events import EventType
from services.movelog.postgres.log import PostgresLog
from services.postgres.database import DatabaseSettings
from services.webhooks.cloud_events import cloud_event
from services.webhooks.vault import read_vault
from tests.migrations.conftest import Served
from tests.proofs.upgrades.releases import RELEASES
from tests.proofs.upgrades.rows import MatchCache, Row, dump
from tests.proofs.upgrades.samples import Sample, ToldMatch, stored
from tests.support.documents import ROOT

PAGE = ROOT / "docs" / "run" / "upgrading.md"
SEAT_0 = table_pb2.Audience(kind=table_pb2.Audience.KIND_SEAT, seat=0)
SOME_MOVES = 4
NOT_KEPT = ("schema_support",)
"""Says what code the schema is for; steps write it."""


def rows_of(url: str) -> MatchCache:
    with psycopg.connect(url) as connection:
        return dump(connection, but=NOT_KEPT)


def as_it_was(row: Row, columns: Row) -> bytes:
    """Return what a row says in the columns there were."""
    return msgspec.json.encode({name: row[name] for name in columns if name in row})


def lost(before: MatchCache, after: MatchCache) -> list[str]:
    """Name each row that is not there any more with every value it had. New rows and new columns are fine."""
    missing = []
    for table, rows in before.items():
        kept = Counter(as_it_was(row, rows[0]) for row in after.get(table, [])) if rows else Counter()
        wanted = Counter(as_it_was(row, row) for row in rows)
        missing += [f"{table}: {row.decode()}" for row in (wanted - kept)]
    return missing


def contained(old: Any, new: Any, place: str = "$") -> list[str]:
    """Name each place where something that was said is not said any more. What is new may be added."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            problem
            for name, value in old.items()
            for problem in (
                contained(value, new[name], f"{place}.{name}") if name in new else [f"{place}.{name} is gone"]
            )
        ]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            problem
            for number, (was, now) in enumerate(zip(old, new, strict=True))
            for problem in contained(was, now, f"{place}[{number}]")
        ]
    return [] if old == new else [f"{place}: {old!r} is now {new!r}"]


def test_every_released_schema_has_its_sample() -> None:
    assert stored() == [release.revision for release in RELEASES]


def test_every_row_is_kept_and_the_way_back_gives_the_release_its_rows_again(
    sample: Sample, old_url: str
) -> None:
    before = rows_of(old_url)
    assert {name for name, rows in before.items() if rows} >= {
        "tenants",
        "api_keys",
        "matches",
        "seats",
        "moves",
    }
    migrate(old_url)
    assert lost(before, rows_of(old_url)) == []
    downgrade(old_url, sample.revision)
    assert rows_of(old_url) == before


async def verified(tenant: Player, match_id: str) -> str:
    """Return what verifying a match finds wrong."""
    answer = await tenant.call("VerifyMatch", match_service_pb2.VerifyMatchRequest(match_id=match_id))
    if not answer.ok:
        return f"{answer.difference_version}: {answer.difference}"
    ended = (await tenant.get(match_id)).status == match_pb2.MATCH_STATUS_ENDED
    return f"not decided again: {answer.unchecked}" if ended and not answer.decided_again else ""


async def play_on(tenant: Player, match_id: str) -> None:
    """Make some moves."""
    for _ in range(SOME_MOVES):
        match = await tenant.get(match_id)
        if match.to_act:
            await tenant.any_move(match_id, match.to_act[0])


async def stands_as_it_did(tenant: Player, told: ToldMatch) -> None:
    """The match is where the release left it, and seat 0 sees what it saw."""
    match = await tenant.get(told.match_id)
    status = match_pb2.MatchStatus.Name(match.status).removeprefix("MATCH_STATUS_").lower()
    assert (match.version, status) == (told.document["version"], told.document["status"]), told.scene
    assert list(match.to_act) == told.document["to_act"], told.scene
    if told.view is not None:
        view = await tenant.view(told.match_id, audience=SEAT_0)
        assert contained(told.view["view"], msgspec.json.decode(view.view.json)) == [], told.scene


async def last_player_comes(tenant: Player, match_id: str) -> None:
    """The match that waited begins, and is played."""
    await tenant.call("JoinMatch", match_service_pb2.JoinMatchRequest(match_id=match_id, player="bob"))
    await play_on(tenant, match_id)
    assert (await tenant.get(match_id)).version == 1 + SOME_MOVES
    assert await verified(tenant, match_id) == ""


async def end(tenant: Player, match_id: str) -> None:
    """A seat leaves: the match ends as a new one does."""
    await tenant.call("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=match_id, seat=1))
    assert (await tenant.get(match_id)).status == match_pb2.MATCH_STATUS_ENDED
    assert await verified(tenant, match_id) == ""


async def test_matches_stand_as_they_did_verify_and_go_on(
    sample: Sample, old_url: str, served: Served
) -> None:
    """The tenant comes with the key it had. Each match folds to the hashes in its rows, and is decided again by its own rules."""
    migrate(old_url)
    told = sample.told
    async with served(old_url, told.key) as tenant:
        for one in told.matches:
            await stands_as_it_did(tenant, one)
            if one.document["version"] > 0:
                assert await verified(tenant, one.match_id) == "", one.scene
            if one.goes_on:
                await play_on(tenant, one.match_id)
                assert (await tenant.get(one.match_id)).version > one.document["version"], one.scene
                assert await verified(tenant, one.match_id) == "", one.scene
            if one.scene == "waiting":
                await last_player_comes(tenant, one.match_id)
            if one.scene.startswith("running_"):
                await end(tenant, one.match_id)


WITH_FEED = [revision for revision in stored() if Sample(revision).told.feed]


@pytest.mark.parametrize("sample", WITH_FEED, indirect=True)
async def test_the_feed_tells_what_it_told_and_endpoints_keep_their_secrets(
    sample: Sample, old_url: str, tmp_path: Path
) -> None:
    """The same events, in the same order, under the same ids; nothing that is still to be delivered is forgotten."""
    migrate(old_url)
    async with await PostgresLog.open(DatabaseSettings(old_url)) as log:
        assert await log.events.recorded("acme") <= set(EventType)
        told = await log.events.read("acme", limit=1_000)
    events = [msgspec.json.decode(cloud_event(one.event)) for one in told]
    assert contained(list(sample.told.feed), events) == []

    key = tmp_path / "webhook_key"
    key.write_text(sample.told.webhook_key)
    with psycopg.connect(old_url) as connection:
        sealed = connection.execute("SELECT secret FROM webhook_endpoints").fetchall()
        waiting = connection.execute(
            "SELECT count(*) FROM webhook_deliveries WHERE state = 'pending'"
        ).fetchone()
    assert [read_vault(key).open(secret)[:6] for (secret,) in sealed] == ["whsec_"]
    assert waiting == (len(sample.told.feed),)


@pytest.mark.parametrize("sample", WITH_FEED[-1:], indirect=True)
async def test_a_dump_read_into_another_postgres_tells_its_events_after_what_the_page_says(
    sample: Sample, old_url: str
) -> None:
    """Transaction numbers begin again there: what has a higher one than any yet is not told."""
    migrate(old_url)
    statements = re.findall(r'-c "(UPDATE .*?)"', PAGE.read_text())
    with psycopg.connect(old_url) as connection:
        connection.execute("UPDATE events SET transaction = '900000000000'")
        connection.execute(
            "UPDATE recorded_events SET pruned_transaction = '900000000000', pruned_number = 1"
        )
    async with await PostgresLog.open(DatabaseSettings(old_url)) as log:
        assert await log.events.read("acme", limit=1_000) == []
        with psycopg.connect(old_url) as connection:
            for statement in statements:
                connection.execute(statement)
        told = await log.events.read("acme", limit=1_000)
    assert [str(one.event.id) for one in told] == [event["id"] for event in sample.told.feed]

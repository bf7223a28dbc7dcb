"""Events that are taken away are named, wherever pages are cut; those that a tenant did not want, or that are forgotten, are not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from services.audit import outbox
from services.audit.findings import Finding
from services.movelog.events import EventType
from tests.services.audit.conftest import DRAGONS
from tests.support.auditing import audit
from tests.support.played_matches import TENANT, Playing, played

EARLIER = (EventType.MATCH_STARTED, EventType.MOVE_APPLIED)


async def _two_at_once(playing: Playing) -> None:
    """Their events stand between each other's."""
    await asyncio.gather(*[playing.match(number, 10, ends=True) for number in (DRAGONS, DRAGONS + 3)])


@pytest.fixture
def two(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    asyncio.run(played(database_url, _two_at_once))
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


def ids(two: psycopg.Connection[Any]) -> list[Any]:
    """The matches, the one that ended first before the other."""
    ended = two.execute("SELECT match_id FROM events WHERE type = 'match.ended' ORDER BY number")
    return [row[0] for row in ended]


def places(findings: list[Finding]) -> list[tuple[Any, int | None]]:
    assert {(one.table, one.column, one.certain) for one in findings} == {("events", "number", True)}
    return sorted((one.match_id, one.seq) for one in findings)


@pytest.mark.parametrize("page", [3, 5_000])
def test_each_of_several_is_named(
    two: psycopg.Connection[Any], database_url: str, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(outbox, "READ_AT_ONCE", page)
    taken = two.execute(
        """DELETE FROM events USING events AS turn
        WHERE events.type = 'move.applied' AND turn.type = 'turn.started' AND turn.match_id = events.match_id
          AND turn.version = events.version
        RETURNING events.match_id, events.version"""
    ).fetchall()
    assert len({match for match, _ in taken}) == 2
    assert len(taken) > 4
    assert places(audit(database_url).findings) == sorted({*taken})


def test_the_end_of_a_match_is_missed(two: psycopg.Connection[Any], database_url: str) -> None:
    _, later = ids(two)
    two.execute("DELETE FROM events WHERE match_id = %s AND type = 'match.ended'", (later,))
    (found,) = audit(database_url).findings
    assert found.certain
    assert (found.match_id, found.what) == (later, "match.ended is missing")


def test_a_missing_event_of_a_type_not_written_before_is_only_doubtful(
    two: psycopg.Connection[Any], database_url: str
) -> None:
    earlier, _ = ids(two)
    two.execute("DELETE FROM events WHERE match_id = %s AND type = 'match.ended'", (earlier,))
    (found,) = audit(database_url).findings
    assert not found.certain
    assert found.what == "match.ended is missing, unless the tenant did not want it yet"


async def test_what_a_tenant_wants_only_later_is_no_certain_finding(database_url: str) -> None:
    async def first(playing: Playing) -> None:
        await playing.match(DRAGONS, 10, ends=True)

    async def second(playing: Playing) -> None:
        await playing.match(DRAGONS + 3, 10, ends=True)

    await played(database_url, first, types=EARLIER)
    await played(database_url, second, seed=2)
    tally = audit(database_url)
    assert tally.wrong == 0
    assert {one.what.split(",")[0] for one in tally.findings} == {
        "match.ended is missing",
        "turn.started is missing",
    }


@pytest.mark.parametrize("forgotten", [True, False])
def test_what_is_forgotten_is_not_missed(
    two: psycopg.Connection[Any], database_url: str, forgotten: bool
) -> None:
    """Forgetting goes by number, and may stop within a move; without a word of it in the database, that was somebody else."""
    numbers = [row[0] for row in two.execute("SELECT number FROM events ORDER BY number LIMIT 12")]
    wrong = 0
    for number in numbers:
        two.execute("DELETE FROM events WHERE number <= %s", (number,))
        if forgotten:
            two.execute("UPDATE recorded_events SET pruned_number = %s WHERE tenant = %s", (number, TENANT))
        wrong += audit(database_url).wrong
    assert (wrong > 0) != forgotten


@pytest.mark.parametrize("page", [3, 5_000])
def test_an_event_written_twice_is_named_however_far_apart(
    two: psycopg.Connection[Any], database_url: str, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(outbox, "READ_AT_ONCE", page)
    two.execute(
        """INSERT INTO events (tenant, match_id, type, version, seat, to_act, recorded_at)
        SELECT tenant, match_id, type, version, seat, to_act, recorded_at FROM events
        WHERE type = 'move.applied' AND version = 5 ORDER BY number LIMIT 1"""
    )
    assert [one.column for one in audit(database_url).findings] == ["number or transaction"]

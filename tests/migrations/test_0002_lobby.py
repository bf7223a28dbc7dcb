"""The step to seats with rows of their own: what was stored before it, and the release before on top of it."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import psycopg
import pytest

from migrations.migrate import migrate

OPEN, RUNNING, ENDED = (UUID(int=number) for number in (1, 2, 3))

OLD_MATCH = """
INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, secret,
                     commitment, status, seats_to_act)
VALUES (%s, now(), '2026-03-01 12:34:56.789+00', %s, 3, 'harbour', 'harbour', '1', '{}', 's', 'c', %s, '{}')
"""
OLD_SEAT = "INSERT INTO seats (match_id, seat, player, generation) VALUES (%s, %s, %s, 2)"


def before(connection: psycopg.Connection) -> None:
    """Store matches as the release before did: rows for taken seats only."""
    for match_id, version, status, players in (
        (OPEN, 0, "waiting", ("ann",)),
        (RUNNING, 5, "running", ("ann", "", "ruth")),
        (ENDED, 9, "ended", ("ann", "omar", "ruth")),
    ):
        connection.execute(OLD_MATCH, (match_id, version, status))
        for seat, player in enumerate(players):
            connection.execute(OLD_SEAT, (match_id, seat, player))


@pytest.fixture
def upgraded(empty_database_url: str) -> Iterator[psycopg.Connection]:
    migrate(empty_database_url, "0001")
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        before(connection)
        migrate(empty_database_url, "0002")
        yield connection


def seats(connection: psycopg.Connection, match_id: UUID) -> list[tuple[object, ...]]:
    return connection.execute(
        "SELECT seat, tenant, match_open, state, player, name, generation, invite_generation, joined_by "
        "FROM seats WHERE match_id = %s ORDER BY seat",
        (match_id,),
    ).fetchall()


def test_taken_seats_stay_taken_and_open_ones_get_rows(upgraded: psycopg.Connection) -> None:
    assert seats(upgraded, OPEN) == [
        (0, "harbour", True, "taken", "ann", "", 2, 0, "created"),
        (1, "harbour", True, "open", "", "", 0, 0, "created"),
        (2, "harbour", True, "open", "", "", 0, 0, "created"),
    ]
    assert [row[3:5] for row in seats(upgraded, RUNNING)] == [
        ("taken", "ann"),
        ("taken", ""),
        ("taken", "ruth"),
    ]


def test_seats_of_ended_matches_are_out_of_play(upgraded: psycopg.Connection) -> None:
    assert [row[2] for row in seats(upgraded, ENDED)] == [False, False, False]
    assert [row[2] for row in seats(upgraded, RUNNING)] == [True, True, True]


def test_matches_are_private_and_start_when_they_are_full(upgraded: psycopg.Connection) -> None:
    found = upgraded.execute(
        "SELECT DISTINCT visibility, start, title, rematch_of, watch_generation, "
        "to_char(active_minute AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') FROM matches"
    ).fetchall()
    assert found == [("private", "when_full", "", None, 0, "2026-03-01 12:34:00.000")]


def test_the_release_before_writes_on_the_new_schema(upgraded: psycopg.Connection) -> None:
    match_id = UUID(int=4)
    upgraded.execute(OLD_MATCH, (match_id, 0, "waiting"))
    upgraded.execute(OLD_SEAT, (match_id, 1, "ruth"))
    upgraded.execute("UPDATE matches SET version = 1, updated_at = now() WHERE id = %s", (match_id,))
    assert [row[2:5] for row in seats(upgraded, match_id)] == [(True, "taken", "ruth")]

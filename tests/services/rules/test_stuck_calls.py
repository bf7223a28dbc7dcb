"""What is refused, given what the database knows of calls that did not return."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID, uuid4

import psycopg
import pytest

from services.postgres.database import DatabaseSettings, open_pool
from services.process.reasons import Reason
from services.rules.marks import NOTHING, Work, of_action, of_match, of_request, read_work
from services.rules.watchdog.stuck_calls import RulesStuck, StuckCalls

GAME = "ladders"
INSERT = """
INSERT INTO stuck_calls (recorded_at, distribution, game, function, match_id, version, seat, action, digest)
VALUES (now() - %s::interval, %s, %s, 'decide', %s, %s, %s, %s, %s)
"""


class PlaceStone:
    """An action of a game."""


@pytest.fixture
async def stuck(database_url: str) -> AsyncIterator[StuckCalls]:
    async with await open_pool(DatabaseSettings(database_url), name="test", most=1) as pool:
        yield StuckCalls(pool, {GAME: "ladders 1.0", "mills": "mills 1.0"})


def record(
    url: str, work: Work, *, ago: timedelta = timedelta(), distribution: str = "ladders 1.0", game: str = GAME
) -> None:
    said = read_work(work)
    with psycopg.connect(url) as connection:
        facts = (said.match_id, said.version, said.seat, said.action, said.digest)
        connection.execute(INSERT, (ago, distribution, game, *facts))


def action(match_id: UUID, body: bytes, *, seat: int = 0, secret: bytes = bytes(32)) -> Work:
    return of_action(match_id, secret, 7, seat, PlaceStone(), body)


def refused(stuck: StuckCalls, work: Work, game: str = GAME) -> bool:
    try:
        stuck.refuse(game, work)
    except RulesStuck as refusal:
        return (refusal.reason, refusal.metadata) == (Reason.RULES_STUCK, {"game": game})
    return False


async def test_an_action_is_refused_for_its_seat_of_its_match_and_nothing_else(
    stuck: StuckCalls, database_url: str
) -> None:
    match_id = uuid4()
    record(database_url, action(match_id, b"left"))
    await stuck.load()
    assert refused(stuck, action(match_id, b"left"))
    for other in (
        action(match_id, b"right"),
        action(match_id, b"left", seat=1),
        action(uuid4(), b"left"),
        of_match(match_id),
        NOTHING,
    ):
        assert not refused(stuck, other)


async def test_three_actions_stop_their_match(stuck: StuckCalls, database_url: str) -> None:
    match_id = uuid4()
    for body in (b"1", b"2", b"3"):
        assert not refused(stuck, of_match(match_id))
        record(database_url, action(match_id, body))
        await stuck.load()
    assert refused(stuck, of_match(match_id))
    assert stuck.matches == [match_id]
    assert not refused(stuck, of_match(uuid4()))


async def test_a_match_and_a_request_without_one_are_refused(stuck: StuckCalls, database_url: str) -> None:
    match_id = uuid4()
    record(database_url, of_match(match_id))
    record(database_url, of_request("FoldEvents", b"events"))
    await stuck.load()
    assert refused(stuck, of_match(match_id))
    assert refused(stuck, action(match_id, b"left"))
    assert refused(stuck, of_request("FoldEvents", b"events"))
    assert not refused(stuck, of_request("FoldEvents", b"others"))
    assert not refused(stuck, of_request("GetView", b"events"))


async def test_five_times_in_an_hour_stop_a_game_until_the_hour_is_over(
    stuck: StuckCalls, database_url: str
) -> None:
    for _ in range(4):
        record(database_url, of_match(uuid4()))
    record(database_url, of_match(uuid4()), ago=timedelta(minutes=61))
    await stuck.load()
    assert not refused(stuck, NOTHING)
    record(database_url, NOTHING)
    await stuck.load()
    assert refused(stuck, NOTHING)
    assert not refused(stuck, NOTHING, "mills")


async def test_another_version_of_the_package_is_tried_anew(stuck: StuckCalls, database_url: str) -> None:
    match_id = uuid4()
    record(database_url, of_match(match_id), distribution="ladders 0.9")
    await stuck.load()
    assert not refused(stuck, of_match(match_id))
    assert not stuck.any


def test_a_digest_tells_nothing_without_the_secret_of_the_match() -> None:
    match_id = uuid4()
    assert (
        read_work(action(match_id, b"left")).digest
        != read_work(action(match_id, b"left", secret=b"1" * 32)).digest
    )

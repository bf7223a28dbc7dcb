"""A log of each kind, and matches and moves to put into it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from services.movelog.chain import genesis_hash, row_hash
from services.movelog.log import MoveLog
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append, Match, Move, Status
from services.postgres.database import DatabaseSettings
from tests.support.memory_log.log import MemoryLog
from tests.support.new_matches import new_match


def _a_move(match: Match, seq: int = 1, previous: bytes | None = None, **given: Any) -> Append:
    """A move that fits the chain: the first of the match, or the one after the hash `previous`."""
    told = {
        "match_id": match.id,
        "seq": seq,
        "seat": 1,
        "request_id": str(uuid4()),
        "request": b'{"type":"load_crate","crate":"tea"}',
        "events": b'[{"type":"crate_loaded"}]',
        "recorded_at": datetime.now(UTC),
    } | given
    before = genesis_hash(match) if previous is None else previous
    move = Move(**told, previous_hash=before, hash=row_hash(match.secret, before, **told))
    return Append(move=move, status=Status.RUNNING, to_act=(2, 3))


def _moves(match: Match, count: int) -> list[Append]:
    """The first moves of a match, chained."""
    moves: list[Append] = []
    for seq in range(1, count + 1):
        moves.append(_a_move(match, seq, moves[-1].move.hash if moves else None))
    return moves


@pytest.fixture
def a_match() -> Callable[..., Match]:
    return new_match


@pytest.fixture
def a_move() -> Callable[..., Append]:
    return _a_move


@pytest.fixture
def moves() -> Callable[[Match, int], list[Append]]:
    return _moves


@pytest.fixture
async def postgres_log(database_url: str) -> AsyncIterator[PostgresLog]:
    async with await PostgresLog.open(DatabaseSettings(database_url)) as log:
        yield log


@pytest.fixture(params=["memory", "postgres"])
async def log(request: pytest.FixtureRequest) -> AsyncIterator[MoveLog]:
    """Each test that asks for a log runs on both."""
    if request.param == "memory":
        yield MemoryLog()
        return
    async with await PostgresLog.open(DatabaseSettings(request.getfixturevalue("database_url"))) as log:
        yield log


@pytest.fixture
async def match(log: MoveLog) -> Match:
    """A match in the log, without moves."""
    return await log.create(new_match(), [])


@pytest.fixture
def unknown_match() -> UUID:
    return uuid4()

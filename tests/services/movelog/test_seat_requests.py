"""How long requests to take a seat are remembered."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import psycopg

from services.movelog.postgres.log import PostgresLog
from services.movelog.postgres.seat_requests import KEPT, forget


async def test_old_requests_are_forgotten_in_steps_and_others_kept(
    postgres_log: PostgresLog, database_url: str
) -> None:
    ages = [KEPT - timedelta(hours=1), KEPT + timedelta(hours=1)]
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as connection:
        for number in range(10):
            await connection.execute(
                "INSERT INTO seat_requests (tenant, request_id, mark, match_id, seat, created_at) "
                "VALUES (%s, %s, '', %s, 0, now() - %s)",
                (f"tenant-{number % 2}", f"join-{number}", uuid4(), ages[number // 5]),
            )
        assert await forget(postgres_log.pool, batch=3) == 5
        kept = await connection.execute("SELECT request_id FROM seat_requests ORDER BY request_id")
        assert await kept.fetchall() == [(f"join-{number}",) for number in range(5)]
    assert await forget(postgres_log.pool, batch=3) == 0

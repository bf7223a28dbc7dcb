"""A log whose matches are told, receivers of webhooks, and workers that deliver."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from receivers import Receiver, receiving

from services.identity.tenants import create_tenant
from services.movelog.chain import genesis_hash, row_hash
from services.movelog.events import EventType
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append, Match, Move, Status
from services.postgres.database import DatabaseSettings
from services.webhooks.connections import PublicNetwork
from services.webhooks.deliveries import Delivery, list_deliveries
from services.webhooks.endpoint_changes import create_endpoint
from services.webhooks.endpoints import Endpoint, find_endpoint
from services.webhooks.lanes import Lanes
from services.webhooks.posting import Poster
from services.webhooks.schedule import Schedule
from services.webhooks.vault import Vault
from services.webhooks.worker import Worker, WorkerSettings
from tests.support.new_matches import new_match
from tests.support.vaults import new_vault

TENANT = "acme"
QUICK = Schedule(tuple(timedelta(milliseconds=30) for _ in range(9)))
"""As many tries as the standard schedule has, without its patience."""


@dataclass
class Telling:
    """A tenant's log, and endpoints that are told of it."""

    log: PostgresLog
    vault: Vault = field(default_factory=new_vault)

    async def endpoint(self, url: str, *types: EventType, tenant: str = TENANT) -> tuple[Endpoint, str]:
        async with self.log.pool.connection() as connection:
            await create_tenant(connection, tenant)
            wanted = types or (EventType.MATCH_STARTED, EventType.MOVE_APPLIED)
            return await create_endpoint(connection, self.vault, tenant, url, wanted)

    async def now(self, endpoint: Endpoint) -> Endpoint:
        async with self.log.pool.connection() as connection:
            return await find_endpoint(connection, endpoint.tenant, endpoint.id)

    async def deliveries(self, endpoint: Endpoint) -> list[Delivery]:
        """Oldest first."""
        async with self.log.pool.connection() as connection:
            return (await list_deliveries(connection, endpoint.id, limit=1_000))[::-1]

    async def settled(self, endpoint: Endpoint, seconds: float = 30) -> list[Delivery]:
        """Wait until nothing is pending."""
        async with asyncio.timeout(seconds):
            while True:
                found = await self.deliveries(endpoint)
                if found and not any(one.state == "pending" for one in found):
                    return found
                await asyncio.sleep(0.02)

    async def match(self, tenant: str = TENANT) -> Match:
        return await self.log.create(new_match(tenant=tenant, seats=2), [])

    async def move(self, match: Match, seq: int, **changes: Any) -> None:
        told: dict[str, Any] = {
            "match_id": match.id,
            "seq": seq,
            "seat": 1,
            "request_id": str(uuid4()),
            "request": b'{"type":"load_crate","crate":"tea"}',
            "events": b'[{"type":"crate_loaded","crate":"tea"}]',
            "recorded_at": datetime.now(UTC),
        }
        rows = await self.log.read(match.id, after=seq - 2) if seq > 1 else []
        before = rows[0].hash if rows else genesis_hash(match)
        move = Move(**told, previous_hash=before, hash=row_hash(match.secret, before, **told))
        await self.log.append(
            Append(**{"move": move, "status": Status.RUNNING, "to_act": (0,), "turns": ()} | changes)
        )

    async def played(self, moves: int, tenant: str = TENANT) -> Match:
        """A match with so many moves."""
        match = await self.match(tenant)
        for seq in range(1, moves + 1):
            await self.move(match, seq)
        return match

    @asynccontextmanager
    async def worker(
        self, *, lease: float = 30, poster: dict[str, Any] | None = None, **settings: Any
    ) -> AsyncIterator[Worker]:
        """A worker that delivers meanwhile."""
        wanted = {"schedule": QUICK, "poll_seconds": 0.05} | settings
        sender = Poster(PublicNetwork(loopback=True), **(poster or {}))
        lanes = Lanes(self.log.pool, lease=timedelta(seconds=lease))
        worker = Worker(self.log.pool, self.vault, sender, lanes, WorkerSettings(**wanted))
        running = asyncio.create_task(worker.run())
        try:
            yield worker
        finally:
            worker.stop()
            await running


@pytest.fixture
async def telling(database_url: str) -> AsyncIterator[Telling]:
    async with await PostgresLog.open(DatabaseSettings(database_url)) as log:
        yield Telling(log)


@pytest.fixture
async def receivers() -> AsyncIterator[Callable[[], Any]]:
    """Gives a new receiver each time it is awaited."""
    async with AsyncExitStack() as stack:

        async def another() -> Receiver:
            return await stack.enter_async_context(receiving())

        yield another


@pytest.fixture
async def receiver(receivers: Callable[[], Any]) -> Receiver:
    return await receivers()

"""Moves nobody is told of cost the worker next to nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any
from uuid import UUID

import pytest

from services.webhooks.lanes import Lane
from services.webhooks.worker import Worker, WorkerSettings


class NothingDue:
    """Lanes in which nothing ever waits; notes when it was looked."""

    def __init__(self) -> None:
        self.looks: list[float] = []

    async def claim(self, *, most: int, per_endpoint: int, without: Collection[UUID]) -> list[Lane]:
        del most, per_endpoint, without
        self.looks.append(asyncio.get_running_loop().time())
        return []


@pytest.fixture
async def looking() -> Any:
    """A worker at work, and its lanes."""
    lanes: Any = NothingDue()
    nobody: Any = None
    worker = Worker(nobody, nobody, nobody, lanes, WorkerSettings(poll_seconds=30))
    running = asyncio.create_task(worker.run())
    yield worker, lanes
    worker.stop()
    await running


async def test_while_moves_come_that_no_endpoint_wants_it_looks_ever_less_often(looking: Any) -> None:
    worker, lanes = looking
    for _ in range(150):
        worker.wake()
        await asyncio.sleep(0.01)
    assert 3 <= len(lanes.looks) <= 15


async def test_after_a_quiet_moment_the_next_move_is_looked_at_at_once(looking: Any) -> None:
    worker, lanes = looking
    for _ in range(60):
        worker.wake()
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.5)
    before = len(lanes.looks)
    worker.wake()
    await asyncio.sleep(0.1)
    assert len(lanes.looks) > before

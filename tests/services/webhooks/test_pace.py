"""Moves that no endpoint wants cost the worker next to nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from services.webhooks.claiming import Claim, Room
from services.webhooks.worker import Worker, WorkerSettings


class NothingDue:
    """Lanes in which nothing ever waits; notes when it was looked."""

    def __init__(self) -> None:
        self.looks: list[float] = []

    async def claim(self, room: Room) -> Claim:
        del room
        self.looks.append(asyncio.get_running_loop().time())
        return Claim([], missed=False)


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
    assert 3 <= len(lanes.looks) <= 50  # of 150 wake-ups, which take longer on a busy machine


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

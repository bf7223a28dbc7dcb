"""Ending a task that loses cancellations."""

from __future__ import annotations

import asyncio

import pytest

from services.process import ending


async def test_a_task_that_loses_a_cancellation_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "AGAIN_SECONDS", 0.01)
    lost = 0

    async def deaf() -> None:
        nonlocal lost
        while lost < 3:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                lost += 1

    task = asyncio.create_task(deaf())
    await asyncio.sleep(0)
    await ending.end(task, None)
    assert task.done()
    assert lost == 3


async def test_what_has_ended_already_is_left_alone() -> None:
    async def fails() -> None:
        raise ValueError

    task = asyncio.create_task(fails())
    await asyncio.wait([task])
    await ending.end(task)
    assert isinstance(task.exception(), ValueError)

"""A delivering process is killed again and again, in the middle of everything: nothing is lost, and order is kept."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from receivers import Receiver

from services.webhooks.vault import read_vault
from tests.support.deployment import Deployment
from tests.support.processes import Process

pytestmark = pytest.mark.slow

MATCHES, MOVES, KILLS = 6, 12, 3


async def test_nothing_is_lost_and_order_is_kept_when_workers_are_killed(
    telling: Any, receiver: Receiver, database_url: str, tmp_path: Path
) -> None:
    deployment = Deployment.new(tmp_path, database_url)
    telling.vault = read_vault(tmp_path / "webhook_key")
    endpoint, _ = await telling.endpoint(receiver.url)
    matches = [await telling.match() for _ in range(MATCHES)]

    def process(name: str) -> Process:
        return Process("services.platform", tmp_path / f"{name}.log", **deployment.platform())

    async def play(match: Any) -> None:
        for seq in range(1, MOVES + 1):
            await telling.move(match, seq)
            await asyncio.sleep(0.1)

    doomed, steady = process("doomed"), process("steady")
    with doomed, steady:
        await asyncio.to_thread(steady.start)
        playing = asyncio.gather(*map(play, matches))
        for _ in range(KILLS):
            await asyncio.to_thread(doomed.start)
            seen = len(receiver.received)
            for _ in range(100):  # until something is on its way again, or nothing is left
                if len(receiver.received) > seen + 3:
                    break
                await asyncio.sleep(0.01)
            await asyncio.to_thread(doomed.kill)
        await playing
        await telling.settled(endpoint, seconds=30)
    told: dict[str, list[int]] = defaultdict(list)
    for request in receiver.received:
        match_id, version = request.place
        if version not in told[match_id]:
            told[match_id].append(version)
    assert told == {str(match.id): list(range(1, MOVES + 1)) for match in matches}
    repeats = len(receiver.received) - MATCHES * MOVES
    assert repeats <= KILLS * 32, "a kill repeats at most what was on its way"

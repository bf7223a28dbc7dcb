"""What the cache of tables looks up, and when."""

from __future__ import annotations

from uuid import UUID

import pytest

from engine.kernel.chance import SeededChance
from engine.registry import game
from services.movelog.memory import MemoryLog
from services.movelog.memory_lobby import MemoryLobby
from services.movelog.records import Seating
from services.rules import seating, starting, tables
from services.rules.acting import Request, act
from services.rules.tables import Tables

DRAGONS = game("river_dragons")


class CountingLobby(MemoryLobby):
    looks = 0

    async def seating(self, match_id: UUID) -> Seating:
        self.looks += 1
        return await super().seating(match_id)


class CountingLog(MemoryLog):
    """Counts how often anybody looks who sits where."""

    def __init__(self) -> None:
        super().__init__()
        self.counting = CountingLobby(
            self._shelf, self.events, lambda match_id: self._watchers.wake(match_id, reseated=True)
        )

    @property
    def lobby(self) -> CountingLobby:
        return self.counting


@pytest.fixture
async def log() -> CountingLog:
    return CountingLog()


@pytest.fixture
async def kept(log: CountingLog) -> Tables:
    return Tables(log, {"river_dragons": DRAGONS}.get)


async def started(kept: Tables, log: CountingLog) -> UUID:
    new = seating.NewMatch(tenant="one", game=DRAGONS, seats=2, options=DRAGONS.types.options())
    match = await seating.create(log, new)
    async with kept.hold(match.id) as table:
        await kept.check_seating(table)
        await starting.start_when_full(kept, table)
    return match.id


async def open_often(kept: Tables, match_id: UUID, times: int) -> None:
    for _ in range(times):
        async with kept.hold(match_id) as table:
            await kept.check_seating(table)


async def test_a_match_in_play_is_not_asked_who_sits_there_with_each_move(
    kept: Tables, log: CountingLog
) -> None:
    match_id = await started(kept, log)
    await open_often(kept, match_id, 1)
    log.counting.looks = 0
    for _ in range(6):
        async with kept.hold(match_id) as table:
            await kept.check_seating(table)
            seat = table.to_act[0]
            action = DRAGONS.sample(table.state, seat, SeededChance(bytes(32), table.version))
            asked = Request(seat=seat, body=action, request_id="", expected_version=table.version)
            await act(kept, table, asked)
    assert log.counting.looks == 0


async def test_a_match_is_asked_again_once_its_seats_have_changed(kept: Tables, log: CountingLog) -> None:
    match_id = await started(kept, log)
    await open_often(kept, match_id, 3)
    log.counting.looks = 0
    await log.lobby.revoke(match_id, 1)
    await log.lobby.revoke_watchers(match_id)
    await open_often(kept, match_id, 3)
    assert log.counting.looks == 1
    async with kept.hold(match_id) as table:
        assert [claim.generation for claim in table.claims] == [0, 1]
        assert table.match.watch_generation == 1


async def test_everything_is_asked_again_when_news_may_have_been_missed(
    kept: Tables, log: CountingLog
) -> None:
    match_id = await started(kept, log)
    await open_often(kept, match_id, 2)
    log.counting.looks = 0
    log._watchers.wake_all()
    await open_often(kept, match_id, 2)
    assert log.counting.looks == 1


async def test_and_in_any_case_after_a_while(
    kept: Tables, log: CountingLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await started(kept, log)
    await open_often(kept, match_id, 2)
    log.counting.looks = 0
    monkeypatch.setattr(tables, "SEATING_SECONDS", -1.0)
    await open_often(kept, match_id, 2)
    assert log.counting.looks == 2

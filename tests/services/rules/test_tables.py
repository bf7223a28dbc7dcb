"""What the cache of tables looks up, and when."""

from __future__ import annotations

from uuid import UUID

import pytest

from engine.kernel.chance import SeededChance
from engine.registry import game
from services.movelog.records import Move, Seating
from services.rules.match import loaded_match, seating, starting
from services.rules.match.appending import Request
from services.rules.match.match_cache import MatchCache
from services.rules.match.moves import make_move
from tests.support.memory_log.lobby import MemoryLobby
from tests.support.memory_log.log import MemoryLog

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
            self._shelf, self.events, lambda match_id: self._subscriptions.wake(match_id, reseated=True)
        )

    @property
    def lobby(self) -> CountingLobby:
        return self.counting


class RevokingLog(MemoryLog):
    """Somebody revokes a seat's tokens while a table is being read, after its seats and before its moves."""

    revokes = False

    async def read(self, match_id: UUID, *, after: int = 0, limit: int | None = None) -> list[Move]:
        if self.revokes:
            self.revokes = False
            await self.lobby.revoke(match_id, 1)
        return await super().read(match_id, after=after, limit=limit)


async def test_what_is_revoked_while_a_table_is_read_counts_from_the_next_look_on() -> None:
    log = RevokingLog()
    match_id = await started(MatchCache(log, {"river_dragons": DRAGONS}.get), log)
    another = MatchCache(log, {"river_dragons": DRAGONS}.get)
    log.revokes = True
    async with another.hold(match_id) as table:
        await another.check_seating(table)
        assert [claim.generation for claim in table.claims] == [0, 1]


@pytest.mark.parametrize(("later", "looks"), [(-0.001, False), (0.001, True)])
async def test_what_is_known_of_tokens_is_believed_for_so_long_and_no_longer(
    monkeypatch: pytest.MonkeyPatch, later: float, looks: bool
) -> None:
    """docs/run/accounts.md promises so much where the word of a revocation is lost."""
    log = CountingLog()
    kept = MatchCache(log, {"river_dragons": DRAGONS}.get)
    match_id = await started(kept, log)
    async with kept.hold(match_id) as table:
        await kept.read_seating(table)
        looked, read_at = log.counting.looks, table.seating_read_at
        monkeypatch.setattr(loaded_match.time, "monotonic", lambda: read_at + 10.0 + later)
        await kept.check_seating(table)
        assert log.counting.looks == looked + looks


@pytest.fixture
async def log() -> CountingLog:
    return CountingLog()


@pytest.fixture
async def kept(log: CountingLog) -> MatchCache:
    return MatchCache(log, {"river_dragons": DRAGONS}.get)


async def started(kept: MatchCache, log: MemoryLog) -> UUID:
    new = seating.NewMatch(tenant="one", game=DRAGONS, seats=2, options=DRAGONS.types.options())
    match = await seating.create(log, new)
    async with kept.hold(match.id) as table:
        await kept.check_seating(table)
        await starting.start_when_full(kept, table)
    return match.id


async def open_often(kept: MatchCache, match_id: UUID, times: int) -> None:
    for _ in range(times):
        async with kept.hold(match_id) as table:
            await kept.check_seating(table)


async def test_a_match_in_play_is_not_asked_who_sits_there_with_each_move(
    kept: MatchCache, log: CountingLog
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
            await make_move(kept, table, asked)
    assert log.counting.looks == 0


async def test_a_match_is_asked_again_once_its_seats_have_changed(kept: MatchCache, log: CountingLog) -> None:
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
    kept: MatchCache, log: CountingLog
) -> None:
    match_id = await started(kept, log)
    await open_often(kept, match_id, 2)
    log.counting.looks = 0
    log._subscriptions.wake_all()
    await open_often(kept, match_id, 2)
    assert log.counting.looks == 1


async def test_and_in_any_case_after_a_while(
    kept: MatchCache, log: CountingLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await started(kept, log)
    await open_often(kept, match_id, 2)
    log.counting.looks = 0
    monkeypatch.setattr(loaded_match, "SEATING_SECONDS", -1.0)
    await open_often(kept, match_id, 2)
    assert log.counting.looks == 2

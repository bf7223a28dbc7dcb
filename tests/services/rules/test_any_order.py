"""Moves, undos, proposals, answers, resignations, aborts and forks in any order, through two replicas of one log."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC, REFEREE, Seat
from engine.match.commands import Abort, AnswerAbort, AnswerUndo, Redo, Undo
from engine.match.requests import Resign
from engine.registry import GAMES
from engine.registry import game as registered_game
from services.movelog.export.verification import verify_match
from services.movelog.records import ForkedFrom, SeatRecord, SeatState, Status
from services.rpc.refusals import Refused
from services.rules.match import seating, starting
from services.rules.match.appending import Request
from services.rules.match.match_cache import MatchCache
from services.rules.views.looking import view
from services.rules.wire.forms import PLAIN
from tests.support.asked_rows import carry_out
from tests.support.memory_log.log import MemoryLog

SEATS, STEPS = 3, 70


class System:
    """Two replicas, and players who do whatever comes to their minds."""

    def __init__(self, name: str) -> None:
        self.game = registered_game(name)
        self.log = MemoryLog()
        self.replicas = [MatchCache(self.log, registered_game) for _ in range(2)]
        self.whims = SeededChance(name.encode().ljust(32, b"."), 0)
        self.seen: dict[int, bytes] = {}
        self.refused: set[str] = set()

    async def match(self, forked_from: ForkedFrom | None = None) -> UUID:
        new = seating.NewMatch(
            tenant="one",
            game=self.game,
            seats=SEATS,
            options=self.game.types.options(),
            plan=[SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(SEATS)],
            forked_from=forked_from,
        )
        created = await seating.create(self.log, new)
        tables = self.replicas[self.whims.below(2)]
        async with tables.hold(created.id) as table:
            await tables.read_seating(table)
            await starting.start_when_full(tables, table)
        self.seen = {}
        return created.id

    async def step(self, match_id: UUID) -> None:
        """Let somebody do something, wherever the request arrives; whoever looks first is the other replica."""
        here, there = self.replicas if self.whims.below(2) else reversed(self.replicas)
        async with here.hold(match_id) as table:
            await here.catch_up(table)
            seat, body = self._mood(table)
            version = table.version
            try:
                await carry_out(
                    here, table, Request(seat=seat, body=body, request_id="", expected_version=version)
                )
            except Refused as refused:
                self.refused.add(str(refused.reason))
                assert table.version == version, "a refusal writes nothing"
        async with there.hold(match_id) as table:
            await there.catch_up(table)
            self.seen[table.version] = (await view(there, table, REFEREE, None, PLAIN)).view.json

    def _mood(self, table: Any) -> tuple[Seat | None, Any]:
        mood, anybody = self.whims.below(24), Seat(self.whims.below(SEATS))
        if mood < 12 and table.pending:
            seat = table.pending[self.whims.below(len(table.pending))].seat
            return seat, self.game.sample(table.state, seat, self.whims)
        if mood < 15:
            return anybody, Undo(to=max(1, table.version - 1 - self.whims.below(4)))
        if mood < 17:
            return anybody, Redo()
        if mood < 19:
            return anybody, AnswerUndo(accept=self.whims.below(6) > 0)
        if mood < 21:
            return anybody, Abort()
        if mood < 23:
            return anybody, AnswerAbort(accept=self.whims.below(3) > 0)
        if self.whims.below(4):
            return anybody, AnswerUndo(accept=True)
        return (anybody, Resign()) if self.whims.below(2) else (None, Abort())

    async def check(self, match_id: UUID) -> Status:
        """Fold it all anew at a replica that has seen nothing, look at every version again, and verify the match."""
        fresh = MatchCache(self.log, registered_game)
        tables = self.replicas[0]
        async with fresh.hold(match_id) as anew, tables.hold(match_id) as table:
            await tables.catch_up(table)
            assert encode(anew.state) == encode(table.state)
            assert (anew.pending, anew.status, anew.head) == (table.pending, table.status, table.head)
            for version, seen in self.seen.items():
                assert (await view(fresh, anew, REFEREE, version, PLAIN)).view.json == seen
        match, rows = await self.log.find(match_id), await self.log.read(match_id)
        assert [row.seq for row in rows] == list(range(1, match.version + 1))
        found = verify_match(match, rows)
        assert found.ok, found.difference
        assert found.decided_again == (match.status is Status.ENDED)
        return match.status


@pytest.mark.parametrize("name", GAMES)
async def test_replicas_agree_whatever_happens_and_the_match_can_be_verified(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "os", SimpleNamespace(urandom=bytes))  # the same match each time
    system = System(name)
    match_id = await system.match()
    ends, forks = 0, 0
    for number in range(4):
        for _ in range(STEPS):
            await system.step(match_id)
        ends += await system.check(match_id) is Status.ENDED
        version = max(1, (await system.log.find(match_id)).version - 3)
        async with system.replicas[0].hold(match_id) as table:
            begins = system.game.pending(await system.replicas[0].state_at(table, version))
        if begins:
            audience = (PUBLIC, REFEREE)[number % 2]
            origin = ForkedFrom(match_id=match_id, version=version, audience=audience)
            match_id, forks = await system.match(origin), forks + 1
            await system.check(match_id)
        else:
            match_id = await system.match()
    assert ends
    assert forks
    assert {"UNDO_NOT_ALLOWED", "NO_PROPOSAL", "MATCH_OVER"} <= system.refused

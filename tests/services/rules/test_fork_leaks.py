"""Two matches that differ only in what a seat cannot know have the same fork, with all that is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import msgspec
import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.knowledge import audiences
from engine.kernel.seats import REFEREE, Seat, seat_audience
from engine.match.commands import Forked
from engine.registry import GAMES
from engine.registry import game as registered_game
from services.movelog.records import ForkedFrom, SeatRecord, SeatState
from services.rules.history import exporting
from services.rules.match import seating, starting
from services.rules.match.appending import Request
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.moves import make_move
from services.rules.views.looking import legal_actions, view
from services.rules.wire.forms import PLAIN
from tests.support.memory_log.log import MemoryLog

SEATS = 2
MAKER = seat_audience(Seat(0))


class System:
    """The service's own steps over a log in memory, with secrets as they are told."""

    def __init__(self, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.game = registered_game(game)
        self.tables = MatchCache(MemoryLog(), registered_game)
        self._patch = monkeypatch

    async def match(self, secret: int, forked_from: ForkedFrom | None = None) -> UUID:
        luck = SimpleNamespace(
            urandom=lambda size: bytes([secret]) * size
        )  # match ids draw from the real one
        self._patch.setattr(seating, "os", luck)
        plan = tuple(SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(SEATS))
        new = seating.NewMatch(
            tenant="one",
            game=self.game,
            seats=SEATS,
            options=self.game.types.options(),
            plan=plan,
            forked_from=forked_from,
        )
        created = await seating.create(self.tables.log, new)
        async with self.tables.hold(created.id) as table:
            await self.tables.read_seating(table)
            await starting.start_when_full(self.tables, table)
        return created.id

    async def fork(self, of: UUID, secret: int) -> UUID:
        async with self.tables.hold(of) as table:
            version = table.version
        return await self.match(secret, ForkedFrom(match_id=of, version=version, audience=MAKER))

    async def play(self, match_id: UUID, moves: int, whim: int) -> list[Any]:
        """Make random moves; give the actions."""
        made = []
        for number in range(moves):
            async with self.tables.hold(match_id) as table:
                if not table.pending:
                    break
                seat = table.pending[0].seat
                whims = SeededChance(bytes([whim]) * 32, number)
                action = self.game.sample(table.state, seat, whims)
                made.append((seat, action))
                await self.make(table, seat, action)
        return made

    async def make(self, table: LoadedMatch, seat: Seat, action: Any) -> None:
        request = Request(seat=seat, body=action, request_id=str(table.version), expected_version=None)
        await make_move(self.tables, table, request)

    async def told(self, match_id: UUID) -> list[bytes]:
        """Everything that can be got about a match, but for ids, times and the hashes over them."""
        told: list[bytes] = []
        async with self.tables.hold(match_id) as table:
            for audience in (*audiences(SEATS), REFEREE):
                seen = await view(self.tables, table, audience, None, PLAIN)
                told.append(seen.view.json)
                told.append(encode(_plain(await exporting.export(self.tables, table, audience))))
            told += [legal_actions(table, Seat(seat), PLAIN, 0).SerializeToString() for seat in range(SEATS)]
        return told


def _plain(document: bytes) -> Any:
    read = msgspec.json.decode(document)
    for name in ("match_id", "created_at"):
        del read[name]
    for move in read["moves"]:
        for name in ("hash", "previous_hash", "recorded_at"):
            del move[name]
        for part in (move["request"], *move["events"]):
            if part is not None:
                part.pop("of", None)
    return read


async def forks_of_twins(system: System) -> Sequence[tuple[UUID, UUID]]:
    """Originals that a seat cannot tell apart, by playing and forking, and a fork of each with the same secret."""
    made = []
    for moves in (1, 4, 9):
        played = await system.match(secret=1)
        await system.play(played, moves, whim=moves)
        twins = [await system.fork(played, secret) for secret in (2, 3)]
        first, second = [await system.fork(twin, secret=4) for twin in twins]
        assert len({played, *twins, first, second}) == 5
        made.append((first, second))
    return made


@pytest.mark.parametrize("name", GAMES)
async def test_nothing_that_is_shown_of_a_fork_depends_on_what_its_maker_could_not_know(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = System(name, monkeypatch)
    for first, second in await forks_of_twins(system):
        assert await system.told(first) == await system.told(second)
        for seat, action in await system.play(first, 4, whim=7):
            async with system.tables.hold(second) as table:
                await system.make(table, seat, action)
        assert await system.told(first) == await system.told(second)


async def test_a_service_that_copied_what_is_hidden_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    system = System("river_dragons", monkeypatch)
    played = await system.match(secret=1)
    async with system.tables.hold(played) as table:
        seat = Seat(1)
        await system.make(table, seat, system.game.sample(table.state, seat, SeededChance(bytes(32), 0)))
    twins = [await system.fork(played, secret) for secret in (2, 3)]
    honest = [await system.fork(twin, secret=4) for twin in twins]
    assert await system.told(honest[0]) == await system.told(honest[1])
    monkeypatch.setattr("services.rules.match.forking.forking.deal", _copy)
    copied = [await system.fork(twin, secret=4) for twin in twins]
    assert await system.told(copied[0]) != await system.told(copied[1])


def _copy(game: Any, state: Any, fork: Any, chance: Any) -> tuple[Any, ...]:
    return (
        Forked(of=fork.of, version=fork.version, audience=fork.audience, state=msgspec.Raw(encode(state))),
    )

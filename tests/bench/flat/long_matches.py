"""What a move costs in matches of different length: the first one after the match was read from Postgres, and later ones.

The matches are written to the log without the rules server, so it has none of them in memory. Short and long matches
stand at the very same positions: in a long one the first move was undone and redone again and again. Others are as
long without any undo, for what reading them costs. Snapshots are written for all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, Final
from uuid import uuid4

from engine.kernel.chance import ScriptedChance, SeededChance
from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match.commands import Redo, Undo
from engine.match.replay import Playing, fold
from engine.match.requests import start_request
from engine.registry import game as registered_game
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import Append, Match, Move, SeatRecord, SeatState, Status
from services.postgres.database import DatabaseSettings
from services.rules.match.snapshots import rebuild
from tests.bench.flat.costs import Cost, cost_of, middle_cost
from tests.bench.flat.rpc_client import RpcClient
from tests.bench.prepared_moves import GAME
from tests.bench.processor_time import Parts
from tests.support.match_documents import a_new_match
from tests.support.winding_matches import make_row

SEATS: Final = 4
WARM_MOVES: Final = 10
"""Moves made in each match of one kind before it is the next kind's turn."""


@dataclass(frozen=True)
class LongMatch:
    """A match as it is written to the log, and the moves to be made in it."""

    match: Match
    rows: Sequence[Move]
    to_act: tuple[int, ...]
    following: Sequence[tuple[int, bytes]]
    """Seat and action."""

    def calls(
        self, client: RpcClient, first: int, last: int, *, match_id: str = ""
    ) -> Iterator[Callable[[], object]]:
        """Yield the calls for some of the moves, perhaps in a copy of the match."""
        for number, (seat, action) in enumerate(self.following[first:last], start=first):
            yield partial(client.act, match_id or str(self.match.id), seat, len(self.rows) + number, action)


@dataclass(frozen=True)
class Length:
    """One kind of match, and what its moves cost."""

    name: str
    rows: int
    cold: Cost
    warm: Cost


def a_long_match(seed: int, *, moves: int, undone: int, following: int) -> LongMatch:
    """Play random moves; undo and redo the first so many times; then prepare more moves."""
    game = registered_game(GAME)
    match = a_new_match(GAME, SEATS, seed, uuid4())
    choices = SeededChance(sha256(b"%d" % seed).digest(), 0)
    playing = Playing(game, match.secret)
    rows: list[Move] = []
    make_row(match, playing, rows, None, start_request(game.options_codec.decode(match.options), SEATS))
    for number in range(moves):
        seat, action = _choose(game, playing.state, choices)
        make_row(match, playing, rows, seat, encode(action))
        for _ in range(0 if number else undone):
            make_row(match, playing, rows, seat, encode(Undo(to=1)))
            make_row(match, playing, rows, seat, encode(Redo()))
    state, coming = playing.state, []
    for _ in range(following):
        seat, action = _choose(game, state, choices)
        coming.append((int(seat), encode(action)))
        state = fold(game, game.decide(state, seat, action, ScriptedChance()), state)
    return LongMatch(match, rows, tuple(map(int, game.to_act(playing.state))), coming)


def _choose(game: AnyGame, state: Any, choices: SeededChance) -> tuple[Seat, Any]:
    waited_for = game.to_act(state)
    seat = waited_for[choices.below(len(waited_for))]
    return seat, game.sample(state, seat, choices)


async def write(database_url: str, matches: Sequence[LongMatch]) -> None:
    """Write running matches to the log, with their snapshots."""

    async def one(log: PostgresLog, long: LongMatch) -> None:
        seats = [SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(SEATS)]
        await log.create(long.match, seats)
        for row in long.rows:
            await log.append(Append(move=row, status=Status.RUNNING, to_act=long.to_act))
        await rebuild(log, long.match, registered_game(GAME))

    async with await PostgresLog.open(DatabaseSettings(database_url)) as log:
        await asyncio.gather(*(one(log, long) for long in matches))


def measure(
    client: RpcClient, parts: Parts, database_url: str, *, rows: int, matches: int, rounds: int
) -> list[Length]:
    """Make the first move in every match, then more of them, the kinds in turns."""
    following = 1 + rounds * WARM_MOVES
    shapes = {
        "move 10": (8, 0),
        f"move {rows:,}, the same positions": (8, (rows - 10) // 2),
        f"move {rows * 2 // 5:,} without undo": (rows * 2 // 5 - 2, 0),  # random matches have 500 to 600 rows
    }
    kinds: Mapping[str, list[LongMatch]] = {
        name: [a_long_match(seed, moves=moves, undone=undone, following=following) for seed in range(matches)]
        for name, (moves, undone) in shapes.items()
    }
    asyncio.run(write(database_url, [long for those in kinds.values() for long in those]))
    cold: dict[str, Cost] = {}
    warm: dict[str, list[Cost]] = {name: [] for name in kinds}
    for name, those in kinds.items():
        cold[name] = cost_of(parts, (call for long in those for call in long.calls(client, 0, 1)))
    for number in range(rounds):
        first = 1 + number * WARM_MOVES
        for name, those in kinds.items():
            calls = (call for long in those for call in long.calls(client, first, first + WARM_MOVES))
            warm[name].append(cost_of(parts, calls))
    return [
        Length(name, len(those[0].rows) + 1, cold[name], middle_cost(warm[name]))
        for name, those in kinds.items()
    ]

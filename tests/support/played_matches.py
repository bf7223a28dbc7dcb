"""A database with matches of every game in it, played as the rules server plays them: ended and running ones, with clocks, forks,
moves taken back, rematches, snapshots and events. The same for the same number, but for ids and times.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import psycopg
from msgspec.structs import replace

from engine.kernel.chance import SeededChance, commitment
from engine.kernel.game import AnyGame
from engine.kernel.seats import PUBLIC, Seat
from engine.match.commands import AnswerUndo, MatchCommand, Redo, Undo
from engine.match.replay import states_after_each
from engine.match.requests import Resign
from engine.registry import GAMES
from engine.registry import game as registered_game
from services.movelog.clocks import Clock, ClockKind
from services.movelog.events import EventType
from services.movelog.export.verification import logged_moves
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import ForkedFrom, Match, MatchSettings, Status
from services.postgres.database import DatabaseSettings
from services.rpc.refusals import Refused
from services.rules.match.appending import Request
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.seating import NewMatch, prepare
from services.rules.match.snapshots import rebuild, snapshot_of
from services.rules.match.starting import start_when_full
from tests.support.asked_rows import carry_out

TENANT = "system"
GAMES_IN_TURN = tuple(registered_game(game_id) for game_id in GAMES)
FURTHEST = 6
"""Versions that an undo goes back at most."""
CLOCKS: Sequence[Clock | None] = (
    None,
    Clock(kind=ClockKind.PER_MOVE, time=timedelta(hours=1)),
    None,
    Clock(kind=ClockKind.BUDGET, time=timedelta(hours=2), increment=timedelta(seconds=30)),
)


class Playing:
    """Plays matches into a log."""

    def __init__(self, log: PostgresLog, seed: int) -> None:
        self.log = log
        self.tables = MatchCache(log, registered_game)
        self._seed = seed
        self._before: dict[str, Match] = {}
        """The last match of each game."""

    async def match(
        self,
        number: int,
        moves: int,
        *,
        ends: bool,
        winds: bool = False,
        seats: int = 0,
        clock: Clock | None = None,
        **more: Any,
    ) -> Match:
        """Play a match of so many moves; give it as it stands."""
        game = GAMES_IN_TURN[number % len(GAMES_IN_TURN)]
        seats = seats or game.seat_counts[number % len(game.seat_counts)]
        new = NewMatch(
            tenant=TENANT,
            game=game,
            seats=seats,
            options=game.options_codec.decode(b"{}"),
            players=[f"player-{seat}" for seat in range(seats)],
            settings=MatchSettings(clock=clock),
            **more,
        )
        match = await self._created(new, number)
        choices = SeededChance(self._secret(f"choices {number}"), 0)
        async with self.tables.hold(match.id) as table:
            await self.tables.check_seating(table)
            await start_when_full(self.tables, table)
            await self._play(table, moves, choices, winds=winds)
            if ends:
                await self._end(table)
        found = await self.log.find(match.id)
        await rebuild(self.log, found, game)
        self._before[game.id] = found
        return found

    async def go_on(self, match: Match, moves: int) -> None:
        """Play a match on by so many moves."""
        async with self.tables.hold(match.id) as table:
            choices = SeededChance(self._secret(f"more choices {match.id}"), 0)
            await self._play(table, table.version + moves, choices, winds=False)

    async def ask(self, match: Match, seat: int | None, command: MatchCommand) -> None:
        """Carry out a request that the server decides; `seat` is None for the tenant."""
        async with self.tables.hold(match.id) as table:
            asked = None if seat is None else Seat(seat)
            request = Request(seat=asked, body=command, request_id="", expected_version=None)
            await carry_out(self.tables, table, request)

    async def end(self, match: Match) -> None:
        """End a match: all resign."""
        async with self.tables.hold(match.id) as table:
            await self._end(table)

    async def fork(self, number: int, moves: int) -> Match:
        """Fork the last match of a game as the public knows it."""
        game = GAMES_IN_TURN[number % len(GAMES_IN_TURN)]
        before = self._before[game.id]
        forked_from = ForkedFrom(match_id=before.id, version=min(5, before.version - 1), audience=PUBLIC)
        return await self.match(number, moves, ends=True, seats=before.seats, forked_from=forked_from)

    async def snapshot(self, match: Match, version: int) -> None:
        """Put the table after a move aside, whatever its number."""
        game = registered_game(match.game, match.rules_version)
        rows = await self.log.read(match.id)
        for row, (_, state) in zip(rows, states_after_each(game, logged_moves(rows)), strict=True):
            if row.seq == version:
                await self.log.snapshots.put(snapshot_of(match, game, version, row.hash, state))

    async def waiting(self, number: int) -> Match:
        """Make a match that waits for players."""
        game = GAMES_IN_TURN[number % len(GAMES_IN_TURN)]
        options = game.options_codec.decode(b"{}")
        new = NewMatch(
            tenant=TENANT,
            game=game,
            seats=2,
            options=options,
            open_seats=True,
            settings=MatchSettings(title="who plays?"),
        )
        return await self._created(new, number)

    def ended(self, game: AnyGame) -> Match:
        return self._before[game.id]

    async def _created(self, new: NewMatch, number: int) -> Match:
        match, seats = prepare(new)
        secret = self._secret(f"secret {number} {new.forked_from is not None}")
        return await self.log.create(replace(match, secret=secret, commitment=commitment(secret)), seats)

    def _secret(self, name: str) -> bytes:
        return hashlib.sha256(f"{self._seed} {name}".encode()).digest()

    async def _play(self, table: LoadedMatch, moves: int, choices: SeededChance, *, winds: bool) -> None:
        while table.status is not Status.ENDED and table.version <= moves:
            if (
                winds
                and (table.timeline.proposal or choices.below(4) == 0)
                and await self._wind(table, choices)
            ):
                continue
            seat = Seat(table.to_act[choices.below(len(table.to_act))])
            await self._ask(table, seat, table.game.sample(table.state, seat, choices))

    async def _wind(self, table: LoadedMatch, choices: SeededChance) -> bool:
        """Undo, redo, or answer; return whether that was allowed."""
        seat = Seat(choices.below(table.match.seats))
        request: Any = Undo(to=max(1, table.version - choices.below(FURTHEST)))
        if table.timeline.proposal is not None:
            request = AnswerUndo(accept=choices.below(4) > 0)
        elif table.timeline.redoable and choices.below(2):
            request = Redo()
        try:
            await self._ask(table, seat, request)
        except Refused:
            return False
        return True

    async def _end(self, table: LoadedMatch) -> None:
        for seat in range(table.match.seats):
            if table.status is not Status.ENDED:
                await self._ask(table, Seat(seat), Resign())

    async def _ask(self, table: LoadedMatch, seat: Seat, body: Any) -> None:
        request = Request(seat=seat, body=body, request_id="", expected_version=table.version)
        await carry_out(self.tables, table, request)


async def played(
    database_url: str,
    play: Callable[[Playing], Any],
    *,
    types: Sequence[EventType] = tuple(EventType),
    seed: int = 1,
) -> Any:
    """Play into a migrated database, of whose tenant such events are recorded; give what `play` gives."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("INSERT INTO tenants (id) VALUES (%s) ON CONFLICT DO NOTHING", (TENANT,))
    async with await PostgresLog.open(DatabaseSettings(database_url)) as log:
        await log.events.record(TENANT, types)
        playing = Playing(log, seed)
        try:
            return await play(playing)
        finally:
            await playing.tables.close()


async def some_of_everything(playing: Playing, *, matches: int = 6, moves: int = 52) -> int:
    """Play matches of every kind and every game in turn; give how many there are."""
    made = 0
    for number in range(matches):
        clock = CLOCKS[number % len(CLOCKS)]
        await playing.match(number, moves, ends=number % 3 != 1, winds=number % 2 == 1, clock=clock)
        made += 1
    for number, game in enumerate(GAMES_IN_TURN):
        await playing.waiting(number)
        before = playing.ended(game)
        await playing.fork(number, 12)
        made += 2
        if before.status is Status.ENDED:
            again = number + matches * len(GAMES_IN_TURN)  # the same game, with luck of its own
            await playing.match(again, 8, ends=False, rematch_of=before.id)
            made += 1
    return made

"""What a move costs the rules server: microseconds of its processor, from the message of a stream to the reply, without gRPC.

    python tests/bench/bench_plays.py --rounds 7 --code ../earlier

A process opens the log on a Postgres, creates matches, and plays them through `Plays.stream`, each with one move under way.
The moves are the same in every process: the matches' secrets and the choices are fixed. With --code another checkout takes
turns with this one, and the ratio of each turn counts.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any, cast

import uvloop
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from engine.kernel.chance import ScriptedChance, SeededChance, commitment
from engine.kernel.codec import encode
from engine.match.replay import fold
from engine.registry import game as registered_game
from foldtable.matches.v1.play_pb2 import ActRequest, PlayCall, PlayRequest, PlayResponse
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON, Payload
from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from services.identity.callers import Callers
from services.identity.match_tokens import MatchTokens
from services.movelog.postgres.log import PostgresLog
from services.postgres.database import DatabaseSettings
from services.process.structured_logs import LogFormat, configure_logs
from services.rpc.drain import Drain
from services.rules.api.plays import Plays
from services.rules.match.access import MatchAccess
from services.rules.match.match_cache import MatchCache
from services.rules.match.seating import NewMatch, prepare
from services.rules.match.starting import start_when_full
from services.rules.players import Players

ROOT = Path(__file__).resolve().parents[2]
GAME = registered_game("river_dragons")
SEATS = 4


class Table:
    """A match, and the calls that play it, one after another."""

    def __init__(self, number: int, moves: int) -> None:
        self._number = number
        self._moves = moves
        self.calls: Iterator[PlayCall] = iter(())

    async def prepare(self, log: PostgresLog, cache: MatchCache, tokens: MatchTokens) -> None:
        """Create the match, and write its calls ahead."""
        new = NewMatch(
            tenant="bench",
            game=GAME,
            seats=SEATS,
            options=GAME.options_codec.decode(b"{}"),
            players=[f"player-{seat}" for seat in range(SEATS)],
        )
        match, seats = prepare(new)
        secret = sha256(f"secret {self._number}".encode()).digest()
        await log.create(replace(match, secret=secret, commitment=commitment(secret)), seats)
        match_id = match.id
        async with cache.hold(match_id) as loaded:
            await cache.check_seating(loaded)
            await start_when_full(cache, loaded)
            state = loaded.state
            generations = [row.generation for row in loaded.seating.seats]
        minted = [
            tokens.mint(match_id=match_id, game=GAME.id, seat=seat, generation=generations[seat])[0]
            for seat in range(SEATS)
        ]
        choices = SeededChance(sha256(f"choices {self._number}".encode()).digest(), 0)
        calls = []
        for version in range(1, self._moves + 1):
            waited_for = GAME.to_act(state)
            if not waited_for:
                break
            seat = waited_for[choices.below(len(waited_for))]
            action = GAME.sample(state, seat, choices)
            act = ActRequest(
                match_id=str(match_id),
                request_id=f"{version}-{'r' * 30}",
                expected_version=version,
                action=Payload(json=encode(action)),
                form=PAYLOAD_FORM_JSON,
            )
            calls.append(PlayCall(call_id=self._number, authorization=f"Bearer {minted[seat]}", act=act))
            state = fold(GAME, GAME.decide(state, seat, action, ScriptedChance()), state)
        self.calls = iter(calls)


class Client:
    """The other end of the stream: when a reply is there, the next call of its match is sent."""

    def __init__(self, tables: list[Table]) -> None:
        self._tables = tables
        self._ready: list[PlayCall] = []
        self._are_ready = asyncio.Event()
        self._under_way = 0
        self.moves = 0
        for number in range(len(tables)):
            self._next(number)

    async def requests(self) -> AsyncIterator[PlayRequest]:
        while self._ready or self._under_way:
            await self._are_ready.wait()
            self._are_ready.clear()
            if not self._ready:
                return
            calls, self._ready = self._ready, []
            yield PlayRequest(calls=calls)

    def take_in(self, response: PlayResponse) -> None:
        for reply in response.replies:
            if not reply.HasField("accepted"):
                raise RuntimeError(f"a move was refused: {reply}")
            self.moves += 1
            self._under_way -= 1
            self._next(reply.call_id)
        self._are_ready.set()

    def _next(self, number: int) -> None:
        call = next(self._tables[number].calls, None)
        if call is not None:
            self._ready.append(call)
            self._under_way += 1
            self._are_ready.set()


async def measure(url: str, matches: int, moves: int) -> float:
    """Return microseconds of this process's processor a move."""
    tokens = MatchTokens(Ed25519PrivateKey.generate(), lifetime=timedelta(hours=1))
    async with await PostgresLog.open(DatabaseSettings(url)) as log:
        cache = MatchCache(log, registered_game)
        players = Players.on(log.pool)
        callers = Callers(cast(Any, None), tokens, players.sessions)  # nobody comes with an API key
        plays = Plays(cache, MatchAccess(cache, callers, players.anonymous), Drain())
        tables = [Table(number, moves) for number in range(matches)]
        for table in tables:
            await table.prepare(log, cache, tokens)
        await cache.settled()
        client = Client(tables)
        began = time.process_time()
        async for response in plays.stream(client.requests(), None):
            client.take_in(response)
        spent = time.process_time() - began
        await cache.close()
        return spent / client.moves * 1e6


def turn(code: Path, url: str, matches: int, moves: int) -> float:
    """Measure a checkout in a process of its own."""
    paths = os.pathsep.join((str(code), str(code / "proto" / "gen")))
    command = [sys.executable, __file__, "--url", url, "--one", f"--matches={matches}", f"--moves={moves}"]
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd=code)
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--matches", type=int, default=32, help="how many are played at once")
    parser.add_argument("--moves", type=int, default=150, help="of each match, at most")
    parser.add_argument("--code", type=Path, help="a checkout that takes turns with this one")
    parser.add_argument("--url", help="a Postgres of your own (its database is written to)")
    parser.add_argument(
        "--one", action="store_true", help="print one measurement of the modules that are found"
    )
    given = parser.parse_args()
    configure_logs("warning", LogFormat.CONSOLE)
    if given.one:
        print(uvloop.run(measure(given.url, given.matches, given.moves)))
        return
    with ExitStack() as stack:
        url = given.url
        if url is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="foldtable-bench-")))
            url = stack.enter_context(EmbeddedPostgres(folder / "postgres")).url
        migrate(url)
        rounds(url, given)


def rounds(url: str, given: argparse.Namespace) -> None:
    """Take turns, and print what each came to, and the medians."""
    here: list[float] = []
    there: list[float] = []
    for number in range(given.rounds):
        codes = [(ROOT, here)] + ([(given.code.resolve(), there)] if given.code else [])
        for code, figures in codes if number % 2 else codes[::-1]:
            figures.append(turn(code, url, given.matches, given.moves))
        others = f"   the other checkout {there[-1]:7.1f}   ratio {here[-1] / there[-1]:.3f}" if there else ""
        print(f"round {number + 1}: {here[-1]:7.1f} us of the processor a move{others}", flush=True)
    print(f"median: {median(here):.1f} us a move at {given.matches} matches")
    if there:
        ratios = sorted(mine / other for mine, other in zip(here, there, strict=True))
        print(
            f"the other checkout {median(there):.1f}; ratio {median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})"
        )


if __name__ == "__main__":
    main()

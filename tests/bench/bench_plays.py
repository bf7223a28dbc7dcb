"""What a move costs the rules server: microseconds of its processor, from the message of a stream to the reply, without gRPC.

    python tests/bench/bench_plays.py --turns 60 --code ../earlier

A process opens the log on a Postgres, creates matches, and plays them through `Plays.stream`, each with one move under way.
The moves are the same in every process: the matches' secrets and the choices are fixed. With --code another checkout takes
turns with this one, some hundred moves at a time, so that whatever else the machine does harms both alike. The lower quartile
counts: what others do only ever adds to it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from datetime import timedelta
from hashlib import sha256
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
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
from services.process.rare_collection import RARELY
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
TURNS_OF_A_MATCH = 10


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

    def __init__(self, tables: list[Table], moves: int) -> None:
        """`moves`: how many of each match."""
        self._calls = [islice(table.calls, moves) for table in tables]
        self._ready: list[PlayCall] = []
        self._are_ready = asyncio.Event()
        self._under_way = 0
        self.moves = 0
        for number in range(len(tables)):
            self._next(number)

    async def requests(self) -> AsyncIterator[PlayRequest]:
        while self._under_way:
            await self._are_ready.wait()
            self._are_ready.clear()
            if self._ready:
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
        call = next(self._calls[number], None)
        if call is not None:
            self._ready.append(call)
            self._under_way += 1
            self._are_ready.set()


async def serve(url: str, given: argparse.Namespace) -> None:
    """For each line that comes, play on, and print the microseconds of this process's processor a move."""
    tokens = MatchTokens(Ed25519PrivateKey.generate(), lifetime=timedelta(hours=1))
    async with await PostgresLog.open(DatabaseSettings(url)) as log:
        cache = MatchCache(log, registered_game)
        players = Players.on(log.pool)
        callers = Callers(cast(Any, None), tokens, players.sessions)  # nobody comes with an API key
        plays = Plays(cache, MatchAccess(cache, callers, players.anonymous), Drain())
        tables: list[Table] = []
        gc.set_threshold(*RARELY)  # as in every process that serves
        for turn in range(given.turns + 1):  # in the first one, everything is new
            if turn % TURNS_OF_A_MATCH == 0:
                tables = [Table(number, TURNS_OF_A_MATCH * given.moves) for number in range(given.matches)]
                for table in tables:
                    await table.prepare(log, cache, tokens)
                await cache.settled()
                gc.collect()
                gc.freeze()
            sys.stdin.readline()
            client = Client(tables, given.moves)
            began = time.process_time()
            async for response in plays.stream(client.requests(), None):
                client.take_in(response)
            print((time.process_time() - began) / client.moves * 1e6, flush=True)
        await cache.close()


def a_server(code: Path, url: str, given: argparse.Namespace) -> subprocess.Popen[str]:
    """Start a checkout in a process of its own."""
    paths = os.pathsep.join((str(code), str(code / "proto" / "gen")))
    numbers = [f"--{name}={getattr(given, name)}" for name in ("matches", "moves", "turns")]
    return subprocess.Popen(
        [sys.executable, __file__, "--url", url, "--serve", *numbers],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=code,
        env={**os.environ, "PYTHONPATH": paths},
    )


def turn(server: subprocess.Popen[str]) -> float:
    """Have a process play on."""
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write("\n")
    server.stdin.flush()
    return float(server.stdout.readline())


def measure(url: str, given: argparse.Namespace) -> None:
    """Let the checkouts take turns, and print what each came to."""
    codes = {"this checkout": ROOT} | ({"the other": given.code.resolve()} if given.code else {})
    servers = {name: a_server(code, url, given) for name, code in codes.items()}
    found: dict[str, list[float]] = {name: [] for name in codes}
    for number in range(given.turns + 1):
        for name in sorted(servers, reverse=bool(number % 2)):
            spent = turn(servers[name])
            if number:
                found[name].append(spent)
    for server in servers.values():
        server.wait()
    for name, figures in found.items():
        least, quartile, middle = min(figures), quantiles(figures, n=4)[0], median(figures)
        print(f"{name:<14} {quartile:7.1f} us a move (least {least:.1f}, median {middle:.1f})")
    if given.code:
        here, there = found.values()
        ratio = quantiles(here, n=4)[0] / quantiles(there, n=4)[0]
        print(f"ratio {ratio:.3f}; of the least {min(here) / min(there):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--matches", type=int, default=32, help="how many are played at once")
    parser.add_argument("--moves", type=int, default=10, help="of each match in a turn")
    parser.add_argument("--code", type=Path, help="a checkout that takes turns with this one")
    parser.add_argument("--url", help="a Postgres of your own (its database is written to)")
    parser.add_argument("--serve", action="store_true", help="play on for each line that is read")
    given = parser.parse_args()
    configure_logs("warning", LogFormat.CONSOLE)
    if given.serve:
        uvloop.run(serve(given.url, given))
        return
    with ExitStack() as stack:
        url = given.url
        if url is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="foldtable-bench-")))
            url = stack.enter_context(EmbeddedPostgres(folder / "postgres")).url
        migrate(url)
        measure(url, given)


if __name__ == "__main__":
    main()

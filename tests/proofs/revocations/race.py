"""Revocations while the revoked token writes and reads at every server: does anything get through after the acknowledgement?

Two rules servers and two gateways, each a process of its own, on one Postgres. In each round a seat's token moves and undoes
at both servers and renames its seat at both gateways, or moves and undoes through both gateways, until its tenant revokes it through one of them; everybody goes on
until refused. Counted are writes that were sent after the revocation was acknowledged and answered well, and rows that were
committed after it, by Postgres's own clock. With every fifth round comes another in which the token only reads, in every way
there is: of writes that are refused a server would learn what it has not heard. Printed is how soon after the
acknowledgement the last read was let in.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import grpc
import httpx
import msgspec
import psycopg
import uvloop

from services.embedded_postgres import EmbeddedPostgres
from services.embedded_postgres.folder import SUPERUSER, Folder
from tests.proofs.audit.rows import Row, say
from tests.proofs.revocations.attempts import SEAT, Attempt, Grpc, Http, HttpMover, Mover
from tests.proofs.revocations.report import Report
from tests.support.several_of_each import Several, several_on

ROUNDS: Final = 1_000
SHORT: Final = 20
AT_ONCE: Final = 3
ROUNDS_TO_A_READ: Final = 5
MAX_LEAD: Final = 0.05
"""Seconds that a token is used once every server has seen it, before it is revoked."""
MAX_READ_LEAD: Final = 0.5
"""The same where it reads: long enough to open a stream, and not always."""
PAUSE: Final = 0.002
"""Seconds between two reads."""
WAIT_SECONDS: Final = 60.0
"""Seconds after which a reader is taken for one who is never refused."""
BUSY: Final = (503, 504)
GAME: Final = "river_dragons"
CLOCK: Final = {"kind": "per_move", "seconds": 3_600}
_TEMPLATE: Final = "foldtable_template"
_COMMITTED: Final = """
SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 FROM moves WHERE match_id = %(match)s AND seat = %(seat)s
UNION ALL
SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 FROM seats WHERE match_id = %(match)s AND seat = %(seat)s
"""
"""When each row of the seat, and what it says of itself, was committed; a revocation is the last to write the latter."""

Once = Callable[[], Awaitable[str]]
AttemptsOf = Callable[[str, str], list[tuple[Attempt, Once]]]


class Race:
    """Rounds against servers that run."""

    def __init__(
        self, system: Several, gateways: Sequence[httpx.AsyncClient], channels: Sequence[grpc.aio.Channel]
    ) -> None:
        self.report = Report()
        self._system = system
        self._gateways = gateways
        self._channels = channels
        self._tenant = {"authorization": f"Bearer {system.key}"}

    async def run(self, rounds: int, at_once: int) -> None:
        """Run so many rounds, a few of them side by side."""
        began = time.monotonic()
        numbers = iter(range(rounds))

        async def next_rounds() -> None:
            for number in numbers:
                writes = self._writes_over_grpc if number % 4 < 2 else self._writes_over_http
                await self._round(number, writes, MAX_LEAD)
                self.report.revocations += 1
                if number % ROUNDS_TO_A_READ == 0:
                    await self._round(number, self._reads, MAX_READ_LEAD)
                if number % 100 == 99:
                    say(f"{number + 1} revocations, {self.report.violations} violations")

        await asyncio.gather(*(next_rounds() for _ in range(at_once)))
        self.report.seconds = time.monotonic() - began

    async def _round(self, number: int, attempts_of: AttemptsOf, longest_lead: float) -> None:
        whims = random.Random(number)
        gateway = self._gateways[number % len(self._gateways)]
        more = {"clock": CLOCK} if number % 2 else {}
        made = await self._post(gateway, "/v1/matches", {"game": GAME, "seats": 2, **more})
        match_id = made["match"]["match_id"]
        token = next(one["token"] for one in made["seat_tokens"] if one["seat"] == SEAT)
        attempts = attempts_of(match_id, token)
        tasks = [asyncio.create_task(one.over_and_over(once, pause=PAUSE)) for one, once in attempts]
        often = [one for one, _ in attempts if not one.is_long]
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                while not all(one.good for one in often):  # noqa: ASYNC110 - each is a loop of its own
                    await asyncio.sleep(PAUSE)
            await asyncio.sleep(whims.uniform(0.0, longest_lead))
            await self._post(whims.choice(self._gateways), f"/v1/matches/{match_id}/seats/{SEAT}/revoke", {})
            acknowledged = time.time()
            await asyncio.wait(tasks, timeout=WAIT_SECONDS)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        self.report.odd += [repr(one) for one in ended if isinstance(one, Exception)]
        await self._judge(UUID(match_id), acknowledged, [one for one, _ in attempts])

    def _writes_over_grpc(self, match_id: str, token: str) -> list[tuple[Attempt, Once]]:
        movers = [Mover(channel, match_id, token) for channel in self._channels]
        renamers = [Http(client, match_id, token) for client in self._gateways]
        return [
            *((Attempt(writes=True), one.once) for one in movers),
            *((Attempt(writes=True), one.rename) for one in renamers),
        ]

    def _writes_over_http(self, match_id: str, token: str) -> list[tuple[Attempt, Once]]:
        """Only moves, so that they wait for nothing but their commit: the servers know the token, and nobody's seat changes."""
        movers = [HttpMover(client, match_id, token) for client in self._gateways]
        return [(Attempt(writes=True), one.once) for one in movers]

    def _reads(self, match_id: str, token: str) -> list[tuple[Attempt, Once]]:
        found: list[tuple[Attempt, Once]] = []
        for client in self._gateways:
            reader = Http(client, match_id, token)
            found += [
                (Attempt("views, REST"), reader.view),
                (Attempt("legal actions, REST"), reader.legal_actions),
                (Attempt("long polls", is_long=True), reader.poll),
                (Attempt("streams, SSE", is_long=True), reader.stream),
            ]
        for channel in self._channels:
            player = Grpc(channel, match_id, token)
            watched = Attempt("streams, gRPC", is_long=True)
            found += [(Attempt("views, gRPC"), player.view), (watched, player.watch)]
        return found

    async def _judge(self, match_id: UUID, acknowledged: float, attempts: list[Attempt]) -> None:
        report = self.report
        for one in attempts:
            if one.ended is None:
                report.went_on += 1
            elif one.writes:
                report.writes += len(one.good)
                report.at_the_moment += sum(sent <= acknowledged < answered for sent, answered in one.good)
                report.answered += sum(sent > acknowledged for sent, _ in one.good)
            else:
                last = one.ended if one.is_long else one.good[-1][0]
                report.reads.setdefault(one.kind, []).append(max(0.0, last - acknowledged))
        async with await psycopg.AsyncConnection.connect(self._system.database_url) as connection:
            rows = await connection.execute(_COMMITTED, {"match": match_id, "seat": SEAT})
            report.committed += sum([at > acknowledged async for (at,) in rows])

    async def _post(self, client: httpx.AsyncClient, path: str, body: object) -> dict[str, Any]:
        """Ask until it is answered well: on a busy machine a gateway may say that a server was too slow."""
        async with asyncio.timeout(WAIT_SECONDS):
            while (response := await client.post(path, json=body, headers=self._tenant)).status_code in BUSY:  # noqa: ASYNC110
                await asyncio.sleep(PAUSE)
        response.raise_for_status()
        answer: dict[str, Any] = response.json()
        return answer


async def race(system: Several, rounds: int, at_once: int) -> Report:
    """Run rounds against servers that run, and return what came of them."""
    async with AsyncExitStack() as opened:
        gateways = [
            await opened.enter_async_context(
                httpx.AsyncClient(
                    base_url=url,
                    timeout=WAIT_SECONDS,
                    verify=False,  # it is plain HTTP: loading certificates would take longer than a round
                    trust_env=False,
                    limits=httpx.Limits(max_connections=None),
                )
            )
            for url in system.urls
        ]
        channels = [
            await opened.enter_async_context(grpc.aio.insecure_channel(address))
            for address in system.rules_addresses
        ]
        running = Race(system, gateways, channels)
        before = await asyncio.to_thread(lambda: system.ways)
        await running.run(rounds, at_once)
        running.report.ways = (await asyncio.to_thread(lambda: system.ways)).since(before)
        return running.report


@contextmanager
def servers() -> Iterator[Several]:
    """Start two of each on a Postgres that keeps when everything was committed; stop them in the end."""
    with tempfile.TemporaryDirectory(prefix="foldtable-revocations-") as place:
        folder = Path(place)
        superuser = Folder(folder / "postgres").url("postgres", SUPERUSER)
        with EmbeddedPostgres(folder / "postgres"), psycopg.connect(superuser, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET track_commit_timestamp = on")
        with EmbeddedPostgres(folder / "postgres") as postgres, several_on(postgres, folder) as system:
            yield system


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if nothing got through."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.proofs.revocations.race",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="revocations (%(default)s)")
    parser.add_argument("--at-once", type=int, default=AT_ONCE, help="rounds side by side (%(default)s)")
    parser.add_argument("--short", action="store_true", help=f"{SHORT} revocations")
    parser.add_argument("--row", action="store_true", help="print one JSON object in the end")
    given = parser.parse_args(arguments)
    rounds = SHORT if given.short else given.rounds
    with servers() as system:
        report = uvloop.run(race(system, rounds, given.at_once))
    say(str(report))
    if given.row:
        what = f"{report.writes} writes of tokens that are revoked meanwhile, at two servers"
        row = Row(proof="revocations", what=what, count=report.revocations, violations=report.violations)
        sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
    return 1 if report.violations else 0


if __name__ == "__main__":
    sys.exit(main())

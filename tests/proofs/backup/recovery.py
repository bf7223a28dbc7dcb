"""Going back to a moment: play, back up, play on, do damage, recover, and look at everything.

The Postgres is the embedded one, and the commands are those of docs/run/backups.md. Gateways, rules servers and the platform
service run all the time, and so do clients that saw what is lost.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import httpx
import psycopg

from engine.registry import GAMES
from services.embedded_postgres import EmbeddedPostgres
from services.embedded_postgres.folder import SUPERUSER
from tests.proofs.backup import after_the_moment
from tests.proofs.backup.runbook import Runbook, archiving
from tests.proofs.backup.table import Table, asked, look, new_table, play
from tests.proofs.faults.postgres_node import wait_for
from tests.support.receivers import Receiver, receiving
from tests.support.several_of_each import Several, several_on

EVENTS: Final = ("match.created", "match.started", "match.ended", "move.applied")
ARCHIVED_SECONDS: Final = 60.0
DELIVERED_SECONDS: Final = 60.0
A_MOMENT_SECONDS: Final = 0.3
"""So that nothing is written in the same instant."""


def _until(true: Callable[[], bool], seconds: float) -> None:
    """Wait until it is true, or for so long; what is still missing then is named by whoever looks."""
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.1)


class Damage(StrEnum):
    """What is done to the database."""

    ROWS = "rows dropped"
    FOLDER = "data folder deleted"


@dataclass
class Report:
    """What came of it."""

    damage: Damage
    seconds: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.damage}"]
        lines += [f"  {name:52} {count:8,}" for name, count in self.counts.items()]
        lines += [f"  {name:52} {seconds:6.1f} s" for name, seconds in self.seconds.items()]
        return "\n".join(
            [*lines, *(f"  WRONG: {one}" for one in self.wrong), f"  violations {len(self.wrong)}"]
        )

    async def take(self, found: AsyncIterator[str]) -> None:
        """Keep what is wrong."""
        self.wrong += [one async for one in found]


@dataclass
class _Seen:
    """What clients have seen at some time."""

    tables: list[Table]
    cursor: str
    events: list[str]
    """The ids of all events up to the cursor."""


async def recover(folder: Path, damage: Damage, *, moves: int = 6, matches: int = len(GAMES)) -> Report:
    """Run it once. `moves` are made in each of so many matches, before the backup, after it, and after the moment."""
    archive = folder / "archive"
    archive.mkdir()
    postgres = EmbeddedPostgres(folder / "postgres", settings=archiving(archive))
    async with AsyncExitStack() as stack:
        await asyncio.to_thread(postgres.start)
        stack.push_async_callback(asyncio.to_thread, postgres.stop)
        several = await asyncio.to_thread(stack.enter_context, several_on(postgres, folder, replicas=2))
        receiver = await stack.enter_async_context(receiving())
        client = await stack.enter_async_context(
            httpx.AsyncClient(base_url=several.urls[0], timeout=30, verify=False, trust_env=False)
        )
        run = _Run(Report(damage), postgres, several, receiver, client, archive)
        await run.listen()
        await run.play_and_back_up(moves, matches)
        async with after_the_moment.followed(client, run.first) as told:
            await run.damage_and_recover(damage)
            await run.look_back(moves)
            if "reset" not in told:
                run.report.wrong.append(f"a stream that was open all the time was told {told}")
        return run.report


class _Run:
    """One recovery."""

    def __init__(
        self,
        report: Report,
        postgres: EmbeddedPostgres,
        several: Several,
        receiver: Receiver,
        client: httpx.AsyncClient,
        archive: Path,
    ) -> None:
        self.report = report
        self._postgres = postgres
        self._several = several
        self._receiver = receiver
        self._client = client
        self._archive = archive
        self._folder = archive.parent / "postgres"
        self._superuser = postgres.url.replace("://foldtable@/foldtable?", f"://{SUPERUSER}@/postgres?")
        self._runbook = Runbook(
            {
                "DATABASE": self._superuser,
                "DATA": str(self._folder / "data"),
                "ARCHIVE": str(archive),
                "BACKUP": str(archive.parent / "base"),
            }
        )
        self._moment = ""
        self._then: _Seen
        self._lost: _Seen
        self._gone: Table
        self._repeated: dict[str, dict[str, Any]] = {}
        """The first move of each match after the moment."""

    @property
    def first(self) -> Table:
        """The first match, as it was seen last."""
        return self._lost.tables[0]

    async def listen(self) -> None:
        """Ask for webhooks and for the feed, as the tenant."""
        self._client.headers["authorization"] = f"Bearer {self._several.keys['manager']}"
        await asked(self._client, "PUT", "/v1/events/recording", json={"event_types": EVENTS})
        wanted = {"url": self._receiver.url, "event_types": EVENTS, "description": "receiver"}
        await asked(self._client, "POST", "/v1/webhooks/endpoints", json=wanted)
        self._client.headers["authorization"] = f"Bearer {self._several.key}"

    # ── before ─────────────────────────────────────────────────────────────────────────────────────

    async def play_and_back_up(self, moves: int, matches: int) -> None:
        """Play, take a base backup, play on, note the moment, and play on once more."""
        games = [tuple(GAMES)[number % len(GAMES)] for number in range(matches)]
        tables = [await new_table(self._client, game) for game in games]
        await self._play(tables, moves)
        await self._timed("base backup", self._runbook.take_base_backup)
        await self._play(tables, moves)
        self._then = await self._seen(tables)
        self._moment = await self._note_the_moment()
        self._gone = await new_table(self._client, games[0])
        later = [Table(one.match, one.game) for one in tables]
        await self._play(later, 1)
        self._repeated = {one.match: one.last_request for one in later}
        await self._play([*later, self._gone], moves - 1)
        self._lost = await self._seen(later)
        await self._until_delivered(self._lost.events)
        self.report.counts["matches"] = len(tables)
        self.report.counts["moves up to the moment"] = sum(one.version for one in self._then.tables)
        self.report.counts["moves after it, which are lost"] = sum(
            late.version - kept.version for late, kept in zip(self._lost.tables, tables, strict=True)
        )

    async def _play(self, tables: list[Table], moves: int) -> None:
        await asyncio.gather(*(play(self._client, one, moves) for one in tables))

    async def _seen(self, tables: list[Table]) -> _Seen:
        for one in tables:
            await look(self._client, one)
        events = [one async for one in after_the_moment.feed(self._client, "")]
        page = await asked(self._client, "GET", "/v1/events?limit=1000")
        return _Seen(tables, page["cursor"], events)

    async def _note_the_moment(self) -> str:
        await asyncio.sleep(A_MOMENT_SECONDS)
        ((moment,),) = await self._ask("SELECT clock_timestamp()::text")
        await asyncio.sleep(A_MOMENT_SECONDS)
        return str(moment)

    # ── damage and recovery ────────────────────────────────────────────────────────────────────────

    async def damage_and_recover(self, damage: Damage) -> None:
        """Do damage, and follow the page."""
        pid = self._postgres.pid
        assert pid is not None
        if damage is Damage.ROWS:
            await self._drop_rows()
            began = time.monotonic()
            await asyncio.to_thread(self._postgres.stop)
        else:
            await self._until_archived()
            began = time.monotonic()
            os.kill(pid, signal.SIGKILL)
            shutil.rmtree(self._folder / "data")
            await asyncio.to_thread(
                wait_for, lambda: self._postgres.pid is None, ARCHIVED_SECONDS, "it is gone"
            )
            await asyncio.to_thread(self._postgres.stop)
        await self._timed("put the backup in place", self._runbook.put_in_place, self._moment)
        await self._timed("apply the log up to the moment", self._postgres.start)
        await self._timed("audit", self._runbook.look_at_everything, self._several.database_url)
        await asyncio.to_thread(self._runbook.forget_the_settings)
        await asked(self._client, "GET", self._then.tables[0].path)
        self.report.seconds["from the damage until a client is answered"] = time.monotonic() - began

    async def _drop_rows(self) -> None:
        """Delete moves in the middle of matches, as nobody should, and a whole table."""
        with psycopg.connect(self._several.database_url, autocommit=True) as connection:
            connection.execute("DELETE FROM moves WHERE seq = 2")
            connection.execute("DROP TABLE snapshots CASCADE")

    async def _until_archived(self) -> None:
        """Wait until the moment is in the archive: on the disk that dies is what was written after it."""
        ((segment,),) = await self._ask("SELECT pg_walfile_name(pg_switch_wal())")
        await asyncio.to_thread(
            wait_for, (self._archive / str(segment)).exists, ARCHIVED_SECONDS, "the log is archived"
        )

    # ── after ──────────────────────────────────────────────────────────────────────────────────────

    async def look_back(self, moves: int) -> None:
        """Check that everything up to the moment is as it was, what clients are told that saw more, and play on."""
        kept, lost = self._then.tables, self._lost.tables
        report, client = self.report, self._client
        for one in kept:
            await report.take(after_the_moment.check_kept(client, one))
        for one, late in zip(kept, lost, strict=True):
            if late.version > one.version:
                one.last_request = late.last_request
                await report.take(after_the_moment.check_ahead(client, one, late.version))
                await report.take(after_the_moment.check_repeat(client, one, self._repeated[one.match]))
        gone = await client.get(self._gone.path)
        if gone.status_code != 404:
            report.wrong.append(f"a match made after the moment was answered {gone.status_code}")
        await report.take(
            after_the_moment.check_feed(client, self._then.cursor, self._lost.cursor, self._then.events)
        )
        for one in kept:
            await report.take(after_the_moment.check_goes_on(client, one, moves))
        told = [event async for event in after_the_moment.feed(client, "")]
        if told[: len(self._then.events)] != self._then.events or len(told) == len(self._then.events):
            report.wrong.append("the feed does not go on after the events of the moment")
        await self._until_delivered(told)
        report.wrong += after_the_moment.differences(self._sent, told)
        report.counts["webhooks about what is lost"] = len(set(self._sent) - set(told))
        report.counts["webhooks that came again"] = len(self._sent) - len(set(self._sent))
        await asyncio.to_thread(self._runbook.look_at_everything, self._several.database_url)

    @property
    def _sent(self) -> list[str]:
        return [one.event["id"] for one in self._receiver.received]

    async def _until_delivered(self, events: list[str]) -> None:
        """Wait until these have come by webhook, or their time is over."""
        await asyncio.to_thread(_until, lambda: not set(events) - set(self._sent), DELIVERED_SECONDS)

    async def _ask(self, statement: str) -> list[tuple[Any, ...]]:
        async with await psycopg.AsyncConnection.connect(self._superuser, autocommit=True) as connection:
            return await (await connection.execute(statement)).fetchall()  # type: ignore[call-overload,no-any-return]  # text of our own

    async def _timed(self, what: str, do: Callable[..., Any], *given: str) -> Any:
        began = time.monotonic()
        done = await asyncio.to_thread(do, *given)
        self.report.seconds[what] = time.monotonic() - began
        return done

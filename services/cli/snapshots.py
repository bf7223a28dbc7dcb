"""`foldtable snapshots`: snapshots of states. Nothing depends on them, so they may be deleted at any time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from engine.registry import game as registered_game
from engine.registry import has
from services.cli.accounts.database import HomeOption, database_of, in_database
from services.cli.console import fail, say
from services.movelog.failures import LogError
from services.movelog.log import MoveLog
from services.movelog.postgres.log import PostgresLog
from services.postgres.database import DatabaseSettings, SchemaMismatch, check_schema
from services.rules.match.snapshots import EVERY
from services.rules.match.snapshots import rebuild as rebuild_match

app = typer.Typer(
    help="Snapshots of states, which make views of earlier versions cheap.", no_args_is_help=True
)

MatchOption = Annotated[UUID | None, typer.Option("--match", help="Only of this match.")]


@app.command()
def delete(match: MatchOption = None, home: HomeOption = Path(".foldtable")) -> None:
    """Delete snapshots. Views of earlier versions are then folded from the beginning, until there are new ones."""
    number = _in_log(home, lambda log: log.snapshots.delete(match))
    say(f"{number} snapshots deleted")


@app.command()
def rebuild(match: MatchOption = None, home: HomeOption = Path(".foldtable")) -> None:
    """Fold every long match, or one, and write its snapshots again."""
    number = _in_log(home, lambda log: _rebuild(log, match))
    say(f"{number} snapshots written")


async def _rebuild(log: MoveLog, match_id: UUID | None) -> int:
    wanted = await log.snapshots.long_matches(EVERY) if match_id is None else [match_id]
    number = 0
    for one in wanted:
        match = await log.find(one)
        if has(match.game, match.rules_version):
            await log.snapshots.delete(one)
            number += await rebuild_match(log, match, registered_game(match.game, match.rules_version))
    return number


def _in_log(home: Path, work: Callable[[MoveLog], Awaitable[int]]) -> int:
    async def opened() -> int:
        async with await PostgresLog.open(DatabaseSettings(database_of(home))) as log:
            return await work(log)

    try:
        in_database(home, check_schema)
        return asyncio.run(opened())
    except (ValueError, LogError, SchemaMismatch) as problem:
        fail(str(problem))

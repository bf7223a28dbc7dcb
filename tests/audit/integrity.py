"""A database of random matches of every game, audited; then a byte of a row altered, again and again, and audited again."""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

from migrations.migrate import migrate
from services.audit import reading
from services.audit.auditing import Piece, audit_stretch
from services.embedded_postgres import EmbeddedPostgres
from tests.audit.rows import Row, program, say
from tests.support.auditing import altered, audit
from tests.support.played_matches import played, some_of_everything

MATCHES, FEW = 40, 6
BYTES, SOME = 400, 25
MOVES = 150
COLUMNS = {
    "request_id": "text",
    "request": "bytea",
    "events": "bytea",
    "previous_hash": "bytea",
    "hash": "bytea",
    "recorded_at": "timestamptz",
}


def prove(short: bool) -> Row:
    """Play, audit, alter, and audit each altered match again."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "postgres") as postgres:
        migrate(postgres.url)
        matches = FEW if short else MATCHES
        asyncio.run(
            played(
                postgres.url,
                lambda playing: some_of_everything(playing, matches=matches, moves=60 if short else MOVES),
            )
        )
        began = time.perf_counter()
        tally = audit(postgres.url)
        seconds = time.perf_counter() - began
        rows = tally.rows.total()
        say(
            f"{tally.matches} matches, {rows} rows, {rows / seconds:,.0f} rows/s in one process: {tally.wrong} wrong"
        )
        for finding in tally.findings[:10]:
            say(str(finding))
        missed = list(_missed(postgres.url, SOME if short else BYTES))
        for where in missed[:10]:
            say(f"not named: {where}")
    altered_bytes = SOME if short else BYTES
    what = f"{tally.matches} matches audited, then {altered_bytes} times a byte of a move altered: each named by match, row and column"
    return Row(
        proof="integrity",
        what=what,
        count=rows + altered_bytes,
        violations=tally.wrong + tally.doubtful + len(missed),
    )


def _missed(url: str, number: int) -> Iterator[str]:
    """Alter a byte of any column of any move, and give those that were not named."""
    whims = random.Random(9)
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT match_id, seq FROM moves ORDER BY match_id, seq").fetchall()
    for _ in range(number):
        match_id, seq = whims.choice(rows)
        column, kind = whims.choice([*COLUMNS.items()])
        where = f"match_id = '{match_id}' AND seq = {seq}"
        with altered(url, "moves", column, kind, where):
            found = _audited(url, match_id)
        if not any(one.seq == seq and column in one.column for one in found):
            yield f"{match_id} {seq} {column}"


def _audited(url: str, match_id: Any) -> list[Any]:
    wanted = reading.Wanted(url=url, match=match_id)
    stretch = reading.Stretch(after=reading.FIRST_ID, upto=reading.LAST_ID, matches=1)
    return audit_stretch(Piece(wanted=wanted, stretch=stretch)).findings


if __name__ == "__main__":
    sys.exit(program(__doc__, prove))

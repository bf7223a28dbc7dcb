"""A database of random matches of every game, audited; then a byte of a row altered, again and again, and audited again."""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import psycopg

from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from tests.proofs.audit.rows import Row, program, say
from tests.support.auditing import altered, audit, names
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
AT = "set_byte({{c}}, floor(length({{c}}) * {place})::int4, get_byte({{c}}, floor(length({{c}}) * {place})::int4) # 1)"
"""The byte at such a part of the value."""
SEATS = """
SELECT DISTINCT ON (game, before[1]) match_id, seq, before[1]
FROM moves JOIN matches ON matches.id = match_id,
     regexp_matches(convert_from(events, 'UTF8'), '"type":"[a-z_.]+","seat":(?=[0-9])', 'g') AS before
ORDER BY game, before[1], match_id, seq
"""
SEAT = """set_byte({{c}}, position('{before}'::bytea in {{c}}) + length('{before}') - 1,
    get_byte({{c}}, position('{before}'::bytea in {{c}}) + length('{before}') - 1) # 1)"""


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
        fault = [*_any_bytes(postgres.url, SOME if short else BYTES), *_any_seats(postgres.url)]
        missed = [what for one in fault if (what := _missed(postgres.url, one))]
        for what in missed[:10]:
            say(f"not named: {what}")
    what = f"{tally.matches} matches audited, then {len(fault)} times a byte of a move altered: each named by match, row and column"
    return Row(
        proof="integrity",
        what=what,
        count=rows + len(fault),
        violations=tally.wrong + tally.doubtful + len(missed),
    )


class Fault(NamedTuple):
    """A byte of a row of `moves`, to be altered."""

    match_id: UUID
    seq: int
    column: str
    how: str = ""
    """An expression; empty: as is usual for the column's type."""


def _any_bytes(url: str, number: int) -> Iterator[Fault]:
    """Yield bytes of any column of any move."""
    whims = random.Random(9)
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT match_id, seq FROM moves ORDER BY match_id, seq").fetchall()
    for _ in range(number):
        match_id, seq = whims.choice(rows)
        column = whims.choice([*COLUMNS])
        how = AT.format(place=whims.random()) if COLUMNS[column] == "bytea" else ""
        yield Fault(match_id, seq, column, how)


def _any_seats(url: str) -> Iterator[Fault]:
    """Yield the seat in one event of every type of every game: rules that fold it then look for what that seat has not."""
    with psycopg.connect(url) as connection:
        for match_id, seq, before in connection.execute(SEATS):
            yield Fault(match_id, seq, "events", SEAT.format(before=before))


def _missed(url: str, fault: Fault) -> str:
    """Alter a byte, audit everything of the match, and say what was not named; empty if it was."""
    match_id, seq, column, how = fault
    kind, where = COLUMNS[column], f"match_id = '{match_id}' AND seq = {seq}"
    with altered(url, "moves", column, kind, where, as_told=how):
        try:
            found = names(audit(url, match=match_id), "moves", column)
        except Exception as problem:  # noqa: BLE001 - an audit that ends there has named nothing
            return f"{match_id} {seq} {column}: {type(problem).__name__}"
    return "" if any(one.seq == seq for one in found) else f"{match_id} {seq} {column}"


if __name__ == "__main__":
    sys.exit(program(__doc__, prove))

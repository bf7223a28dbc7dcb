"""Arrays in binary form are what Postgres itself would make of the values."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.adapt import Transformer
from psycopg.pq import Format

from services.movelog.postgres import binary
from services.movelog.records import Append, Match, Status

SELECT = f"SELECT * FROM unnest({', '.join(f'${number}' for number in range(1, 15))})"


def test_postgres_reads_what_was_encoded(
    postgres_url: str, a_match: Callable[..., Match], a_move: Callable[..., Append]
) -> None:
    first = a_move(a_match(), recorded_at=datetime(1999, 7, 20, 20, 17, 40, 123_456, UTC), seat=None)
    second = replace(
        a_move(
            a_match(), seq=2_147_483_647, seat=32_767, request_id="\N{DRAGON}, \"'{}\\", request=b"\0\xff"
        ),
        status=Status.ENDED,
        to_act=(),
        outcome=b"{}",
        revocations=65_536,
    )
    rows = [binary.with_events(append, binary.row(append)) for append in (first, second)]
    with psycopg.connect(postgres_url, options="-c timezone=UTC") as connection:
        result = connection.pgconn.exec_params(
            SELECT.encode(),
            binary.columns(rows),
            [column.oid for column in binary.COLUMNS],
            [Format.BINARY] * len(binary.COLUMNS),
            Format.BINARY,
        )
        found = Transformer(connection)
        found.set_pgresult(result)
        loaded = found.load_rows(0, result.ntuples, tuple)
    assert loaded == [
        (
            append.move.match_id,
            append.move.seq,
            append.move.recorded_at,
            append.move.seat,
            append.move.request_id,
            append.move.previous_hash,
            append.move.hash,
            append.move.request,
            append.move.events,
            append.status.value,
            to_act,
            append.outcome,
            append.revocations,
            kinds,
        )
        for append, to_act, kinds in (
            (first, "{2,3}", "{match.started}"),
            (second, "{}", "{move.applied/32767,match.ended}"),
        )
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"seq": 2_147_483_648}, id="seq"),
        pytest.param({"seat": 32_768}, id="seat"),
    ],
)
def test_a_number_without_a_place_in_its_column_is_refused(
    a_match: Callable[..., Match], a_move: Callable[..., Append], wrong: dict[str, int]
) -> None:
    append = a_move(a_match())
    with pytest.raises(OverflowError):
        binary.row(replace(append, move=replace(append.move, **wrong)))

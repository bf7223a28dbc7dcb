"""Rows become records by the names of their columns, and on cold paths in no other way."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from services.movelog.postgres.lobby_queries import SEAT_COLUMNS
from services.movelog.postgres.queries import MATCH_COLUMNS
from services.movelog.records import Match, SeatRecord, Status
from services.platform.live.feed_rows import _COLUMNS, FeedRow
from services.postgres.database import DatabaseSettings, connect
from services.postgres.records import Reader, named_rows

SERVICES = Path(__file__).resolve().parents[2] / "services"
READ_BY_NAME = (SERVICES / "movelog", SERVICES / "platform", SERVICES / "webhooks" / "endpoints.py")
BY_POSITION = frozenset({"move_from"})
"""The rows of moves, which are many."""


class Stands(msgspec.Struct, frozen=True, kw_only=True):
    version: int
    status: Status
    title: str | None = None


stands = Reader(Stands, status=Status, title=str.upper)


def test_a_record_takes_each_column_by_its_name_whatever_their_order() -> None:
    assert stands({"title": "a", "status": "ended", "version": 3}) == Stands(
        version=3, status=Status.ENDED, title="A"
    )


def test_null_stays_none() -> None:
    assert stands({"version": 0, "status": "waiting", "title": None}).title is None


@pytest.mark.parametrize(
    "row",
    [
        {"version": 0, "status": "waiting", "title": None, "seats": 2},
        {"version": 0, "title": None},
        {"status": "waiting", "title": None},
    ],
)
def test_a_row_of_other_columns_is_no_record(row: dict[str, Any]) -> None:
    with pytest.raises((TypeError, KeyError)):
        stands(row)


@pytest.mark.parametrize(
    ("columns", "table", "kind"),
    [
        pytest.param(MATCH_COLUMNS, "matches", Match, id="matches"),
        pytest.param(SEAT_COLUMNS, "seats", SeatRecord, id="seats"),
        pytest.param(_COLUMNS, "matches", FeedRow, id="feeds"),
    ],
)
async def test_the_columns_are_those_of_the_record(
    database_url: str, columns: str, table: str, kind: type[msgspec.Struct]
) -> None:
    async with await connect(DatabaseSettings(database_url), name="test") as connection:
        cursor = await connection.execute(f"SELECT {columns} FROM {table} LIMIT 0")
        assert cursor.description is not None
        names = [column.name for column in cursor.description]
    assert sorted(names) == sorted(kind.__struct_fields__)


async def test_a_statement_that_returns_nothing_has_no_rows(database_url: str) -> None:
    async with await connect(DatabaseSettings(database_url), name="test") as connection:
        assert await named_rows(connection, "SET lock_timeout = 0", ()) == []
        assert await named_rows(connection, "SELECT $1::int4 AS one", (1,)) == [{"one": 1}]
        with pytest.raises(psycopg.errors.UndefinedColumn):
            await named_rows(connection, "SELECT nothing FROM matches", ())


def test_no_row_is_read_by_position_but_those_of_moves() -> None:
    files = [path for place in READ_BY_NAME for path in ([place] if place.is_file() else place.rglob("*.py"))]
    assert len(files) > 20
    by_position = {
        f"{path.relative_to(SERVICES)}: {function.name}"
        for path in files
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and function.name not in BY_POSITION
        for node in ast.walk(function)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == "row"
        and isinstance(node.slice, ast.Constant | ast.UnaryOp | ast.Slice)
        and not (isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str))
    }
    assert by_position == set()

"""Records of rows by the names of their columns, so that a column is named once in the SQL and once in the record.

A column has the name of its field, by `AS` where the table calls it otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from psycopg.rows import dict_row

from services.postgres.database import Connection

Record = TypeVar("Record")
NamedRow: TypeAlias = dict[str, Any]


class Reader(Generic[Record]):
    """Makes records of one kind."""

    def __init__(self, kind: type[Record], **read: Callable[[Any], Any]) -> None:
        """`read` makes of a column what its field holds, where the database gives something else; NULL stays None."""
        self._kind = kind
        self._read = tuple(read.items())

    def __call__(self, row: NamedRow) -> Record:
        """Return the record of a row; raise TypeError or KeyError for one that has other columns than the record fields."""
        values = dict(row)
        for name, read in self._read:
            if values[name] is not None:
                values[name] = read(values[name])
        return self._kind(**values)


async def named_rows(connection: Connection, query: str, values: Sequence[Any]) -> list[NamedRow]:
    """Run one statement and return its rows, each by the names of its columns; psycopg.Error."""
    async with connection.cursor(binary=True, row_factory=dict_row) as cursor:
        await cursor.execute(query, values)
        return await cursor.fetchall() if cursor.description is not None else []

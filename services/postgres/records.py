"""Makes records of rows by the names of columns, so that a column is named once in the SQL and once in the record.

A column has the name of its field; where the table has another name, the SQL renames it with `AS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from psycopg.rows import dict_row

from services.postgres.database import Connection

Record = TypeVar("Record")
NamedRow: TypeAlias = dict[str, Any]


class Reader(Generic[Record]):
    """Makes records of one class from rows."""

    def __init__(self, kind: type[Record], **read: Callable[[Any], Any]) -> None:
        """`read` has a function for each column whose value must be converted for its field; NULL stays None."""
        self._kind = kind
        self._read = tuple(read.items())

    def __call__(self, row: NamedRow) -> Record:
        """Return the record of a row. Raises TypeError or KeyError if the row's columns are not the record's fields."""
        values = dict(row)
        for name, read in self._read:
            if values[name] is not None:
                values[name] = read(values[name])
        return self._kind(**values)


async def named_rows(connection: Connection, query: str, values: Sequence[Any]) -> list[NamedRow]:
    """Run one statement and return its rows by the names of their columns. Raise psycopg.Error if the statement fails."""
    async with connection.cursor(binary=True, row_factory=dict_row) as cursor:
        await cursor.execute(query, values)
        return await cursor.fetchall() if cursor.description is not None else []

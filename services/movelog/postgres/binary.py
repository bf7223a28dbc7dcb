"""Appends in Postgres's binary form, encoded at once: many times faster than adapting item by item.

An array is a header (dimensions, whether it has nulls, the type of its items, length, lower bound) and its
items, each after its length; all numbers are big-endian.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Final, NamedTuple, TypeAlias

from services.movelog.events import kinds_of
from services.movelog.records import Append

Row: TypeAlias = tuple[bytes | None, ...]
"""One append: a value for each of COLUMNS, without the last if no events are written."""

_HEADER: Final = Struct(">iiiii")
_LENGTH: Final = Struct(">i")
_NULL: Final = _LENGTH.pack(-1)
_LOWER_BOUND: Final = 1
_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


class Column(NamedTuple):
    """The type of a column, by its oids in pg_type."""

    item_oid: int
    oid: int
    """The oid of an array of such items."""


UUID: Final = Column(2950, 2951)
INT2: Final = Column(21, 1005)
INT4: Final = Column(23, 1007)
INT8: Final = Column(20, 1016)
TEXT: Final = Column(25, 1009)
BYTEA: Final = Column(17, 1001)
TIMESTAMPTZ: Final = Column(1184, 1185)

COLUMNS: Final[tuple[Column, ...]] = (
    UUID,  # match_id
    INT4,  # seq
    TIMESTAMPTZ,  # recorded_at
    INT2,  # seat
    TEXT,  # request_id
    BYTEA,  # previous_hash
    BYTEA,  # hash
    BYTEA,  # request
    BYTEA,  # events
    TEXT,  # status
    TEXT,  # seats_to_act, as Postgres writes an array: rows differ in length
    BYTEA,  # outcome
    INT4,  # revocations
    TEXT,  # the kinds of its events, as Postgres writes an array; only if events are written
)
"""In the order of the parameters of `queries.APPEND_WITH_EVENTS`; those of `queries.APPEND` are one fewer."""
WITHOUT_EVENTS: Final = len(COLUMNS) - 1

CLOCKED_COLUMNS: Final = (
    *COLUMNS[:WITHOUT_EVENTS],
    TEXT,  # cause
    TEXT,  # kept, as Postgres writes an array
    TEXT,  # begun, likewise
    TEXT,  # people, likewise
    TEXT,  # resting, likewise
    TEXT,  # given, likewise
    INT8,  # what is added, in microseconds
    TEXT,  # the kinds of its events, likewise
)
"""In the order of the parameters of `clock_queries.APPEND`."""

MATCH_ID: Final = 0
SEQ: Final = 1
SEAT: Final = 3
REQUEST_ID: Final = 4
PREVIOUS_HASH: Final = 5
REVOCATIONS: Final = 12
CAUSE: Final = 13
GIVEN: Final = 18
"""Their positions in a row."""

TRUE: Final = b"\x01"
FALSE: Final = b"\x00"


def row(append: Append) -> Row:
    """Return one encoded append. Raises OverflowError or UnicodeEncodeError if a value does not fit into its column."""
    move = append.move
    written = (
        move.match_id.bytes,
        move.seq.to_bytes(4, "big", signed=True),
        ((move.recorded_at - _EPOCH) // _MICROSECOND).to_bytes(8, "big", signed=True),
        None if move.seat is None else move.seat.to_bytes(2, "big", signed=True),
        move.request_id.encode(),
        move.previous_hash,
        move.hash,
        move.request,
        move.events,
        append.status.encode(),
        _seats(append.to_act),
        append.outcome,
        None if append.revocations is None else append.revocations.to_bytes(4, "big", signed=True),
    )
    tick = append.tick
    if tick is None:
        return written
    seats = map(_seats, (tick.kept, tick.begun, tick.people, tick.resting, tick.given))
    added = (tick.added // _MICROSECOND).to_bytes(8, "big", signed=True)
    return (*written, tick.cause.encode(), *seats, added, kinds_of(append).encode())


def with_events(append: Append, row: Row) -> Row:
    """Return a row with the kinds of its events added."""
    return (*row, kinds_of(append).encode())


def columns(rows: Sequence[Row], types: tuple[Column, ...] = COLUMNS) -> tuple[bytes, ...]:
    """Return one array per column; either all rows have events, or none."""
    by_column = zip(*rows, strict=True)
    return tuple(array(column, items) for column, items in zip(types, by_column, strict=False))


def _seats(seats: Sequence[int]) -> bytes:
    return f"{{{','.join(map(str, seats))}}}".encode()


def array(column: Column, items: Sequence[bytes | None]) -> bytes:
    """Return one encoded array."""
    parts = [_HEADER.pack(1, None in items, column.item_oid, len(items), _LOWER_BOUND)]
    for item in items:
        if item is None:
            parts.append(_NULL)
        else:
            parts.append(_LENGTH.pack(len(item)))
            parts.append(item)
    return b"".join(parts)

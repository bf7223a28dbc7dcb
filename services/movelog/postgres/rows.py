"""Conversion between the rows of Postgres and the records of the log.

Rows are read by name. Only those of moves are read by position: a replay or an export reads thousands, and a row takes
1.4 µs by position and 9 µs by name. Appends are encoded in binary (binary.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

import msgspec

from engine.kernel.codec import encode
from engine.match.commands import PausedBy
from services.movelog.clocks import clock_from, stored
from services.movelog.events import kinds_of
from services.movelog.identities import Identity, SeatIdentities
from services.movelog.lobby import MARK_BYTES, SeatGiven
from services.movelog.notes import Notes
from services.movelog.postgres.proposals import todos_from
from services.movelog.records import (
    Append,
    ForkedFrom,
    JoinedBy,
    Match,
    Move,
    ReplacedPlayer,
    Seating,
    SeatRecord,
    SeatState,
    StartRule,
    Status,
    UndoRule,
    Visibility,
)
from services.postgres.records import NamedRow, Reader

match_from: Final = Reader(
    Match,
    status=Status,
    to_act=tuple,
    visibility=Visibility,
    start=StartRule,
    undo=UndoRule,
    undo_timeout=lambda seconds: timedelta(seconds=seconds),
    forked_from=msgspec.json.Decoder(ForkedFrom).decode,
    clock=clock_from,
    bot_pace=lambda milliseconds: timedelta(milliseconds=milliseconds),
    paused_by=PausedBy,
)
"""Converts a row of `queries.MATCH_COLUMNS`."""
seat_from: Final = Reader(
    SeatRecord,
    state=SeatState,
    joined_by=JoinedBy,
    replaced=lambda kept: msgspec.convert(kept, tuple[ReplacedPlayer, ...]) if kept else (),
)
"""Converts a row of `lobby_queries.SEAT_COLUMNS`."""


def match_values(match: Match) -> tuple[Any, ...]:
    """Return the values of `queries.MATCH_COLUMNS`, as `queries.CREATE` takes them."""
    return (
        match.id,
        match.tenant,
        match.game,
        match.rules_version,
        match.seats,
        match.options,
        match.secret,
        match.commitment,
        match.created_at,
        match.request_id,
        match.status.value,
        match.version,
        list(match.to_act),
        match.outcome,
        match.updated_at,
        match.visibility.value,
        match.start.value,
        match.title,
        match.rematch_of,
        match.watch_generation,
        match.undo.value,
        int(match.undo_timeout.total_seconds()),
        None if match.forked_from is None else encode(match.forked_from),
        None if match.clock is None else stored(match.clock),
        match.original_id,
        match.bot_pace // timedelta(milliseconds=1),
    )


_TO_ACT: Final = 12
"""The position of `to_act` in `match_values`."""
notes_from: Final = Reader(Notes, metadata=str.encode)
"""Converts a row of `note_queries.NOTES`."""


def move_from(row: tuple[Any, ...]) -> Move:
    """Return the move of a row of `queries.MOVE_COLUMNS`."""
    return Move(
        match_id=row[0],
        seq=row[1],
        seat=row[2],
        request_id=row[3],
        request=row[4],
        events=row[5],
        previous_hash=row[6],
        hash=row[7],
        recorded_at=row[8],
    )


def move_columns(moves: Sequence[Move]) -> tuple[list[Any], ...]:
    """Return the columns of many rows, as `queries.IMPORT` takes them."""
    return (
        [move.seq for move in moves],
        [move.recorded_at for move in moves],
        [move.seat for move in moves],
        [move.request_id for move in moves],
        [move.previous_hash for move in moves],
        [move.hash for move in moves],
        [move.request for move in moves],
        [move.events for move in moves],
    )


def seat_given_from(row: NamedRow) -> SeatGiven:
    """Return the seat of a row of `lobby_queries.REQUESTED`; its mark ends with the seat's generation, unless that is the first."""
    marked = row.pop("mark")
    mark, generation = marked[:MARK_BYTES], marked[MARK_BYTES:]
    return SeatGiven(**row, mark=mark, generation=int.from_bytes(generation))


def seat_values(seats: Sequence[SeatRecord]) -> tuple[list[Any], ...]:
    """Return the columns of new seats, as `queries.INSERT_MATCH` takes them."""
    return (
        [row.seat for row in seats],
        [row.state.value for row in seats],
        [row.player for row in seats],
        [row.name for row in seats],
        [row.generation for row in seats],
        [row.joined_by.value for row in seats],
        [row.bot for row in seats],
        [row.data for row in seats],
        [row.account for row in seats],
    )


def new_match_columns(
    matches: Sequence[Match], notes: Sequence[Notes], seats: Sequence[Sequence[SeatRecord]]
) -> tuple[list[Any], ...]:
    """Return the columns of new matches, their notes and their seats, as `batch_queries.CREATE` takes them: nobody has to act yet."""
    of_matches = [list(column) for column in zip(*map(match_values, matches), strict=True)]
    del of_matches[_TO_ACT]
    of_notes = [list(column) for column in zip(*map(note_values, notes), strict=True)]
    places = [match.id for match, rows in zip(matches, seats, strict=True) for _ in rows]
    return (*of_matches, *of_notes, places, *seat_values([row for rows in seats for row in rows]))


def note_values(notes: Notes) -> tuple[str, str]:
    """Return the notes about a new match, as `queries.INSERT_MATCH` takes them."""
    return notes.reference, notes.metadata.decode()


def identities_from(row: NamedRow) -> SeatIdentities:
    """Return the identities of a row with `seat`, `salt`, `erased` and `replaced`."""
    present = Identity(salt=row["salt"] or b"", erased=row["erased"] or b"")
    return SeatIdentities(
        seat=row["seat"], present=present, earlier=tuple([earlier_identity(one) for one in row["replaced"]])
    )


def earlier_identity(kept: dict[str, Any]) -> Identity:
    """Return the identity of an entry of `seats.replaced`."""
    return Identity(salt=bytes.fromhex(kept.get("salt", "")), erased=bytes.fromhex(kept.get("erased", "")))


def players_values(
    seats: Sequence[SeatRecord], identities: Sequence[SeatIdentities]
) -> tuple[list[Any], ...]:
    """Return the columns of `queries.IMPORT_PLAYERS`: without identities, seats keep the salts that they were given."""
    known = {one.seat: one for one in identities}
    given = [known.get(row.seat) or SeatIdentities(seat=row.seat) for row in seats]
    return (
        [row.seat for row in seats],
        [_kept_of(row, one) for row, one in zip(seats, given, strict=True)],
        [one.present.salt or None for one in given],
        [one.present.erased or None for one in given],
        [row.seat in known for row in seats],
    )


def _kept_of(row: SeatRecord, identities: SeatIdentities) -> str:
    """Return the value of `seats.replaced`: the salts and commitments stand beside the players there."""
    players = [msgspec.to_builtins(one) for one in row.replaced]
    for player, identity in zip(players, identities.earlier, strict=False):
        if identity.salt:
            player["salt"] = identity.salt.hex()
        if identity.erased:
            player["erased"] = identity.erased.hex()
    return msgspec.json.encode(players).decode()


def seating_from(rows: Sequence[NamedRow]) -> Seating:
    """Return the seating of at least one row of `lobby_queries.SEATING`; a seat without a row is open."""
    first = rows[0]
    of_match = {name: first[name] for name in ("watch_generation", "revocations", "title")}
    known = {
        row["seat"]: seat_from({name: row[name] for name in SeatRecord.__struct_fields__})
        for row in rows
        if row["seat"] is not None
    }
    seats = tuple(known.get(seat) or SeatRecord(seat=seat) for seat in range(first["seats"]))
    todos = todos_from(first["todos"]) if first["todos"] else ()
    return Seating(seats=seats, todos=todos, visibility=Visibility(first["visibility"]), **of_match)


def start_columns(appends: Sequence[Append]) -> tuple[list[Any], ...]:
    """Return the columns of first moves, as `batch_queries.START` takes them: an array in an array as Postgres writes it."""
    rows = [
        (*values[:10], f"{{{','.join(map(str, values[10]))}}}", *values[11:])
        for values in map(append_values, appends)
    ]
    return tuple(list(column) for column in zip(*rows, strict=True))


def append_values(append: Append) -> tuple[Any, ...]:
    """Return the values of an append, as `lobby_queries.START` takes them."""
    move = append.move
    return (
        move.match_id,
        move.seq,
        move.recorded_at,
        move.seat,
        move.request_id,
        move.previous_hash,
        move.hash,
        move.request,
        move.events,
        append.status.value,
        list(append.to_act),
        append.outcome,
        append.revocations,
        kinds_of(append),
    )

"""From the rows of Postgres to the records of the log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

import msgspec

from engine.kernel.codec import encode
from services.movelog.clocks import clock_from, stored
from services.movelog.events import kinds_of
from services.movelog.lobby import MARK_BYTES, SeatGiven
from services.movelog.records import (
    Append,
    ForkedFrom,
    JoinedBy,
    Match,
    Move,
    Seating,
    SeatRecord,
    SeatState,
    StartRule,
    Status,
    UndoRule,
    Visibility,
)

_FORKED_FROM: Final = msgspec.json.Decoder(ForkedFrom)


def match_from(row: tuple[Any, ...]) -> Match:
    """Read a row of `queries.MATCH_COLUMNS`."""
    return Match(
        id=row[0],
        tenant=row[1],
        game=row[2],
        rules_version=row[3],
        seats=row[4],
        options=row[5],
        secret=row[6],
        commitment=row[7],
        created_at=row[8],
        request_id=row[9],
        status=Status(row[10]),
        version=row[11],
        to_act=tuple(row[12]),
        outcome=row[13],
        updated_at=row[14],
        visibility=Visibility(row[15]),
        start=StartRule(row[16]),
        title=row[17],
        rematch_of=row[18],
        watch_generation=row[19],
        seats_left_out=row[20],
        undo=UndoRule(row[21]),
        undo_timeout=timedelta(seconds=row[22]),
        forked_from=None if row[23] is None else _FORKED_FROM.decode(row[23]),
        clock=None if row[24] is None else clock_from(row[24]),
    )


def match_values(match: Match) -> tuple[Any, ...]:
    """Give the values of `queries.MATCH_COLUMNS`, as `queries.CREATE` takes them."""
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
    )


def move_from(row: tuple[Any, ...]) -> Move:
    """Read a row of `queries.MOVE_COLUMNS`."""
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
    """Give the columns of many rows, as `queries.TAKE_IN` takes them."""
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


def seat_from(row: tuple[Any, ...]) -> SeatRecord:
    """Read a row of `lobby_queries.SEAT_COLUMNS`."""
    return SeatRecord(
        seat=row[0],
        state=SeatState(row[1]),
        player=row[2],
        name=row[3],
        generation=row[4],
        invite_generation=row[5],
        joined_by=JoinedBy(row[6]),
        bot=row[7],
        renamed=row[8],
        data=row[9],
    )


def seat_given_from(row: tuple[Any, ...]) -> SeatGiven:
    """Read a row of `lobby_queries.REQUESTED`: behind the mark stands the seat's generation then, unless it is the first."""
    match_id, seat, marked = row
    mark, generation = marked[:MARK_BYTES], marked[MARK_BYTES:]
    return SeatGiven(match_id=match_id, seat=seat, mark=mark, generation=int.from_bytes(generation))


def seat_values(seats: Sequence[SeatRecord]) -> tuple[list[Any], ...]:
    """Give the columns of new seats, as `queries.INSERT_MATCH` takes them."""
    return (
        [row.seat for row in seats],
        [row.state.value for row in seats],
        [row.player for row in seats],
        [row.name for row in seats],
        [row.generation for row in seats],
        [row.joined_by.value for row in seats],
        [row.bot for row in seats],
        [row.data for row in seats],
    )


def seating_from(rows: Sequence[tuple[Any, ...]]) -> Seating:
    """Read the rows of `lobby_queries.SEATING`, at least one; a seat without a row is open."""
    watch_generation, count, *_ = rows[0]
    known = {row[2]: seat_from(row[2:]) for row in rows if row[2] is not None}
    seats = tuple(known.get(seat) or SeatRecord(seat=seat) for seat in range(count))
    return Seating(seats=seats, watch_generation=watch_generation)


def append_values(append: Append) -> tuple[Any, ...]:
    """Give the values of an append, as `lobby_queries.START` takes them."""
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
        kinds_of(append),
    )

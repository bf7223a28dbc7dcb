"""Checks of values that every log makes before it stores them. A ValueError here is a bug of the caller, not a player's mistake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from engine.match.forking import MAX_MOVES
from services.movelog.records import Append, Match, Move, SeatRecord, Status
from services.process.bounds import MAX_REQUEST_ID

MAX_SEATS: Final = 32_767


def check_new(match: Match, seats: Sequence[SeatRecord]) -> tuple[SeatRecord, ...]:
    """Return all seats of a new match; those not named are open. Raises ValueError if a match cannot begin like this."""
    if match.version != 0:
        raise ValueError("a new match has version 0")
    if not 0 < match.seats <= MAX_SEATS:
        raise ValueError(f"a match has 1 to {MAX_SEATS} seats")
    check_text(match.tenant, match.game, match.rules_version, match.request_id or "", match.title)
    for row in seats:
        check_seat(row.seat, match.seats)
        check_text(row.player, row.name, row.bot)
    named = {row.seat: row for row in seats}
    if len(named) != len(seats):
        raise ValueError("a seat is named twice")
    return tuple(named.get(seat) or SeatRecord(seat=seat) for seat in range(match.seats))


def check_ended(match: Match, seats: Sequence[SeatRecord], moves: Sequence[Move]) -> None:
    """Raises ValueError unless a match can be stored with all its rows."""
    if match.status is not Status.ENDED or match.outcome is None or match.to_act:
        raise ValueError("only a match that has ended can be imported")
    if [move.seq for move in moves] != list(range(1, match.version + 1)):
        raise ValueError("a match must be imported with all its rows")
    if len({move.request_id for move in moves}) != len(moves):
        raise ValueError("a request id occurs twice")
    if [row.seat for row in seats] != list(range(match.seats)):
        raise ValueError("every seat must have its row")
    check_text(match.tenant, match.game, match.rules_version, *(move.request_id for move in moves))
    for row in seats:
        check_text(row.player, row.name)


def fork_origin(match: Match) -> UUID:
    """Return the match that a fork was made from. Raises ValueError for a match that is no fork."""
    if match.forked_from is None:
        raise ValueError("this match is no fork")
    return match.forked_from.match_id


def check_append(append: Append) -> None:
    """Raises ValueError for a move that no log could hold."""
    if not 0 < append.move.seq <= MAX_MOVES:
        raise ValueError(f"moves are counted from 1 to {MAX_MOVES}")
    if not 0 < len(append.move.request_id) <= MAX_REQUEST_ID:
        raise ValueError(f"a request id has 1 to {MAX_REQUEST_ID} characters")
    check_text(append.move.request_id)


def check_limit(limit: int | None) -> None:
    """Raises ValueError for a limit below zero."""
    if limit is not None and limit < 0:
        raise ValueError("a limit must not be negative")


def check_seat(seat: int, seats: int) -> None:
    """Raises ValueError if the match has no such seat."""
    if not 0 <= seat < seats:
        raise ValueError(f"the match has seats 0 to {seats - 1}")


def check_text(*texts: str) -> None:
    """Raises ValueError for text that Postgres cannot store: the NUL character, or half a surrogate pair."""
    for text in texts:
        if "\0" in text:
            raise ValueError("text must not contain the NUL character")
        text.encode()

"""From the rows of Postgres to the records of the log."""

from __future__ import annotations

from typing import Any

from services.movelog.records import Match, Move, SeatClaim, Status


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


def claim_from(row: tuple[Any, ...]) -> SeatClaim:
    """Read a row of seat, player, generation."""
    return SeatClaim(seat=row[0], player=row[1], generation=row[2])

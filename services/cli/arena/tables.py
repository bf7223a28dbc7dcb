"""The Parquet files of an arena: a row for each match, and for each seat in a match with the level that played it."""

from __future__ import annotations

from typing import Final

SHAPE: Final = """STRUCT(match STRUCT(
    game VARCHAR, number BIGINT, moves INTEGER, reason VARCHAR, levels VARCHAR[],
    seats STRUCT(seat INTEGER, won BOOLEAN, rank INTEGER, score INTEGER)[]))"""
"""What the tables need of a result, in DuckDB's words."""
TABLES: Final = {
    "matches": """
        SELECT result.match.game AS game, result.match.number AS number, result.match.moves AS moves,
            result.match.reason AS reason, [one.seat FOR one IN result.match.seats IF one.won] AS winners
        FROM results ORDER BY game, number
    """,
    "seats": """
        SELECT game, number, seat.seat AS seat, levels[seat.seat + 1] AS level, seat.won AS won,
            seat.rank AS rank, seat.score AS score
        FROM (
            SELECT result.match.game AS game, result.match.number AS number, result.match.levels AS levels,
                unnest(result.match.seats) AS seat
            FROM results
        ) ORDER BY game, number, seat
    """,
}
"""Each table of the folder, as it is made of the results."""

"""The Parquet files of a simulation: a row for each match, each seat, and each kind of action in a match."""

from __future__ import annotations

from typing import Final

SHAPE: Final = """STRUCT(matches STRUCT(
    number BIGINT, moves INTEGER, draws INTEGER, reason VARCHAR, actions MAP(VARCHAR, INTEGER),
    seats STRUCT(seat INTEGER, won BOOLEAN, rank INTEGER, score INTEGER)[])[])"""
"""What the tables need of a result, in DuckDB's words."""
TABLES: Final = {
    "matches": """
        SELECT match.number AS number, match.moves AS moves, match.draws AS draws, match.reason AS reason,
            [one.seat FOR one IN match.seats IF one.won] AS winners
        FROM (SELECT unnest(result.matches) AS match FROM results) ORDER BY number
    """,
    "seats": """
        SELECT number, seat.seat AS seat, seat.won AS won, seat.rank AS rank, seat.score AS score
        FROM (SELECT match.number AS number, unnest(match.seats) AS seat FROM (SELECT unnest(result.matches) AS match FROM results)) ORDER BY number, seat
    """,
    "actions": """
        SELECT number, action.key AS type, action.value AS times
        FROM (SELECT match.number AS number, unnest(map_entries(match.actions)) AS action FROM (SELECT unnest(result.matches) AS match FROM results))
        ORDER BY number, type
    """,
}
"""Each table of the folder, as it is made of the results."""

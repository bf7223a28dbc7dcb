"""The Parquet files of a mass replay: a row for each match, each seat of a match that has ended, and each kind of request."""

from __future__ import annotations

from typing import Final

SHAPE: Final = """STRUCT(matches STRUCT(
    match_id UUID, game VARCHAR, rules_version VARCHAR, replayed_by VARCHAR, seats INTEGER, status VARCHAR,
    moves INTEGER, draws INTEGER, reason VARCHAR, verdict VARCHAR, "at" INTEGER, place VARCHAR,
    logged VARCHAR, decided VARCHAR, why VARCHAR, actions MAP(VARCHAR, INTEGER),
    results STRUCT(seat INTEGER, won BOOLEAN, rank INTEGER, score INTEGER)[])[])"""
"""What the tables need of a result, in DuckDB's words."""
TABLES: Final = {
    "matches": """
        SELECT match.match_id AS match_id, match.game AS game, match.rules_version AS rules_version,
            match.replayed_by AS replayed_by, match.seats AS seats, match.status AS status, match.moves AS moves,
            match.draws AS draws, match.reason AS reason, match.verdict AS verdict, match."at" AS differs_at,
            match.place AS place, match.logged AS logged, match.decided AS decided, match.why AS why
        FROM (SELECT unnest(result.matches) AS match FROM results) ORDER BY match_id
    """,
    "seats": """
        SELECT match_id, seat.seat AS seat, seat.won AS won, seat.rank AS rank, seat.score AS score
        FROM (
            SELECT match.match_id AS match_id, unnest(match.results) AS seat
            FROM (SELECT unnest(result.matches) AS match FROM results)
        ) ORDER BY match_id, seat
    """,
    "actions": """
        SELECT match_id, action.key AS type, action.value AS times
        FROM (
            SELECT match.match_id AS match_id, unnest(map_entries(match.actions)) AS action
            FROM (SELECT unnest(result.matches) AS match FROM results)
        ) ORDER BY match_id, type
    """,
}
"""Each table of the folder, as it is made of the results."""

"""The Parquet files of an audit: a row for each finding, and for each stretch of matches with what was checked there."""

from __future__ import annotations

from typing import Final

SHAPE: Final = """STRUCT(
    matches BIGINT, rows MAP(VARCHAR, BIGINT), draws BIGINT, wrong BIGINT, doubtful BIGINT,
    findings STRUCT("table" VARCHAR, match_id UUID, seq BIGINT, "column" VARCHAR, what VARCHAR,
        expected VARCHAR, found VARCHAR, certain BOOLEAN)[])"""
"""What the tables need of a result, in DuckDB's words."""
TABLES: Final = {
    "findings": """
        SELECT finding.match_id AS match_id, finding."table" AS "table", finding.seq AS seq,
            finding."column" AS "column", finding.what AS what, finding.expected AS expected,
            finding.found AS found, finding.certain AS certain
        FROM (SELECT unnest(result.findings) AS finding FROM results)
        ORDER BY match_id, "table", seq, "column", what
    """,
    "stretches": """
        SELECT CAST(split_part(task, '..', 1) AS UUID) AS after, CAST(split_part(task, '..', 2) AS UUID) AS upto,
            result.matches AS matches, list_sum(map_values(result.rows)) AS rows, result.draws AS draws,
            result.wrong AS wrong, result.doubtful AS doubtful
        FROM results ORDER BY after, upto
    """,
}
"""Each table of the folder, as it is made of the results."""

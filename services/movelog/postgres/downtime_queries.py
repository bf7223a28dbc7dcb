"""Parts of SQL for the times in which no server takes moves."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from services.movelog.downtimes import TOLERANCE

NOW: Final = "statement_timestamp()"


def seconds(length: timedelta) -> str:
    """Return a length of time in SQL."""
    return f"interval '{length.total_seconds()} s'"


SILENT: Final = f"{NOW} - {seconds(TOLERANCE)}"
"""Whoever last said before this that moves are taken is silent."""
HAS_STOOD: Final = f"""EXISTS (
    SELECT FROM heartbeats AS stood
    WHERE stood.game = matches.game AND stood.rules_version = matches.rules_version AND stood.beat_at < {SILENT}
)"""
"""The condition that no server has taken moves of a match (a row of `matches`) for a while: its deadlines must be moved first."""

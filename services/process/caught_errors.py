"""Errors of ours that are caught so that nobody else suffers from them: each is counted, and logged with its place.

They are subscribers that could not be notified. Only the one that an error belongs to is affected; without a count and a log line
nobody would ever notice.
"""

from __future__ import annotations

from typing import Final

import structlog
from prometheus_client import Counter

from services.process.structured_logs import without_message

CAUGHT: Final = Counter(
    "foldtable_caught_errors",
    "Errors of this process that were caught before they reached others than their own caller. It should stay zero.",
    ["where"],
)

_log: Final = structlog.get_logger("foldtable.errors")


def log_caught(where: str, error: Exception) -> None:
    """Count an error and log it. `where` names what was done, never for whom."""
    CAUGHT.labels(where).inc()
    _log.error("internal error", what=where, **without_message(error))

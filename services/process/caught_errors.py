"""Errors of ours that are caught so that nobody else suffers from them: each is counted, and logged with its place.

They are answers that could not be given, listeners that could not be notified, moves that had to be made in the ordinary
way. Only the caller that an error belongs to is affected; without a count and a log line nobody would ever notice.
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
MOST_PLACES: Final = 1_000
"""Places that are remembered as logged. Each is a line of code, so that there are never so many."""

_log: Final = structlog.get_logger("foldtable.errors")
_logged: Final[set[tuple[str, str, int]]] = set()


def log_caught(where: str, error: Exception) -> None:
    """Count an error and log it. `where` names what was done, never for whom."""
    CAUGHT.labels(where).inc()
    _log.error("internal error", what=where, **without_message(error))


def log_caught_once(where: str, error: Exception) -> None:
    """Count an error that may come with every request; log only the first one of each line of code that raises it."""
    place = (where, *_line_of(error))
    if place in _logged or len(_logged) >= MOST_PLACES:
        CAUGHT.labels(where).inc()
        return
    _logged.add(place)
    log_caught(where, error)


def _line_of(error: Exception) -> tuple[str, int]:
    """Return the line of code that raised an error."""
    trace = error.__traceback__
    if trace is None:
        return type(error).__qualname__, 0
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename, trace.tb_lineno

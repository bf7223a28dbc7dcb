"""Logs of the migration on standard error: one JSON object per line, or text if FOLDTABLE_LOG_FORMAT is `console`.

Libraries' warnings go the same way. The services' logs look alike; a schema is brought forward without their code.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from types import TracebackType
from typing import Any, Final, NoReturn

import structlog

LOG_FORMAT: Final = "FOLDTABLE_LOG_FORMAT"


def configure_logs() -> structlog.typing.FilteringBoundLogger:
    """Send this process's logs to standard error; return the logger to use."""
    to_text = os.environ.get(LOG_FORMAT, "").lower() == "console"
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _place_of_exception,
                structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
                if to_text
                else structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("migrations").setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("migrations")
    return log


def give_up(event: str, **facts: Any) -> NoReturn:
    """Log in one line why the database was not migrated, and end this process with exit code 1."""
    structlog.get_logger("migrations").error(event, **facts)
    sys.exit(1)


def _place_of_exception(_logger: Any, _method: str, event: Any) -> Any:
    """Log the type and place of an exception, but not its message, which may quote a row."""
    given = event.pop("exc_info", None)
    error = given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        event |= {
            "kind": type(error).__qualname__,
            "exception": "".join(traceback.format_tb(error.__traceback__)),
        }
    return event


def _log_uncaught(_kind: type[BaseException], error: BaseException, _traceback: TracebackType | None) -> None:
    structlog.get_logger("migrations").critical("uncaught exception", exc_info=error)

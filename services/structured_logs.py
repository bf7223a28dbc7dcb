"""Structured logs of every service process: one JSON object a line, or plain text for a terminal."""

from __future__ import annotations

import logging
import sys
import traceback
from enum import StrEnum

import structlog


class LogFormat(StrEnum):
    JSON = "json"
    CONSOLE = "console"


def without_message(error: BaseException) -> dict[str, str]:
    """Give what is logged of an error: its kind and the lines that led to it.

    Neither its message nor variables: they may hold hidden cards.
    """
    return {
        "kind": type(error).__qualname__,
        "exception": "".join(traceback.format_tb(error.__traceback__)),
    }


def configure_logs(level: str, log_format: LogFormat) -> None:
    """Send all logs to standard error. Callers log ids, versions and codes, never payloads or credentials."""
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if log_format is LogFormat.JSON
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,  # text without local variables: they may hold hidden cards
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )

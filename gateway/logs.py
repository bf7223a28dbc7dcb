"""Structured logs on standard error: one JSON object a line, or plain text for a terminal.

Callers log ids, versions, reasons and durations, never bodies and never credentials.
"""

from __future__ import annotations

import logging
import sys
import traceback
from typing import Any, Literal

import msgspec
import structlog


def without_message(error: BaseException) -> dict[str, str]:
    """Give what is logged of an error that ends nothing: its kind and the lines that led to it; its message may quote a body."""
    return {
        "kind": type(error).__qualname__,
        "exception": "".join(traceback.format_tb(error.__traceback__)),
    }


def configure_logs(level: str, log_format: Literal["json", "console"]) -> None:
    """Send our logs, and what the libraries log, to standard error."""
    number = logging.getLevelNamesMapping()[level.upper()]
    shared: list[structlog.typing.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    lines = log_format == "json"
    structlog.configure(
        processors=[
            *shared,
            _json_line if lines else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer)
        if lines
        else structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer() if lines else structlog.dev.ConsoleRenderer(colors=False),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(number, logging.WARNING), force=True)


def _json_line(_logger: Any, _method: str, event: structlog.typing.EventDict) -> bytes:
    return msgspec.json.encode(event, enc_hook=repr)

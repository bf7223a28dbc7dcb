"""Structured logs on standard error: one JSON object a line, or plain text for a terminal.

Callers log ids, versions, reasons and durations, never bodies and never credentials. Log lines and warnings of libraries
and uncaught exceptions take the same path. Of an exception, only its type and place are logged, neither its message nor
variables, because they may quote a body. The services have a similar module, services/process/structured_logs.py; it is
separate because the gateway imports nothing from the services.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import traceback
from types import TracebackType
from typing import Any, Final, Literal, NoReturn

import msgspec
import structlog
from pydantic import ValidationError

from gateway.telemetry.tracing import add_trace

SETTINGS_PREFIX: Final = "FOLDTABLE_"
LogFormat = Literal["json", "console"]

_TRACEBACK: Final = "Traceback (most recent call last)"


def without_message(error: BaseException) -> dict[str, str]:
    """Return the facts to log about an error: its type and the lines that led to it.

    They include neither its message nor variables, because these may quote a body.
    """
    return {
        "kind": type(error).__qualname__,
        "exception": "".join(traceback.format_tb(error.__traceback__)),
    }


def configure_logs(level: str, log_format: LogFormat) -> None:
    """Send our logs and those of libraries to standard error."""
    number = logging.getLevelNamesMapping()[level.upper()]
    to_json = log_format == "json"
    structlog.configure(
        processors=[
            add_trace,
            structlog.processors.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _place_of_exception,
            _json_line
            if to_json
            else structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=_Lines if to_json else _Texts,
        cache_logger_on_first_use=True,
    )
    _take_in_libraries(number)


def cannot_start(event: str, **facts: Any) -> NoReturn:
    """Log in one line why this process cannot start, and end it with exit code 1."""
    structlog.get_logger("gateway.start").error(event, **facts)
    sys.exit(1)


def settings_do_not_fit(error: ValidationError) -> NoReturn:
    """Log which settings cannot be read, in the format that the environment asks for, and end this process."""
    configure_logs("info", format_of_environment())
    cannot_start("the settings do not fit", problems=[_problem(one) for one in error.errors()])


def format_of_environment() -> LogFormat:
    """Return the format of logs before the settings are read: JSON, unless the environment says text."""
    asked = os.environ.get(f"{SETTINGS_PREFIX}LOG_FORMAT", "")
    return "console" if asked.lower() == "console" else "json"


def _problem(one: Any) -> str:
    """Return the name of the variable and what is wrong with it, without its value, which may be a secret."""
    name = ".".join(map(str, one["loc"]))
    return f"{SETTINGS_PREFIX}{name.upper()}: {one['msg']}" if name else str(one["msg"])


# ── how a line is written ──────────────────────────────────────────────────────────────────────────────


class _Lines(structlog.BytesLogger):
    """Writes lines that are already bytes, each in one call, so that lines of several threads do not mix."""

    def __init__(self, name: str = "gateway") -> None:
        super().__init__(sys.stderr.buffer)
        self.name = name


class _Texts(structlog.WriteLogger):
    """Writes text for a terminal."""

    def __init__(self, name: str = "gateway") -> None:
        super().__init__(sys.stderr)
        self.name = name


def _json_line(_logger: Any, _method: str, event: structlog.typing.EventDict) -> bytes:
    try:
        return msgspec.json.encode(event, enc_hook=repr)
    except Exception:  # noqa: BLE001 - text that is not UTF-8, or a key that is not text: it is written anyway
        return json.dumps(event, default=repr, skipkeys=True).encode()


def _place_of_exception(
    _logger: Any, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Replace an exception by its type and the place where it happened."""
    given = event.pop("exc_info", None)
    if given is True:
        given = sys.exc_info()
    error = given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        event.update(without_message(error))
    return event


# ── logs of libraries ──────────────────────────────────────────────────────────────────────────────────


def _take_in_libraries(number: int) -> None:
    """Also log what libraries log (from warnings on), Python's warnings, and uncaught exceptions."""
    logging.raiseExceptions = False  # a line that cannot be logged must not print a traceback next to the log
    logging.basicConfig(handlers=[_Libraries()], level=max(number, logging.WARNING), force=True)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_uncaught_in_thread
    sys.unraisablehook = _log_unraisable


class _Libraries(logging.Handler):
    """Forwards records of the standard library's logging."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        facts = {} if error is None else without_message(error)
        log = structlog.get_logger(record.name)
        say = log.error if record.levelno >= logging.ERROR else log.warning
        say(_words_of(record), **facts)


def _words_of(record: logging.LogRecord) -> str:
    """Return a library's message, without the messages of exceptions that it quotes."""
    try:
        text = record.getMessage().strip()
    except Exception:  # noqa: BLE001 - the library's arguments do not match its format
        text = str(record.msg)
    if record.name == "asyncio":  # its messages also contain a task's result and a callback's arguments
        return text.partition("\n")[0].partition("(")[0].strip()
    before, quoted, _ = text.partition(_TRACEBACK)
    return (before.strip() or "an exception") if quoted else text


def _log_uncaught(_kind: type[BaseException], error: BaseException, _traceback: TracebackType | None) -> None:
    log = structlog.get_logger("gateway")
    if isinstance(error, KeyboardInterrupt):
        log.warning("interrupted")
    else:
        log.critical("uncaught exception", **without_message(error))


def _log_uncaught_in_thread(given: threading.ExceptHookArgs) -> None:
    if given.exc_value is not None and not isinstance(given.exc_value, SystemExit):
        name = given.thread.name if given.thread is not None else None
        structlog.get_logger("gateway").error(
            "uncaught exception", thread=name, **without_message(given.exc_value)
        )


def _log_unraisable(given: Any) -> None:
    """Log an exception that cannot be raised anywhere, such as one in a destructor, without the object destroyed."""
    facts = {} if given.exc_value is None else without_message(given.exc_value)
    structlog.get_logger("gateway").error("uncaught exception", what=type(given.object).__qualname__, **facts)

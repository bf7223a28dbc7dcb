"""Structured logs of every process, the gateway's included: one JSON object a line, or plain text for a terminal.

The log lines and warnings of libraries and uncaught exceptions go there as well. Of an exception only its type and the
place where it happened are logged, never its message or variables: they may contain hidden cards, or quote a body.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import traceback
from enum import StrEnum
from types import TracebackType
from typing import Any, Final, NoReturn

import msgspec
import structlog
from pydantic import ValidationError

from services.process.tracing import add_trace

SETTINGS_PREFIX: Final = "FOLDTABLE_"
_TRACEBACK: Final = "Traceback (most recent call last)"


class LogFormat(StrEnum):
    JSON = "json"
    CONSOLE = "console"


def without_message(error: BaseException) -> dict[str, str]:
    """Return what is logged of an error: its type and the lines that led to it.

    Its message and variables are left out, because they may contain hidden cards.
    """
    return {
        "kind": type(error).__qualname__,
        "exception": "".join(traceback.format_tb(error.__traceback__)),
    }


_debugging = False
"""Whether debug lines are logged."""


def is_debugging() -> bool:
    """Return whether debug lines are logged. Asking first costs a twentieth of a call that logs a line which is then dropped.

    Nothing but log lines may depend on it, so that what is debugged is what runs (tests/architecture/test_log_level.py).
    """
    return _debugging


def configure_logs(level: str, log_format: LogFormat, *, ids: structlog.typing.Processor = add_trace) -> None:
    """Send all logs of this process to standard error. Callers log ids, versions and codes, never payloads or credentials.

    `ids` adds the ids of the request that is being worked on.
    """
    global _debugging  # noqa: PLW0603 - the configuration of logs belongs to the whole process
    number = logging.getLevelNamesMapping()[level.upper()]
    _debugging = number <= logging.DEBUG
    to_json = log_format is LogFormat.JSON
    structlog.configure(
        processors=[
            ids,
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
    structlog.get_logger("foldtable.start").error(event, **facts)
    sys.exit(1)


def settings_do_not_fit(error: ValidationError) -> NoReturn:
    """Log which settings are invalid, in the format that the environment asks for, and end this process with exit code 1."""
    configure_logs("info", format_of_environment())
    cannot_start("the settings do not fit", problems=[_problem(one) for one in error.errors()])


def format_of_environment() -> LogFormat:
    """Return the format of logs before the settings are read: JSON, unless the environment asks for `console`."""
    asked = os.environ.get(f"{SETTINGS_PREFIX}LOG_FORMAT", "")
    return LogFormat.CONSOLE if asked.lower() == LogFormat.CONSOLE else LogFormat.JSON


def _problem(one: Any) -> str:
    """Return the variable's name and what is wrong with it, without its value, which may be a secret."""
    name = ".".join(map(str, one["loc"]))
    return f"{SETTINGS_PREFIX}{name.upper()}: {one['msg']}" if name else str(one["msg"])


# ── how a line is written ──────────────────────────────────────────────────────────────────────────────


class _Lines(structlog.BytesLogger):
    """Writes each line, which is already bytes, in one call, so that the lines of several threads do not mix."""

    def __init__(self, name: str = "foldtable") -> None:
        super().__init__(sys.stderr.buffer)
        self.name = name


class _Texts(structlog.WriteLogger):
    """Writes text for a terminal."""

    def __init__(self, name: str = "foldtable") -> None:
        super().__init__(sys.stderr)
        self.name = name


def _json_line(_logger: Any, _method: str, event: structlog.typing.EventDict) -> bytes:
    try:
        return msgspec.json.encode(event, enc_hook=repr)
    except Exception:  # noqa: BLE001 - a text that is not UTF-8, or a key that is not text: log the line nevertheless
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


# ── logs of libraries and of Python ────────────────────────────────────────────────────────────────────


def _take_in_libraries(number: int) -> None:
    """Log the warnings and errors of libraries, Python's warnings, and uncaught exceptions."""
    logging.raiseExceptions = False  # a line that cannot be logged is not worth a traceback beside the log
    logging.basicConfig(handlers=[_Libraries()], level=max(number, logging.WARNING), force=True)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_uncaught_in_thread
    sys.unraisablehook = _log_unraisable


class _Libraries(logging.Handler):
    """Forwards lines that are logged with the standard library's logging."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        facts = {} if error is None else without_message(error)
        log = structlog.get_logger(record.name)
        say = log.error if record.levelno >= logging.ERROR else log.warning
        say(_words_of(record), **facts)


def _words_of(record: logging.LogRecord) -> str:
    """Return a library's log message, without the tracebacks of exceptions that it quotes."""
    try:
        text = record.getMessage().strip()
    except Exception:  # noqa: BLE001 - the library's arguments do not fit its text
        text = str(record.msg)
    if record.name == "asyncio":  # its messages go on with results, arguments or a traceback
        return text.partition("\n")[0].partition("(")[0].strip()
    before, quoted, _ = text.partition(_TRACEBACK)
    return (before.strip() or "an exception") if quoted else text


def _log_uncaught(_kind: type[BaseException], error: BaseException, _traceback: TracebackType | None) -> None:
    log = structlog.get_logger("foldtable")
    if isinstance(error, KeyboardInterrupt):
        log.warning("interrupted")
    else:
        log.critical("uncaught exception", **without_message(error))


def _log_uncaught_in_thread(given: threading.ExceptHookArgs) -> None:
    if given.exc_value is not None and not isinstance(given.exc_value, SystemExit):
        name = given.thread.name if given.thread is not None else None
        structlog.get_logger("foldtable").error(
            "uncaught exception", thread=name, **without_message(given.exc_value)
        )


def _log_unraisable(given: Any) -> None:
    """Log an exception that Python cannot raise, such as that of a destructor, without the object that was destroyed."""
    facts = {} if given.exc_value is None else without_message(given.exc_value)
    structlog.get_logger("foldtable").error(
        "uncaught exception", what=type(given.object).__qualname__, **facts
    )

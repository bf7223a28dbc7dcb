"""What operators and tenants are told of a run: log lines, metrics, webhooks, the tenant's event feed.

None of it may depend on anything hidden, whoever it is hidden from.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

import httpx
import structlog
from prometheus_client import REGISTRY

from tests.proofs.leaks.listeners import send
from tests.proofs.leaks.recording import ALL_GAMES, EVERYBODY, RecordedPlace, Recording
from tests.proofs.leaks.system import READY, System

EVENT_TYPES: Final = ["match.created", "match.started", "match.ended", "move.applied", "turn.started"]
TIMED: Final = re.compile(r"_seconds_(bucket|sum)\[|_created\[|^process_|^python_")
"""Samples that say how long something took, or how much memory and time the process has used."""
BY_CHANCE: Final = re.compile(
    r"^foldtable_(follows|open_|webhook_behind|webhook_backlog)"
    r"|^foldtable_rpc_total.*(Watch|Follow|Play|CANCELLED)|/readyz"
)
"""Gauges, read while streams and webhooks are on their way or not; and how streams ended that both sides cut at once."""
STANDING_CALLS: Final = frozenset({"/foldtable.platform.v1.PlatformService/WatchFeed"})
"""Calls that the gateway makes again whenever one has ended. Each begins with a line at level debug, which only names the method."""
UNTIMED_FIELDS: Final = ("timestamp", "ms", "duration_ms", "milliseconds", "address", "seconds")
SIGNED: Final = frozenset({"webhook-id", "webhook-timestamp", "webhook-signature"})
"""Over a random id and the time."""
SECONDS: Final = 60
"""How long a webhook may take to arrive."""


class Behind:
    """Collects log lines and metrics of one run."""

    def __init__(self) -> None:
        self._lines: list[dict[str, Any]] = []
        self._before = _samples()

    def take_line(self, _logger: Any, _method: str, event: dict[str, Any]) -> str:
        """Take a log line as it is rendered; fields of time and place stay out."""
        begins_again = event.get("event") == "received" and event.get("method") in STANDING_CALLS
        if event.get("path") != READY and not begins_again:  # both are asked as often as it takes
            self._lines.append({name: value for name, value in event.items() if name not in UNTIMED_FIELDS})
        return ""

    def write_down(self, recording: Recording) -> None:
        """Write down what was collected; lines of tasks that run side by side come in any order."""
        lines = [json.dumps(line, sort_keys=True, default=repr).encode() for line in self._lines]
        recording.in_any_order(_place("log lines"), lines)
        grown = {name: value - self._before.get(name, 0) for name, value in _samples().items()}
        counted = [f"{name} {value}".encode() for name, value in grown.items() if value]
        recording.in_any_order(_place("metrics"), counted)


@contextmanager
def listening_behind(level: str) -> Iterator[Behind]:
    """Catch the log lines of a level, rendered as the services render them. At this level the services log meanwhile."""
    behind = Behind()
    number = logging.getLevelNamesMapping()[level.upper()]
    configured, was = structlog.is_configured(), structlog.get_config()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            behind.take_line,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.ReturnLoggerFactory(),
        cache_logger_on_first_use=False,
    )
    _forget_bound_loggers()
    handler = _Libraries(behind)
    logging.getLogger().addHandler(handler)
    try:
        with patch("services.process.structured_logs._debugging", number <= logging.DEBUG):
            yield behind
    finally:
        logging.getLogger().removeHandler(handler)
        if configured:
            structlog.configure(**was)
        else:
            structlog.reset_defaults()
        _forget_bound_loggers()


class _Libraries(logging.Handler):
    """What the libraries log, from warnings on, as in every process.

    But for the pool's word on a connection that a cut stream leaves in the middle of an answer: whether one does is chance.
    """

    def __init__(self, behind: Behind) -> None:
        super().__init__(logging.WARNING)
        self._behind = behind

    def emit(self, record: logging.LogRecord) -> None:
        if record.name == "psycopg.pool":
            return
        self._behind.take_line(None, "", {"logger": record.name, "event": record.getMessage()})


def _forget_bound_loggers() -> None:
    """Let loggers that were bound under another configuration ask for theirs anew."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("services.", "gateway.")):
            for value in list(vars(module).values()):
                if type(value).__name__ == "BoundLoggerLazyProxy":
                    vars(value).pop("bind", None)


def _samples() -> dict[str, float]:
    found = {
        f"{sample.name}{sorted(sample.labels.items())}": sample.value
        for metric in REGISTRY.collect()
        for sample in metric.samples
    }
    return {
        name: value for name, value in found.items() if not TIMED.search(name) and not BY_CHANCE.search(name)
    }


async def record_events(system: System, http: httpx.AsyncClient) -> None:
    """Let the tenant be told of everything, by webhook and in its feed."""
    endpoint = {"url": system.receiver.url, "event_types": EVENT_TYPES}
    made = await send(http, system.key, "POST", "/v1/webhooks/endpoints", json=endpoint)
    assert made.status_code == 201, made.text
    kept = await send(http, system.key, "PUT", "/v1/events/recording", json={"event_types": EVENT_TYPES})
    assert kept.status_code == 200, kept.text


async def write_down_directory(system: System, http: httpx.AsyncClient, recording: Recording) -> None:
    """Write down how the tenant finds its matches listed."""
    listed = await send(http, system.key, "GET", "/v1/matches", params={"page_size": 100})
    assert listed.status_code == 200, listed.text
    recording.hear(_place("directory", "GET /v1/matches"), listed.content)


DEADLINE: Final = re.compile(rb',"deadline":"[^"]*"')
"""Of a clock that still ran when the webhook was sent, which is a matter of milliseconds. The deadline itself is in every table."""


async def write_down_events(system: System, http: httpx.AsyncClient, recording: Recording) -> None:
    """Write down the tenant's feed of events, and what its endpoint was sent: each event at least once."""
    events, cursor = [], ""
    while True:
        page = await send(http, system.key, "GET", "/v1/events", params={"limit": 100, "after": cursor})
        found = page.json()["events"]
        if not found:
            break
        events += found
        cursor = page.json()["cursor"]
    told = [json.dumps(event, separators=(",", ":")).encode() for event in events]
    recording.in_any_order(_place("event feed", "GET /v1/events"), told)
    ids = {event["id"] for event in events}
    while not ids <= {request.event["id"] for request in system.receiver.received}:
        await system.receiver.until(len(system.receiver.received) + 1, SECONDS)
    sent = {
        request.event["id"]: DEADLINE.sub(b"", request.body)
        + b"".join(
            sorted(
                b"\r\n%s: %s" % (n.encode(), v.encode())
                for n, v in request.headers.items()
                if n not in SIGNED
            )
        )
        for request in system.receiver.received
    }
    recording.in_any_order(_place("webhooks"), list(sent.values()))


def _place(channel: str, what: str = "of the whole run") -> RecordedPlace:
    return RecordedPlace(channel, ALL_GAMES, 0, EVERYBODY, 0, what)

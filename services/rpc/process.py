"""The life of a gRPC process: settings, logs, serve until stopped, drain, and log why the process cannot start."""

from __future__ import annotations

import argparse
import asyncio
import signal
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

import structlog
import uvloop
from pydantic import ValidationError

from services.postgres.database import DatabaseUnreachable, SchemaMismatch
from services.postgres.sessions import SessionUnsuited
from services.process.metrics_port import serve_metrics
from services.process.rare_collection import exclude_what_exists
from services.process.structured_logs import cannot_start, configure_logs, settings_do_not_fit
from services.rpc.settings import RpcSettings

Settings = TypeVar("Settings", bound=RpcSettings)


class Server(Protocol):
    """A server that a process runs; services.rules.server.RulesServer is one."""

    async def start(self) -> str:
        """Start listening; return the address."""
        ...

    async def stop(self) -> None:
        """Drain, then close."""
        ...


def stop_signal() -> asyncio.Event:
    """Return an event that SIGTERM or SIGINT sets."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


async def serve_until(
    stop: asyncio.Event,
    server: Server,
    settings: RpcSettings,
    log: structlog.typing.FilteringBoundLogger,
    **facts: Any,
) -> None:
    """Serve until `stop` is set, then drain. The log line `serving` contains the address and the given facts."""
    address = await server.start()
    if settings.metrics_listen:
        facts["metrics"] = serve_metrics(settings.metrics_listen)
    exclude_what_exists()
    log.info("serving", address=address, **facts)
    await stop.wait()
    log.info("draining", seconds=settings.drain_seconds)
    await server.stop()


def run(
    module: str,
    shape: Callable[[], Settings],
    serve: Callable[[Settings], Awaitable[None]],
    *,
    description: str,
    settings: str,
) -> None:
    """Run a process to its end; `settings` names the most important settings, for `--help`."""
    argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        epilog=f"Settings are environment variables: {settings}, and more in {module.replace('.', '/')}/settings.py.",
    ).parse_args()
    try:
        found = shape()
    except ValidationError as error:
        settings_do_not_fit(error)
    configure_logs(found.log_level, found.log_format)

    async def until_stopped() -> None:
        await serve(found)

    try:
        uvloop.run(until_stopped())
    except DatabaseUnreachable as problem:
        cannot_start(str(problem), database=problem.database, why=problem.why)
    except (SchemaMismatch, SessionUnsuited) as problem:
        cannot_start("the database does not fit", why=str(problem))
    except (OSError, ValueError, RuntimeError) as error:  # a key that cannot be read, a port that is taken
        cannot_start("cannot serve", why=str(error))

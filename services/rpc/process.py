"""The life of a gRPC process: settings, logs, serve until told to stop, drain, and a plain word when it cannot start."""

from __future__ import annotations

import argparse
import asyncio
import gc
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

import psycopg
import structlog
import uvloop
from prometheus_client import start_http_server
from pydantic import ValidationError

from services.database import SchemaMismatch
from services.rpc.settings import RpcSettings
from services.structured_logs import configure_logs

Settings = TypeVar("Settings", bound=RpcSettings)


class Server(Protocol):
    """What is served: services.rules.server.RulesServer is one."""

    async def start(self) -> str:
        """Listen; give the address."""
        ...

    async def stop(self) -> None:
        """Drain and close."""
        ...


def told_to_stop() -> asyncio.Event:
    """Give an event that SIGTERM or SIGINT sets."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    return told


async def serve_until(
    told: asyncio.Event,
    server: Server,
    settings: RpcSettings,
    log: structlog.typing.FilteringBoundLogger,
    **facts: Any,
) -> None:
    """Serve until told to stop, then drain. The line `serving` says the address, and the facts given here."""
    address = await server.start()
    if settings.metrics_listen:
        host, _, port = settings.metrics_listen.rpartition(":")
        start_http_server(int(port), host)
    gc.collect()
    gc.freeze()  # what was built at the start lives to the end; measured: it halves the slowest answers
    log.info("serving", address=address, **facts)
    await told.wait()
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
    """Run a process to its end; `settings` are the most important ones, for `--help`."""
    argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        epilog=f"Settings are environment variables: {settings}, and more in {module.replace('.', '/')}/settings.py.",
    ).parse_args()
    try:
        found = shape()
    except ValidationError as error:
        sys.exit(f"the settings do not fit:\n{error}")
    configure_logs(found.log_level, found.log_format)

    async def until_stopped() -> None:
        await serve(found)

    try:
        uvloop.run(until_stopped())
    except (SchemaMismatch, psycopg.OperationalError) as error:
        sys.exit(f"the database does not fit: {error}")
    except (OSError, ValueError, RuntimeError) as error:  # a key that cannot be read, a port that is taken
        sys.exit(f"cannot serve: {error}")

"""The bot worker as a process: `python -m services.bots`. Settings come from the environment (settings.py)."""

from __future__ import annotations

import services.process.rare_collection  # noqa: F401 - before the imports that it makes cheaper

# isort: split
import argparse
import asyncio
from contextlib import suppress
from typing import Final

import structlog
import uvloop
from pydantic import ValidationError

from foldtable_client import ProblemError, Unreachable
from services.bots.api import Api
from services.bots.playing import Player
from services.bots.settings import BotsSettings, read_keys
from services.bots.thinking import Thinking
from services.bots.worker import Worker
from services.process.metrics_port import serve_metrics
from services.process.structured_logs import cannot_start, configure_logs, settings_do_not_fit
from services.rpc.process import stop_signal

TRY_AGAIN_SECONDS: Final = 5.0


async def serve(settings: BotsSettings, keys: tuple[str, ...]) -> None:
    """Play until SIGTERM or SIGINT, then finish the current moves."""
    log = structlog.get_logger("foldtable.bots")
    stop = stop_signal()
    serve_metrics(settings.metrics_listen)
    thinking = Thinking(settings.bot_processes)
    apis = [Api(settings.gateway, key) for key in keys]
    try:
        if set(settings.bot_levels) != {"random"}:
            await thinking.warm_up()
        async with asyncio.TaskGroup() as working:
            for api in apis:
                working.create_task(_work(settings, api, thinking, stop))
    finally:
        thinking.close()
        for api in apis:
            await api.close()
    log.info("stopped")


async def _work(settings: BotsSettings, api: Api, thinking: Thinking, stop: asyncio.Event) -> None:
    log = structlog.get_logger("foldtable.bots")
    while not stop.is_set():
        try:
            tenant = await api.tenant()
            break
        except (Unreachable, ProblemError) as problem:  # the key may be made after the worker has started
            log.warning("the gateway refuses the worker's key", error=str(problem))
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), TRY_AGAIN_SECONDS)
    else:
        return
    log.info("playing", tenant=tenant, levels=settings.bot_levels, gateway=settings.gateway)
    player = Player(api, thinking, settings.bot_seconds)
    worker = Worker(api, player, settings.bot_levels, poll_seconds=settings.bot_poll_seconds)
    await worker.run(stop, drain_seconds=settings.drain_seconds)


def main() -> None:
    argparse.ArgumentParser(
        prog="python -m services.bots",
        description="Play the seats of the built-in bots over the public API.",
        epilog="Settings are environment variables: FOLDTABLE_GATEWAY, FOLDTABLE_BOTS_KEY_FILE, FOLDTABLE_BOT_LEVELS, "
        "and more in services/bots/settings.py.",
    ).parse_args()
    try:
        settings = BotsSettings()  # type: ignore[call-arg]  # the environment gives what it needs
    except ValidationError as error:
        settings_do_not_fit(error)
    configure_logs(settings.log_level, settings.log_format)
    run(settings)


def run(settings: BotsSettings) -> None:
    """Run a worker to its end, or log why it cannot play."""
    try:
        uvloop.run(serve(settings, read_keys(settings.bots_key_file)))
    except (OSError, ValueError) as error:  # no key, or a port that is taken
        cannot_start("cannot play", why=str(error))


if __name__ == "__main__":
    main()

"""The bot worker as a process: `python -m services.bots`. Settings come from the environment (settings.py)."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import suppress
from typing import Final

import structlog
import uvloop
from prometheus_client import start_http_server
from pydantic import ValidationError

from services.bots.api import Api
from services.bots.playing import Player
from services.bots.settings import BotsSettings, read_keys
from services.bots.thinking import Thinking
from services.bots.worker import Worker
from services.cli.rest import OutOfPatience, RestProblem
from services.rpc.process import told_to_stop
from services.structured_logs import configure_logs

TRY_AGAIN_SECONDS: Final = 5.0


async def serve(settings: BotsSettings, keys: tuple[str, ...]) -> None:
    """Play until SIGTERM or SIGINT, then finish the moves under way."""
    log = structlog.get_logger("foldtable.bots")
    told = told_to_stop()
    if settings.metrics_listen:
        host, _, port = settings.metrics_listen.rpartition(":")
        start_http_server(int(port), host)
    thinking = Thinking(settings.bot_processes)
    apis = [Api(settings.gateway, key) for key in keys]
    try:
        if set(settings.bot_levels) != {"random"}:
            await thinking.warm_up()
        async with asyncio.TaskGroup() as working:
            for api in apis:
                working.create_task(_work(settings, api, thinking, told))
    finally:
        thinking.close()
        for api in apis:
            await api.close()
    log.info("stopped")


async def _work(settings: BotsSettings, api: Api, thinking: Thinking, told: asyncio.Event) -> None:
    log = structlog.get_logger("foldtable.bots")
    while not told.is_set():
        try:
            tenant = await api.tenant()
            break
        except (OutOfPatience, RestProblem) as problem:  # a key may be made after the worker
            log.warning("the gateway does not let us in", error=str(problem))
            with suppress(TimeoutError):
                await asyncio.wait_for(told.wait(), TRY_AGAIN_SECONDS)
    else:
        return
    log.info("playing", tenant=tenant, levels=settings.bot_levels, gateway=settings.gateway)
    player = Player(api, thinking, settings.bot_seconds)
    worker = Worker(api, player, settings.bot_levels, poll_seconds=settings.bot_poll_seconds)
    await worker.run(told, drain_seconds=settings.drain_seconds)


def main() -> None:
    argparse.ArgumentParser(
        prog="python -m services.bots",
        description="Play the seats of the house's bots over the public API.",
        epilog="Settings are environment variables: FOLDTABLE_GATEWAY, FOLDTABLE_BOTS_KEY_FILE, FOLDTABLE_BOT_LEVELS, "
        "and more in services/bots/settings.py.",
    ).parse_args()
    try:
        settings = BotsSettings()  # type: ignore[call-arg]  # the environment gives what it needs
    except ValidationError as error:
        sys.exit(f"the settings do not fit:\n{error}")
    configure_logs(settings.log_level, settings.log_format)
    run(settings)


def run(settings: BotsSettings) -> None:
    """Run a worker to its end, or say plainly why it cannot play."""
    try:
        uvloop.run(serve(settings, read_keys(settings.bots_key_file)))
    except (OSError, ValueError) as error:  # no key, or a port that is taken
        sys.exit(f"cannot play: {error}")


if __name__ == "__main__":
    main()

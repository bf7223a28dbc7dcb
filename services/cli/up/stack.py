"""The whole system on one machine: Postgres, rules servers, platform service, gateway, bots. Started, watched and stopped in order.

The order is Postgres, the schema, rules servers and platform service, the gateway, then the bots, whose readiness is not
awaited. Stopping is in reverse order, so that no process calls a stopped one. A process that ends by itself is
restarted: acknowledged moves are in the log, so nothing is lost, and clients see 503 for a moment.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from engine.registry import GAMES, REFUSED, SHADOWED, distribution, is_own
from services.cli.up.child import Child, ChildFailed, run_once
from services.cli.up.development_key import ensure_development_key, ensure_key
from services.cli.up.home import Home, Part, Running
from services.cli.up.ports import LOOPBACK, free_port, port_near
from services.cli.up.readiness import grpc_serves, http_ready
from services.embedded_postgres import EmbeddedPostgres, EmbeddedPostgresError
from services.identity.scopes import Scope
from services.rules.served_games import NoGames, usable_games

DRAIN_SECONDS: Final = 5
GRACE_SECONDS: Final = DRAIN_SECONDS + 10.0
WATCH_SECONDS: Final = 0.25
POSTGRES_PAUSE: Final = 1.0
"""Pause before another attempt to start Postgres."""


@dataclass(frozen=True)
class StackSettings:
    """Settings of a stack."""

    home: Path
    port: int
    """The gateway's port; free when the stack is started."""
    grpc_port: int = 0
    """The first rules server's port, or the next free one; 0: any."""
    metrics_port: int = 0
    """Port of the first process's metrics; the others use the next free ones; 0: no metrics."""
    database_url: str | None = field(default=None, repr=False)
    """Address of the user's own Postgres; None: an embedded one in `home`."""
    process_per_game: bool = False
    own_servers: bool = False
    """Serve the games of each other distribution from a rules server of their own."""
    bots: bool = False
    """Run a worker that plays the built-in bots."""
    cors_origins: str = "*"
    """Origins whose pages may call: any, since a developer's page may be served from anywhere. That is safe on loopback:
    credentials travel in headers, which a foreign page does not have, and never in cookies."""
    log_level: str = "info"


class Stack:
    """Starts, watches and stops all processes. One stack per home at a time."""

    def __init__(self, settings: StackSettings, say: Callable[[str], None]) -> None:
        self._settings = settings
        self._say = say
        self._home = Home(settings.home.absolute())
        self._postgres = None if settings.database_url else EmbeddedPostgres(self._home.postgres)
        self._rules: list[Child] = []
        self._foreign: list[Child] = []
        """Those of the rules servers that serve only games of others."""
        self._platform: Child | None = None
        self._gateway: Child | None = None
        self._bots: Child | None = None
        self._metrics: dict[str, str] = {}
        self._next_metrics_port = settings.metrics_port
        self._lock: int | None = None
        self._keepers: list[asyncio.Task[None]] = []
        self._postgres_keeper: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self.key = ""
        """The development key."""

    @property
    def grpc_addresses(self) -> tuple[str, ...]:
        """Return the addresses of the rules servers."""
        return tuple(child.address for child in self._rules)

    @property
    def address(self) -> str:
        """Return the address of the gateway."""
        return f"http://{LOOPBACK}:{self._settings.port}"

    async def start(self) -> None:
        """Start everything. Raises HomeInUse, EmbeddedPostgresError, ChildFailed, NoGames, OSError. Call `stop` in any case."""
        self._lock = self._home.own()
        self._home.prepare()
        database_url = self._settings.database_url or await self._start_postgres()
        await run_once(
            "the migration",
            "migrations",
            environment={"FOLDTABLE_DATABASE_URL": database_url, "FOLDTABLE_LOG_FORMAT": "json"},
            log=self._home.log("migrations"),
        )
        self.key = await ensure_development_key(database_url, self._home.development_key)
        if self._settings.bots:
            await ensure_key(database_url, self._home.bots_key, frozenset({Scope.BOTS_PLAY}))
        self._make_children(database_url)
        async with asyncio.TaskGroup() as starting:
            for child in self._services():
                starting.create_task(
                    self._start_if_possible(child) if child in self._foreign else child.start()
                )
        assert self._gateway is not None
        await self._gateway.start()  # after the services, so that its first call finds them
        if self._bots is not None:
            await self._bots.start()
        self._keepers = [asyncio.create_task(child.keep(self._write_running)) for child in self._children()]
        if self._postgres is not None:
            self._postgres_keeper = asyncio.create_task(self._keep_postgres(self._postgres))
        self._write_running()

    async def stop(self) -> None:
        """Stop everything in order: gateway, services, Postgres. Safe after a start that failed half-way."""
        self._stopping.set()
        if self._lock is None:  # another process runs the system, or none does
            return
        for keeper in self._keepers:
            keeper.cancel()
        ended = await asyncio.gather(*self._keepers, return_exceptions=True)
        if self._bots is not None:
            await self._bots.stop()
        if self._gateway is not None:
            await self._gateway.stop()
        await asyncio.gather(*(child.stop() for child in self._services()))
        if self._postgres is not None:
            if self._postgres_keeper is not None:  # it ends by itself, after a pending start
                ended += await asyncio.gather(self._postgres_keeper, return_exceptions=True)
            await asyncio.to_thread(self._postgres.stop)
        self._home.write_running(None)
        os.close(self._lock)
        self._lock = None
        for end in ended:
            if isinstance(end, Exception):  # a bug of ours: cancellation is no Exception
                raise end

    async def _start_if_possible(self, child: Child) -> None:
        """Start a rules server of games of others. Ours are played without it; it is tried again whenever it ends."""
        try:
            await child.start()
        except ChildFailed as problem:
            self._say(str(problem))

    def keepers(self) -> set[asyncio.Task[None]]:
        """Return the tasks that watch the processes. They run until `stop`; one that ends earlier has a bug."""
        return {*self._keepers, *([self._postgres_keeper] if self._postgres_keeper is not None else [])}

    def parts(self) -> tuple[Part, ...]:
        """Return the current processes."""
        servers = tuple(
            Part(child.name, child.pid, child.address, self._metrics.get(child.name, ""))
            for child in self._children()
        )
        if self._postgres is None:
            return servers
        return (Part("postgres", self._postgres.pid, self._postgres.url), *servers)

    async def _start_postgres(self) -> str:
        assert self._postgres is not None
        self._say("starting Postgres ...")
        starting = asyncio.create_task(asyncio.to_thread(self._postgres.start))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            # A thread cannot be cancelled, and `stop` must not overtake it; its result no longer matters.
            await asyncio.gather(starting, return_exceptions=True)
            raise

    def _make_children(self, database_url: str) -> None:
        self._metrics_listen("gateway")  # so that it gets the wanted port
        games = self._usable_games()
        places: dict[str, str] = {}
        for name, served in self._rules_servers(games).items():
            address = f"{LOOPBACK}:{self._grpc_port(places)}"
            places |= dict.fromkeys(served, address)
            child = self._rules_child(name, served, address, database_url)
            self._rules.append(child)
            if self._settings.own_servers and not is_own(served[0]):
                self._foreign.append(child)
        self._platform = self._platform_child(f"{LOOPBACK}:{free_port()}", database_url)
        self._gateway = self._gateway_child(places, self._platform.address)
        if self._settings.bots:
            self._bots = self._bots_child()

    def _rules_servers(self, games: list[str]) -> dict[str, list[str]]:
        """Return which games each rules server serves, by its name; ours come first."""
        if self._settings.process_per_game:
            return {f"rules-{game}": [game] for game in games}
        if not self._settings.own_servers:
            return {"rules": games}
        servers: dict[str, list[str]] = {}
        for game in sorted(games, key=lambda game: not is_own(game)):
            whose = distribution(game).partition(" ")[0]
            servers.setdefault("rules" if is_own(game) else f"rules-{whose}", []).append(game)
        return servers

    def _usable_games(self) -> list[str]:
        """Return the installed games that can be served; say why others are left out. Raises NoGames if there is none."""
        games, refused = usable_games((*GAMES, *REFUSED))
        for problem in (*refused, *SHADOWED):
            self._say(f"left out: {problem}")
        if not games:
            raise NoGames(refused)
        return list(games)

    def _grpc_port(self, taken: dict[str, str]) -> int:
        """Return a port for the next rules server; the earlier ones do not listen on theirs yet."""
        if self._settings.grpc_port == 0:
            return free_port()
        return port_near(self._settings.grpc_port + len(taken))

    def _metrics_listen(self, name: str) -> dict[str, str]:
        """Return the setting for the address of a process's metrics, on this machine only."""
        if name not in self._metrics:
            listen = ""
            if self._settings.metrics_port:
                port = port_near(self._next_metrics_port)
                self._next_metrics_port = port + 1
                listen = f"{LOOPBACK}:{port}"
            self._metrics[name] = listen
        return {"FOLDTABLE_METRICS_LISTEN": self._metrics[name]}

    def _rules_child(self, name: str, games: list[str], address: str, database_url: str) -> Child:
        return Child(
            name,
            "services.rules",
            address=address,
            environment={
                **self._common(),
                **self._metrics_listen(name),
                "FOLDTABLE_GAMES": ",".join(games),
                "FOLDTABLE_LISTEN": address,
                "FOLDTABLE_DATABASE_URL": database_url,
                "FOLDTABLE_TOKEN_PRIVATE_KEY_FILE": str(self._home.private_key),
                "FOLDTABLE_TOKEN_PUBLIC_KEY_FILE": str(self._home.public_key),
                "FOLDTABLE_EXPORT_PRIVATE_KEY_FILE": str(self._home.export_private_key),
                "FOLDTABLE_EXPORT_PUBLIC_KEY_FILE": str(self._home.export_public_key),
            },
            log=self._home.log(name),
            ready=partial(grpc_serves, address),
            say=self._say,
            grace_seconds=GRACE_SECONDS,
        )

    def _platform_child(self, address: str, database_url: str) -> Child:
        return Child(
            "platform",
            "services.platform",
            address=address,
            environment={
                **self._common(),
                **self._metrics_listen("platform"),
                "FOLDTABLE_LISTEN": address,
                "FOLDTABLE_DATABASE_URL": database_url,
                "FOLDTABLE_TOKEN_PUBLIC_KEY_FILE": str(self._home.public_key),
                "FOLDTABLE_WEBHOOK_KEY_FILE": str(self._home.webhook_key),
                "FOLDTABLE_WEBHOOK_LOOPBACK": "true",  # a developer's receiver is on this machine
            },
            log=self._home.log("platform"),
            ready=partial(grpc_serves, address),
            say=self._say,
            grace_seconds=GRACE_SECONDS,
        )

    def _gateway_child(self, places: dict[str, str], platform: str) -> Child:
        return Child(
            "gateway",
            "gateway",
            address=self.address,
            environment={
                **self._common(),
                **self._metrics_listen("gateway"),
                "FOLDTABLE_HTTP_LISTEN": f"{LOOPBACK}:{self._settings.port}",
                "FOLDTABLE_CORS_ORIGINS": self._settings.cors_origins,
                "FOLDTABLE_RULES": ",".join(f"{game}={address}" for game, address in places.items()),
                "FOLDTABLE_PLATFORM": platform,
                "FOLDTABLE_TOKEN_PUBLIC_KEY_FILE": str(self._home.public_key),
                "FOLDTABLE_EXPORT_PUBLIC_KEY_FILE": str(self._home.export_public_key),
            },
            log=self._home.log("gateway"),
            ready=partial(http_ready, self.address),
            say=self._say,
            grace_seconds=GRACE_SECONDS,
        )

    def _bots_child(self) -> Child:
        return Child(
            "bots",
            "services.bots",
            address=self.address,
            environment={
                **self._common(),
                **self._metrics_listen("bots"),
                "FOLDTABLE_GATEWAY": self.address,
                "FOLDTABLE_BOTS_KEY_FILE": str(self._home.bots_key),
            },
            log=self._home.log("bots"),
            ready=_at_once,
            say=self._say,
            grace_seconds=GRACE_SECONDS,
        )

    def _common(self) -> dict[str, str]:
        return {
            "FOLDTABLE_LOG_FORMAT": "json",
            "FOLDTABLE_LOG_LEVEL": self._settings.log_level,
            "FOLDTABLE_DRAIN_SECONDS": str(DRAIN_SECONDS),
        }

    def _children(self) -> list[Child]:
        return [*self._services(), *(one for one in (self._gateway, self._bots) if one is not None)]

    def _services(self) -> list[Child]:
        """Return the processes behind the gateway."""
        return [*self._rules, *([self._platform] if self._platform is not None else [])]

    async def _keep_postgres(self, postgres: EmbeddedPostgres) -> None:
        """Restart Postgres when it has ended. It replays its write-ahead log, so nothing committed is lost."""
        while not self._stopping.is_set():
            if postgres.pid is None:
                self._say("postgres has ended; restarting it")
                try:
                    await asyncio.to_thread(postgres.start)
                except EmbeddedPostgresError as problem:
                    self._say(str(problem))
                    await asyncio.sleep(POSTGRES_PAUSE)
                else:
                    self._say(f"postgres is ready again (process {postgres.pid})")
                    self._write_running()
            try:
                await asyncio.wait_for(self._stopping.wait(), WATCH_SECONDS)
            except TimeoutError:
                continue

    def _write_running(self) -> None:
        self._home.write_running(Running(os.getpid(), self.address, self.parts()))


async def _at_once() -> bool:
    """Return at once: bots take no calls, and find the server by themselves."""
    return True

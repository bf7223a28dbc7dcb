"""The system that is harmed: gateways, rules servers and a platform service as real processes, proxies between all of them.

Who talks to whom goes through a proxy of this program: clients to each gateway, gateways to each rules server and to the
platform service, each service to the database. Whatever is killed comes back on a port of its own choosing; its proxy,
whose port the others know, leads there from then on.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from engine.registry import GAMES
from services.identity.api_keys import issue_key
from services.identity.tenants import create_tenant
from services.postgres.database import DatabaseSettings, open_pool
from tests.proofs.faults.database import Database
from tests.proofs.faults.proxy import Proxy
from tests.support.deployment import GENEROUS, Deployment
from tests.support.processes import Process

TENANT: Final = "faults"
SCOPES: Final = ("matches:write", "webhooks:write")
RULES, GATEWAY, PLATFORM = "services.rules", "gateway", "services.platform"
START_AGAIN_SECONDS: Final = 60.0
"""A process that finds no database ends; whoever looks after it starts it again, for so long."""
STARTED_AT_ONCE: Final = 3
PASSING: Final = frozenset({429, 502, 503, 504})
"""Statuses that say: not now. Who logs one of them has not failed."""

SIGNS: Final = (b'"error"', b'"critical"', b'"exception"')
"""In lines worth reading."""
TRACEBACK: Final = b"Traceback "


@dataclass(frozen=True)
class Shape:
    """How many of what."""

    gateways: int = 2
    rules_per_game: int = 2
    apart: bool = True
    """Every game has rules servers of its own; otherwise all games share them."""


@dataclass
class Part:
    """One process, and the proxies around it."""

    name: str
    process: Process
    front: Proxy
    """Who wants something of it comes through here."""
    doors: list[Proxy] = field(default_factory=list)
    """Through these it reaches the database."""
    games: tuple[str, ...] = ()
    """That it serves, or is asked for."""
    ended: list[int] = field(default_factory=list)
    """With which codes it was found ended when it was to be killed: nobody had told it to end."""

    @property
    def address(self) -> str:
        """Where the others reach it."""
        return self.front.address

    async def start(self) -> None:
        """Start it; try again while it cannot."""
        deadline = asyncio.get_running_loop().time() + START_AGAIN_SECONDS
        while True:
            try:
                self.front.lead_to(await asyncio.to_thread(self.process.start))
            except AssertionError:  # it found no database, or was too slow for a busy machine
                if self.process.is_running:
                    await self.kill()
                if asyncio.get_running_loop().time() > deadline:
                    raise
                await asyncio.sleep(0.2)
            else:
                return

    async def kill(self) -> None:
        """SIGKILL."""
        if not self.process.is_running:
            self.ended.append(self.process.wait())
        await asyncio.to_thread(self.process.kill)

    def freeze(self) -> None:
        """SIGSTOP."""
        self.process.send(signal.SIGSTOP)

    def thaw(self) -> None:
        """SIGCONT."""
        self.process.send(signal.SIGCONT)


@dataclass
class System:
    """Everything that runs."""

    database: Database
    gateways: list[Part]
    rules: list[Part]
    platform: Part
    key: str
    """Of the tenant that plays."""

    @property
    def services(self) -> list[Part]:
        """Those that talk to the database."""
        return [*self.rules, self.platform]

    @property
    def parts(self) -> list[Part]:
        return [*self.gateways, *self.services]

    @property
    def urls(self) -> list[str]:
        """Of the gateways, for clients."""
        return [f"http://{part.address}" for part in self.gateways]

    @property
    def all_games(self) -> tuple[str, ...]:
        return tuple(GAMES)

    def rules_of(self, game: str) -> list[Part]:
        """Return the rules servers of a game."""
        return [part for part in self.rules if game in part.games]

    def unexpected(self) -> list[str]:
        """Return what any process has logged and no fault explains: errors, tracebacks."""
        return [f"{part.name}: {line}" for part in self.parts for line in _unexpected(part.process.log)]

    def ended(self) -> list[str]:
        """Return what has ended though nothing had killed it; while no harm is done, every process has to run."""
        found = [
            f"{part.name}: had ended by itself, with {code}" for part in self.parts for code in part.ended
        ]
        return found + [f"{part.name}: does not run" for part in self.parts if not part.process.is_running]


@asynccontextmanager
async def running(
    folder: Path, database: Database, shape: Shape, *, instead: Mapping[str, str] | None = None
) -> AsyncIterator[System]:
    """Start a system on a database that runs, and stop it in the end. The database stays.

    `instead`: modules to run in the place of services, by the service's own module: a fault that is planted.
    """
    opening = _Opening(folder, database, instead or {})
    try:
        yield await opening.system(shape)
    finally:
        await opening.close()


class _Opening:
    """Puts a system together; knows what has to be ended."""

    def __init__(self, folder: Path, database: Database, instead: Mapping[str, str]) -> None:
        self._folder = folder
        self._database = database
        self._instead = instead
        self._proxies: list[Proxy] = []
        self._parts: list[Part] = []

    async def system(self, shape: Shape) -> System:
        keys = Deployment.new(self._folder, self._database.url)
        platform = await self._service(PLATFORM, "platform", tuple(GAMES), keys.platform())
        rules = [
            await self._service(RULES, name, games, keys.rules(games=",".join(games)))
            for name, games in _rules_servers(shape)
        ]
        replicas = {"rules": ",".join(f"{game}={_replicas(rules, game)}" for game in GAMES)}
        told = keys.gateway("", platform.address, rate_limits=GENEROUS) | replicas
        gateways = [
            await self._part(GATEWAY, f"gateway {number}", tuple(GAMES), told)
            for number in range(shape.gateways)
        ]
        system = System(self._database, gateways, rules, platform, await _issue_key(self._database.url))
        room = asyncio.Semaphore(STARTED_AT_ONCE)

        async def start(part: Part) -> None:
            async with room:
                await part.start()

        await asyncio.gather(*map(start, system.parts))
        return system

    async def close(self) -> None:
        """End everything, the hard way: it is used to that."""
        for part in self._parts:
            if part.process.is_running:
                part.process.send(signal.SIGCONT)
                await part.kill()
        for proxy in self._proxies:
            await proxy.stop()

    async def _service(
        self, module: str, name: str, served: tuple[str, ...], settings: dict[str, str]
    ) -> Part:
        doors = [await self._proxy() for _ in self._database.doors]
        for door, dial in zip(doors, self._database.doors, strict=True):
            door.dial = dial
        url = self._database.url_through([door.port for door in doors])
        part = await self._part(module, name, served, {**settings, "database_url": url})
        part.doors = doors
        return part

    async def _part(self, module: str, name: str, served: tuple[str, ...], settings: dict[str, str]) -> Part:
        log = self._folder / f"{name.replace(' ', '_')}.log"
        process = Process(self._instead.get(module, module), log, **settings)
        part = Part(name, process, await self._proxy(), games=served)
        self._parts.append(part)
        return part

    async def _proxy(self) -> Proxy:
        proxy = Proxy()
        await proxy.start()
        self._proxies.append(proxy)
        return proxy


def _unexpected(log: Path) -> Iterator[str]:
    with log.open("rb") as lines:
        for line in lines:
            if line.startswith(TRACEBACK):
                yield line.decode().strip()
            elif line.startswith(b"{") and any(sign in line for sign in SIGNS):
                with suppress(msgspec.DecodeError):  # cut off by a kill
                    told = msgspec.json.decode(line)
                    is_error = told["level"] in {"error", "critical"} or "exception" in told
                    if is_error and told.get("status") not in PASSING:
                        yield line.decode().strip()


def _rules_servers(shape: Shape) -> list[tuple[str, tuple[str, ...]]]:
    """Return names of the rules servers, and what each serves."""
    numbers = range(shape.rules_per_game)
    if shape.apart:
        return [(f"rules {game} {number}", (game,)) for game in GAMES for number in numbers]
    return [(f"rules {number}", tuple(GAMES)) for number in numbers]


def _replicas(rules: Sequence[Part], game: str) -> str:
    return "|".join(part.address for part in rules if game in part.games)


async def _issue_key(database_url: str) -> str:
    pool = await open_pool(DatabaseSettings(database_url), name="faults", most=1)
    async with pool, pool.connection() as connection:
        await create_tenant(connection, TENANT)
        _, key = await issue_key(connection, TENANT, SCOPES, environment="test", label="faults")
    return key

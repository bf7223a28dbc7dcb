"""What the nemesis can do. A harm is a context: inside it the harm is done, after it it is made good."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from random import Random
from typing import Final

import psycopg

from tests.proofs.faults.proxy import Proxy
from tests.proofs.faults.system import Part, System

SOONEST_RESTART_SECONDS: Final = 0.2
LOCKED: Final = "LOCK TABLE matches IN ACCESS EXCLUSIVE MODE"
RECOVERED_SECONDS: Final = 30.0
"""For a database that still recovers from the harm before."""
MAX_SESSIONS: Final = 400
"""More than any database of ours takes."""
DELAYS: Final = (0.05, 0.3)
"""Seconds, in each direction."""


@dataclass(frozen=True)
class Path:
    """Whom a harm concerns: moves of these games, through these gateways."""

    victim: str
    games: tuple[str, ...]
    gateways: tuple[str, ...]
    began: float | None = None
    """When it began, if that was later than it was asked for."""


Fault = Callable[[System, Random], AbstractAsyncContextManager[Path | None]]
"""Gives whom it concerns; None: there was nothing to harm."""


def _path(system: System, part: Part) -> Path:
    if part in system.gateways:
        return Path(part.name, system.all_games, (part.name,))
    games = part.games if part in system.rules else ()
    return Path(part.name, games, tuple(one.name for one in system.gateways))


def _everything(system: System, victim: str) -> Path:
    return Path(victim, system.all_games, tuple(one.name for one in system.gateways))


# ── processes ──────────────────────────────────────────────────────────────────────────────────────

Choice = Callable[[System, Random], Part]


def a_gateway(system: System, whims: Random) -> Part:
    return whims.choice(system.gateways)


def a_rules_server(system: System, whims: Random) -> Part:
    return whims.choice(system.rules)


def the_platform(system: System, _: Random) -> Part:
    return system.platform


def a_service(system: System, whims: Random) -> Part:
    return whims.choice(system.services)


def killed(choose: Choice) -> Fault:
    """SIGKILL; it is started again afterwards."""

    @asynccontextmanager
    async def fault(system: System, whims: Random) -> AsyncIterator[Path]:
        part = choose(system, whims)
        await part.kill()
        try:
            yield _path(system, part)
        finally:
            await part.start()

    return fault


def frozen(choose: Choice) -> Fault:
    """SIGSTOP; its connections stay open and nobody answers on them. SIGCONT afterwards."""

    @asynccontextmanager
    async def fault(system: System, whims: Random) -> AsyncIterator[Path]:
        part = choose(system, whims)
        part.freeze()
        try:
            yield _path(system, part)
        finally:
            part.thaw()

    return fault


@asynccontextmanager
async def database_killed(system: System, _: Random) -> AsyncIterator[Path]:
    """SIGKILL of the postmaster; it is started again, and recovers."""
    await system.database.kill()
    try:
        yield _everything(system, "database")
    finally:
        await asyncio.sleep(SOONEST_RESTART_SECONDS)
        await system.database.start()


@asynccontextmanager
async def session_killed(system: System, _: Random) -> AsyncIterator[Path | None]:
    """SIGKILL of one session, if there is any: Postgres throws out all others and recovers by itself."""
    yield _everything(system, "database") if await system.database.kill_backend() else None


@asynccontextmanager
async def database_frozen(system: System, _: Random) -> AsyncIterator[Path]:
    """SIGSTOP of Postgres with all its sessions."""
    await system.database.freeze()
    try:
        yield _everything(system, "database")
    finally:
        await system.database.thaw()


# ── connections ────────────────────────────────────────────────────────────────────────────────────


def _proxies(system: System, whims: Random) -> tuple[Path, list[Proxy]]:
    """Choose a link: clients and a gateway, gateways and a service, a service and the database."""
    match whims.randrange(3):
        case 0:
            part = a_gateway(system, whims)
            return _path(system, part), [part.front]
        case 1:
            part = a_service(system, whims)
            return _path(system, part), [part.front]
        case _:
            part = a_service(system, whims)
            path = _path(system, part)
            return Path(f"{part.name} from database", path.games, path.gateways), part.doors


@asynccontextmanager
async def cut(system: System, whims: Random) -> AsyncIterator[Path]:
    """Reset all connections of a link, once; who comes again is let through."""
    path, proxies = _proxies(system, whims)
    for proxy in proxies:
        proxy.cut()
    yield path


def link(misbehave: Callable[[Proxy, Random], None]) -> Fault:
    """A link misbehaves for a while; then what still hangs is cut off and it behaves again."""

    @asynccontextmanager
    async def fault(system: System, whims: Random) -> AsyncIterator[Path]:
        path, proxies = _proxies(system, whims)
        for proxy in proxies:
            misbehave(proxy, whims)
        try:
            yield path
        finally:
            for proxy in proxies:
                proxy.heal()

    return fault


def _lose_answers(proxy: Proxy, _: Random) -> None:
    proxy.loses_answers = True


def _swallow(proxy: Proxy, _: Random) -> None:
    proxy.swallow()


def _slow_down(proxy: Proxy, whims: Random) -> None:
    proxy.delay = whims.uniform(*DELAYS)


def _shut(proxy: Proxy, _: Random) -> None:
    proxy.refuses = True
    proxy.cut()


# ── pools ──────────────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def sessions_used_up(system: System, whims: Random) -> AsyncIterator[Path]:
    """Cut the services off from their sessions, and take every one there is before they come back: they find none."""
    taken: list[psycopg.AsyncConnection[object]] = []
    doors = [door for part in system.services for door in part.doors]
    for door in doors:
        _shut(door, whims)
    try:
        with suppress(psycopg.OperationalError):  # that is the end we look for
            while len(taken) < MAX_SESSIONS:
                taken.append(await psycopg.AsyncConnection.connect(system.database.url, connect_timeout=5))
        for door in doors:
            door.heal()
        yield _everything(system, "database's sessions")
    finally:
        for door in doors:
            door.heal()
        for session in taken:
            await session.close()


@asynccontextmanager
async def table_locked(system: System, _: Random) -> AsyncIterator[Path]:
    """Hold a table locked that every request reads: connections of every pool wait for it, and requests for connections."""
    async with await _session(system) as session, session.transaction():
        await session.execute(LOCKED)
        yield _everything(system, "pools of the services")


async def _session(system: System) -> psycopg.AsyncConnection[object]:
    """Open a session of our own, as soon as the database takes one."""
    async with asyncio.timeout(RECOVERED_SECONDS):
        while True:
            with suppress(psycopg.OperationalError):  # not yet
                return await psycopg.AsyncConnection.connect(system.database.url, connect_timeout=5)
            await asyncio.sleep(0.2)


HARMS: Final[dict[str, Fault]] = {
    "gateway killed": killed(a_gateway),
    "rules server killed": killed(a_rules_server),
    "platform service killed": killed(the_platform),
    "Postgres killed": database_killed,
    "Postgres session killed": session_killed,
    "gateway frozen": frozen(a_gateway),
    "rules server frozen": frozen(a_rules_server),
    "platform service frozen": frozen(the_platform),
    "Postgres frozen": database_frozen,
    "connections cut": cut,
    "link shut": link(_shut),
    "link black-holed": link(_swallow),
    "link loses answers": link(_lose_answers),
    "link slow": link(_slow_down),
    "Postgres sessions used up": sessions_used_up,
    "pools filled by a lock": table_locked,
}
"""Every kind of harm, by its name in the report."""
SHORT_FORM: Final = (
    "Postgres killed",
    "rules server killed",
    "link loses answers",
    "gateway killed",
    "platform service killed",
    "connections cut",
    "rules server frozen",
)
"""A handful, in this order."""

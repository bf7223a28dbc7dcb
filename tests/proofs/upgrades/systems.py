"""Services of any releases, in processes of their own, on one database: what runs while an update rolls through."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.registry import GAMES
from services.identity.signing_keys import ensure_key_pair
from services.webhooks.vault import write_webhook_key
from tests.proofs.upgrades.old_code import run_python
from tests.support.processes import Process

TENANT: Final = "acme"
SCOPES: Final = ("matches:write", "keys:write", "webhooks:write", "bots:play")

ISSUE_KEY: Final = """
import asyncio, sys

try:
    from services.identity.api_keys import issue_key
    from services.identity.scopes import Scope
    from services.identity.tenants import create_tenant
    from services.postgres.database import DatabaseSettings, open_pool
except ModuleNotFoundError:  # where they were up to the schema 0014
    from services.database import DatabaseSettings, open_pool
    from services.platform.api_keys import issue_key
    from services.platform.tenants import create_tenant

    try:
        from services.platform.scopes import Scope
    except ImportError:  # scopes were free words then
        Scope = None

async def issue(url, tenant, *scopes):
    scopes = [scope for scope in scopes if Scope is None or scope in set(Scope)]
    pool = await open_pool(DatabaseSettings(url), name="upgrades", most=1)
    async with pool, pool.connection() as connection:
        await create_tenant(connection, tenant)
        print((await issue_key(connection, tenant, scopes, environment="test"))[1], end="")

asyncio.run(issue(*sys.argv[1:]))
"""


@dataclass(frozen=True)
class Keys:
    """What the services of all releases share: one file each, as in a deployment."""

    folder: Path

    @property
    def private(self) -> Path:
        return self.folder / "token_private.pem"

    @property
    def public(self) -> Path:
        return self.folder / "token_public.pem"

    @property
    def webhook(self) -> Path:
        return self.folder / "webhook_key"


@dataclass(frozen=True)
class Services:
    """One release's rules server and platform service, and a gateway before them."""

    url: str
    """Of the gateway."""
    rules: str
    """The address of the rules server."""
    platform: str
    """The address of the platform service; empty for a release that had none."""


def new_keys(folder: Path) -> Keys:
    """Make the keys of a deployment."""
    keys = Keys(folder)
    ensure_key_pair(keys.private, keys.public)
    write_webhook_key(keys.webhook)
    return keys


def issue_key(release: Path, database_url: str) -> str:
    """Have a release's own code make a tenant and an API key with the scopes it may know of."""
    return run_python(release, "-c", ISSUE_KEY, database_url, TENANT, *SCOPES)


@contextmanager
def services(name: str, release: Path | None, database_url: str, keys: Keys) -> Iterator[Services]:
    """Start one release's services, and stop them in the end; without a release they are ours.

    `name` tells their logs apart. AssertionError for a service that does not start.
    """
    rules, platform, http = _free_addresses(3)
    shared = {"database_url": database_url, "drain_seconds": "1"}
    has_platform = release is None or (release / "services" / "platform" / "__main__.py").exists()
    with ExitStack() as stack:

        def start(module: str, **settings: str) -> None:
            log = keys.folder / f"{name}_{module.rpartition('.')[2]}.log"
            process = stack.enter_context(Process(module, log, release=release, **settings))
            process.start()
            stack.callback(process.stop)

        start("services.rules", listen=rules, token_private_key_file=str(keys.private), **shared)
        if has_platform:
            start(
                "services.platform",
                listen=platform,
                token_public_key_file=str(keys.public),
                webhook_key_file=str(keys.webhook),
                webhook_loopback="true",
                **shared,
            )
        url = stack.enter_context(gateway(name, release, rules, platform, keys, http=http))
        yield Services(url, rules, platform if has_platform else "")


@contextmanager
def gateway(
    name: str, release: Path | None, rules: str, platform: str, keys: Keys, *, http: str = ""
) -> Iterator[str]:
    """Start a release's gateway before the rules server and platform service of any release; give its address."""
    settings = {
        "http_listen": http or _free_addresses(1)[0],
        "rules": ",".join(f"{game}={rules}" for game in GAMES),
        "platform": platform,
        "token_public_key_file": str(keys.public),
        "drain_seconds": "1",
    }
    with Process("gateway", keys.folder / f"{name}_gateway.log", release=release, **settings) as process:
        process.start()
        yield f"http://{settings['http_listen']}"
        process.stop()


def _free_addresses(count: int) -> list[str]:
    """Return addresses nobody listens on, all of them different."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [f"127.0.0.1:{one.getsockname()[1]}" for one in sockets]

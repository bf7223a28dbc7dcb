"""A database and the files that processes share, and the settings of each process that follow from them."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.registry import GAMES
from services.identity.signing_keys import ensure_key_pair
from services.webhooks.vault import write_webhook_key

ANY_PORT: Final = "127.0.0.1:0"
GENEROUS: Final = ",".join(
    [
        "address.anonymous=100000000/60",
        *(
            f"{holder}.{bucket}=100000000/60"
            for holder in ("key", "token")
            for bucket in ("reads", "moves", "lobby", "streams", "admin")
        ),
    ]
)
"""Rate limits have tests of their own; those who ask for everything must not meet them."""
PATIENT: Final = {"move_deadline_seconds": "20", "read_deadline_seconds": "20"}
"""A machine that is busy with other things answers late; only tests of an outage wait as short as a gateway does."""


@dataclass(frozen=True)
class Deployment:
    """The settings of its processes, for `Process`. Its database is migrated by whoever makes it."""

    folder: Path
    """The keys, and the logs."""
    database_url: str

    @classmethod
    def new(cls, folder: Path, database_url: str) -> Deployment:
        """Write the keys of a deployment into a folder."""
        for kind in ("token", "export"):
            ensure_key_pair(folder / f"{kind}_private.pem", folder / f"{kind}_public.pem")
        write_webhook_key(folder / "webhook_key")
        return cls(folder, database_url)

    def file(self, name: str) -> str:
        """Return the path of one of its files."""
        return str(self.folder / name)

    def rules(self, **more: str) -> dict[str, str]:
        """Return the settings of a rules server."""
        return {
            "database_url": self.database_url,
            "listen": ANY_PORT,
            "token_private_key_file": self.file("token_private.pem"),
            "export_private_key_file": self.file("export_private.pem"),
            "metrics_listen": ANY_PORT,
            "drain_seconds": "2",
            **more,
        }

    def platform(self, **more: str) -> dict[str, str]:
        """Return the settings of a platform service."""
        return {
            "database_url": self.database_url,
            "listen": ANY_PORT,
            "token_public_key_file": self.file("token_public.pem"),
            "webhook_key_file": self.file("webhook_key"),
            "webhook_loopback": "true",
            "webhook_lease_seconds": "2",
            "drain_seconds": "2",
            **more,
        }

    def gateway(
        self, rules: str, platform: str, *, games: Iterable[str] = tuple(GAMES), **more: str
    ) -> dict[str, str]:
        """Return the settings of a gateway: `rules` are addresses of replicas with `|` between them."""
        return {
            "rules": ",".join(f"{game}={rules}" for game in games),
            "platform": platform,
            "token_public_key_file": self.file("token_public.pem"),
            "export_public_key_file": self.file("export_public.pem"),
            "http_listen": ANY_PORT,
            "metrics_listen": ANY_PORT,
            "drain_seconds": "2",
            **PATIENT,
            **more,
        }


def free_addresses(count: int) -> list[str]:
    """Return addresses nobody listens on, all of them different: a process that starts again keeps its own."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [f"127.0.0.1:{one.getsockname()[1]}" for one in sockets]

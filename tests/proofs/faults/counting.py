"""Which ways moves take while processes are killed: read now and then, since whoever is killed takes its counts with it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import httpx

from tests.proofs.faults.system import System
from tests.proofs.faults.violations import Rule, Violation
from tests.support.ways import ACCEPTED, AS_A_WHOLE, REPEATED, Ways

EVERY_SECONDS: Final = 2.0
WAIT_SECONDS: Final = 1.0
WANTED: Final = (AS_A_WHOLE, ACCEPTED, REPEATED)
"""How moves are made, and answered again, whatever is harmed."""


class Counting:
    """Keeps the newest metrics of every process there was."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._newest: dict[tuple[str, str], str] = {}
        """By the name of a part and the address of its metrics, which each of its processes has for itself."""

    async def keep_reading(self) -> None:
        """Read until cancelled."""
        while True:
            await self.read()
            await asyncio.sleep(EVERY_SECONDS)

    async def read(self) -> None:
        """Read what can be read now."""
        async with httpx.AsyncClient(timeout=WAIT_SECONDS, verify=False, trust_env=False) as client:
            await asyncio.gather(
                *(
                    self._read_one(client, part.name, part.process.metrics_address)
                    for part in (*self._system.gateways, *self._system.rules)
                )
            )

    async def _read_one(self, client: httpx.AsyncClient, name: str, address: str) -> None:
        with suppress(httpx.HTTPError, httpx.InvalidURL):  # it was killed, or is frozen
            self._newest[name, address] = (await client.get(address)).raise_for_status().text

    @property
    def ways(self) -> Ways:
        """The ways that moves have taken."""
        return Ways.of(self._newest.values())

    def violations(self) -> list[Violation]:
        """Return the ways that no move has taken: of them the run has shown nothing."""
        return [Violation(Rule.WAYS, way) for way in self.ways.missing(WANTED)]

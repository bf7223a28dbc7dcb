"""Matches that are played before and after, and what their clients remember of them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from tests.proofs.faults.system import PASSING

ANSWERED_SECONDS: Final = 90.0
"""For a system whose database comes back."""


@dataclass
class Table:
    """A match, as its clients saw it last."""

    match: str
    game: str
    version: int = 0
    hashes: dict[int, str] = field(default_factory=dict)
    """Of every version they saw."""
    last_request: dict[str, Any] = field(default_factory=dict)
    """The last move, as it was sent."""

    @property
    def path(self) -> str:
        return f"/v1/matches/{self.match}"


async def new_table(client: httpx.AsyncClient, game: str) -> Table:
    """Make a match of two."""
    made = await asked(client, "POST", "/v1/matches", json={"game": game, "seats": 2})
    return Table(made["match"]["match_id"], game)


async def play(client: httpx.AsyncClient, table: Table, moves: int) -> int:
    """Make so many moves, or fewer if the match ends; return how many."""
    for number in range(moves):
        match = await asked(client, "GET", table.path)
        if match["status"] != "running":
            return number
        seat = match["to_act"][0]
        legal = await asked(client, "GET", f"{table.path}/legal-actions?seat={seat}&samples=1")
        table.last_request = {
            "seat": seat,
            "action": legal["samples"][0],
            "expected_version": legal["version"],
            "request_id": f"{table.match} {legal['version']}",
        }
        made = await asked(client, "POST", f"{table.path}/moves", json=table.last_request)
        table.version = made["version"]
    return moves


async def look(client: httpx.AsyncClient, table: Table) -> None:
    """Remember the present version, and the hashes of all."""
    table.version = (await asked(client, "GET", table.path))["version"]
    table.hashes = await hashes(client, table)


async def hashes(client: httpx.AsyncClient, table: Table) -> dict[int, str]:
    """Return the hash of every version."""
    found: dict[int, str] = {}
    page = ""
    while True:
        told = await asked(client, "GET", f"{table.path}/moves?page_size=500{page}")
        found |= {one["version"]: one["hash"] for one in told["moves"]}
        if not told["next_page_token"]:
            return found
        page = f"&page_token={told['next_page_token']}"


async def asked(client: httpx.AsyncClient, method: str, path: str, **more: Any) -> Any:
    """Ask, and again as long as the answer is: not now."""
    return (await answered(client, method, path, **more)).raise_for_status().json()


async def answered(client: httpx.AsyncClient, method: str, path: str, **more: Any) -> httpx.Response:
    """Return the first answer that is not: not now. Raises TimeoutError if there is none in time."""
    async with asyncio.timeout(ANSWERED_SECONDS):
        while True:
            try:
                answer = await client.request(method, path, **more)
                if answer.status_code not in PASSING:
                    return answer
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.1)

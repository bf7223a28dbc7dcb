"""What clients find that saw more than the database has after it went back to a moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx

from tests.proofs.backup.table import Table, answered, asked, hashes, play
from tests.support.followers import EventLines

STREAM_SECONDS: Final = 20.0
"""For a stream to be told that it is ahead: five seconds, and as many as it takes to reconnect."""


async def check_kept(client: httpx.AsyncClient, table: Table) -> AsyncIterator[str]:
    """Yield what is wrong with a match of before the moment: it has to be as it was, and to verify."""
    match = await asked(client, "GET", table.path)
    if match["version"] != table.version:
        yield f"{table.game}: at version {match['version']}, and {table.version} at the moment"
    if await hashes(client, table) != table.hashes:
        yield f"{table.game}: other hashes than at the moment"
    verified = await asked(client, "GET", f"{table.path}/verify")
    if not verified["ok"]:
        yield f"{table.game}: cannot be verified: {verified['difference']}"


async def check_ahead(client: httpx.AsyncClient, table: Table, seen: int) -> AsyncIterator[str]:
    """Yield what is wrong with what a client is told that saw version `seen`, which is lost."""
    move = {**table.last_request, "request_id": f"ahead of {table.match}", "expected_version": seen}
    refused = await answered(client, "POST", f"{table.path}/moves", json=move)
    problem = refused.json()
    told = (refused.status_code, problem.get("reason"), problem.get("current_version"))
    if told != (409, "VERSION_CONFLICT", table.version):
        yield f"a move on version {seen} was answered {told}"
    looked = await answered(client, "GET", f"{table.path}/view?at={seen}")
    if (looked.status_code, looked.json().get("reason")) != (404, "VERSION_NOT_FOUND"):
        yield f"version {seen} was answered {looked.status_code} {looked.text[:200]}"
    first = await _first_event(client, f"{table.path}/stream", seen)
    if first != ("reset", table.version):
        yield f"a stream after version {seen} began with {first}, and the match is at {table.version}"


async def _first_event(client: httpx.AsyncClient, path: str, after: int) -> tuple[str, int]:
    """Return the name and the version of the first event of a stream; what came in its place, if there is none in time."""
    came = ("nothing", 0)
    try:
        async with asyncio.timeout(STREAM_SECONDS):
            while True:
                async with client.stream("GET", path, headers={"last-event-id": str(after)}) as stream:
                    async for name, version in _events(stream):
                        return name, version
                    came = ("an end", stream.status_code)
                await asyncio.sleep(0.2)
    except TimeoutError:
        return came


async def _events(stream: httpx.Response) -> AsyncIterator[tuple[str, int]]:
    lines = EventLines()
    async for line in stream.aiter_lines():
        event = lines.take(line)
        if event is not None:
            yield event[0], int(httpx.Response(200, content=event[2]).json().get("version", 0))


@asynccontextmanager
async def followed(client: httpx.AsyncClient, table: Table) -> AsyncIterator[list[str]]:
    """Follow a match meanwhile, through whatever happens; give the names of the events that came."""
    told: list[str] = []
    following = asyncio.create_task(_follow(client, f"{table.path}/stream", table.version, told))
    try:
        yield told
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def _follow(client: httpx.AsyncClient, path: str, after: int, told: list[str]) -> None:
    while True:
        try:
            async with client.stream("GET", path, headers={"last-event-id": str(after)}) as stream:
                async for name, version in _events(stream):
                    told.append(name)
                    after = version
        except httpx.TransportError:
            pass
        await asyncio.sleep(0.5)


async def check_repeat(client: httpx.AsyncClient, table: Table, lost: dict[str, Any]) -> AsyncIterator[str]:
    """Yield what is wrong with a move that is lost and is sent again: it is made, as a new one."""
    made = await answered(client, "POST", f"{table.path}/moves", json=lost)
    if made.status_code != 200 or made.headers.get("idempotency-replayed") == "true":
        yield f"a lost move that was sent again was answered {made.status_code} {made.text[:200]}"
        return
    table.version = made.json()["version"]


async def check_goes_on(client: httpx.AsyncClient, table: Table, moves: int) -> AsyncIterator[str]:
    """Yield what is wrong with playing on."""
    made = await play(client, table, moves)
    verified = await asked(client, "GET", f"{table.path}/verify")
    if not verified["ok"]:
        yield f"{table.game}: cannot be verified after {made} more moves: {verified['difference']}"


async def check_feed(
    client: httpx.AsyncClient, kept_cursor: str, lost_cursor: str, known: Sequence[str]
) -> AsyncIterator[str]:
    """Yield what is wrong with cursors of before the moment and of after it. `known`: ids of events up to the first."""
    refused = await answered(client, "GET", f"/v1/events?after={lost_cursor}")
    if (refused.status_code, refused.json().get("reason")) != (410, "CURSOR_EXPIRED"):
        yield f"the cursor of a lost event was answered {refused.status_code} {refused.text[:200]}"
    since = [one async for one in feed(client, kept_cursor)]
    whole = [one async for one in feed(client, "")]
    if whole != [*known, *since]:
        yield f"the feed has {len(whole)} events, and {len(known)} + {len(since)} by its cursor"


async def feed(client: httpx.AsyncClient, cursor: str) -> AsyncIterator[str]:
    """Yield the ids of a tenant's events after a cursor."""
    while True:
        page = await asked(
            client, "GET", f"/v1/events?limit=500&wait=1s{f'&after={cursor}' if cursor else ''}"
        )
        for event in page["events"]:
            yield event["id"]
        cursor = page["cursor"]
        if not page["events"]:
            return


def differences(sent: Sequence[str], told: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with webhooks: every event that the feed has has come."""
    missing = set(told) - set(sent)
    if missing:
        yield f"{len(missing)} events of {len(told)} never came by webhook"

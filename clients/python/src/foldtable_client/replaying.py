"""Replays of a match: every version with what a page draws of it, put together from what has changed."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Final, NamedTuple

import httpx

from foldtable_client import types
from foldtable_client.patches import patched
from foldtable_client.problems import problem_of
from foldtable_client.repeating import FIRST_PAUSE_SECONDS, PASSING, Pauses
from foldtable_client.sending import Sender
from foldtable_client.streams import QUIET_SECONDS

LINES: Final = {"Accept": "application/x-ndjson"}


class ReplayedVersion(NamedTuple):
    """One version of a match: the move that led to it, and what a page draws after it."""

    version: int
    move: types.Move
    table: types.ReplayTable


async def replayed(
    sender: Sender, path: str, parameters: Mapping[str, Any]
) -> AsyncGenerator[ReplayedVersion]:
    """Yield every version as it arrives; after an interruption go on where it was cut off.

    Raises Unreachable if no connection brings a version for as long as the sender is patient, ProblemError for a refusal,
    Closed when the sender is closed.
    """
    pauses = Pauses(sender.retry_for, first=FIRST_PAUSE_SECONDS)
    last = 0
    while True:
        refused: httpx.Response | None = None
        broken: httpx.RequestError | None = None
        # The last version comes again, because the first step of an answer has the whole table.
        asked = {**parameters, "from": last or parameters.get("from")}
        try:
            async with sender.opened(
                path, params=asked, headers=LINES, quiet_seconds=QUIET_SECONDS
            ) as answer:
                if answer.is_success:
                    async with aclosing(_drawn(sender.chunks(answer))) as steps:
                        async for step in steps:
                            if step.version > last:
                                yield step
                                last = step.version
                                pauses.begin_again()
                    return
                if answer.status_code not in PASSING:
                    raise problem_of(answer)
                refused, trouble = answer, str(answer.status_code)
        except httpx.RequestError as error:
            broken, trouble = error, repr(error)
        await sender.pause(pauses.next(f"GET {path}: {trouble}", refused, cause=broken))


async def _drawn(chunks: AsyncGenerator[bytes]) -> AsyncGenerator[ReplayedVersion]:
    """Yield the versions of one answer. What has not changed is shared by their tables."""
    table: types.ReplayTable | None = None
    async with aclosing(_lines(chunks)) as lines:
        async for line in lines:
            step = json.loads(line)
            table = step["table"] if table is None else patched(table, step["patch"])
            yield ReplayedVersion(step["version"], step["move"], table)


async def _lines(chunks: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """Yield whole lines. Only LF ends one: in JSON, characters that Python takes for line breaks may stand as they are."""
    rest = b""
    async with aclosing(chunks):
        async for chunk in chunks:
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                yield line

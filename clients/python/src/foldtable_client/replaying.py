"""Replays of a match: every version with what a page draws of it, put together from what has changed."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import httpx

from foldtable_client import types
from foldtable_client.patches import patched
from foldtable_client.problems import problem_of
from foldtable_client.repeating import FIRST_PAUSE_SECONDS, PASSING, Pauses
from foldtable_client.sending import Sender, with_said
from foldtable_client.streams import QUIET_SECONDS

LINES: Final = {"Accept": "application/x-ndjson"}


class ReplayedVersion(NamedTuple):
    """One version of a match: the move that led to it, and what a page draws after it."""

    version: int
    move: types.Move
    table: types.ReplayTable


def replayed(sender: Sender, path: str, parameters: Mapping[str, Any]) -> Iterator[ReplayedVersion]:
    """Yield every version as it arrives; after an interruption go on where it was cut off.

    Raises Unreachable if no connection brings a version for as long as the sender is patient, ProblemError for a refusal.
    """
    pauses = Pauses(sender.retry_for, first=FIRST_PAUSE_SECONDS)
    timeout = httpx.Timeout(sender.http.timeout.connect, read=QUIET_SECONDS)
    last = 0
    while True:
        answer: httpx.Response | None = None
        # The last version comes again, because the first step of an answer has the whole table.
        params = with_said(path, {**parameters, "from": last or parameters.get("from")})
        try:
            with sender.http.stream("GET", path, params=params, headers=LINES, timeout=timeout) as answer:
                if answer.is_success:
                    for step in _drawn(answer):
                        if step.version > last:
                            yield step
                            last = step.version
                            pauses.begin_again()
                    return
                answer.read()
                if answer.status_code not in PASSING:
                    raise problem_of(answer)
                trouble = str(answer.status_code)
        except httpx.TransportError as error:
            trouble = repr(error)
        time.sleep(pauses.next(f"GET {path}: {trouble}", answer))


def _drawn(answer: httpx.Response) -> Iterator[ReplayedVersion]:
    """Yield the versions of one answer. What has not changed is shared by their tables."""
    table: types.ReplayTable | None = None
    for line in _lines(answer):
        step = json.loads(line)
        table = step["table"] if table is None else patched(table, step["patch"])
        yield ReplayedVersion(step["version"], step["move"], table)


def _lines(answer: httpx.Response) -> Iterator[bytes]:
    """Yield whole lines. Only LF ends one: in JSON, characters that Python takes for line breaks may stand as they are."""
    rest = b""
    for chunk in answer.iter_bytes():
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole

"""Plays a match to its end over REST; every seat takes random legal actions that the gateway offers."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, Final

import msgspec

from foldtable_client import ProblemError
from services.client.rest import Rest

OVERTAKEN: Final = frozenset({"VERSION_CONFLICT", "NOT_YOUR_TURN", "MATCH_OVER"})
"""Refusals of a request that came too early: read again."""


class Played(msgspec.Struct):
    """The acknowledged moves, in order, by their versions."""

    acknowledged: list[int] = []
    overtaken: int = 0


async def play_to_the_end(
    rest: Rest, match_id: str, *, acknowledged: Callable[[int], None], most_moves: int = 100_000
) -> Played:
    """Play until the match has ended; call `acknowledged` with the version of each acknowledged move."""
    path = f"/v1/matches/{match_id}"
    played = Played()
    match = await rest.get(path)
    to_act, status = match["to_act"], match["status"]
    while status == "running" and len(played.acknowledged) < most_moves:
        if not to_act:
            match = await rest.get(path)
            to_act, status = match["to_act"], match["status"]
            continue
        answer = await _move(rest, path, to_act[0], played)
        if answer is None:
            to_act = []
            continue
        played.acknowledged.append(answer["version"])
        acknowledged(answer["version"])
        to_act, status = answer["to_act"], answer["status"]
    return played


async def _move(rest: Rest, path: str, seat: int, played: Played) -> Any:
    """Make one move of a seat; return None if another move was first."""
    legal = await rest.get(f"{path}/legal-actions", seat=seat, samples=1)
    if not legal["samples"]:
        return None
    body = {"action": legal["samples"][0], "expected_version": legal["version"], "seat": seat}
    try:
        return await rest.post(f"{path}/moves", body, request_id=str(uuid.uuid4()))
    except ProblemError as problem:
        if problem.reason not in OVERTAKEN:
            raise
        played.overtaken += 1
        return None

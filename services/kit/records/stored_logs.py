"""Stored matches: one line about the match, one for each move, one about the end. Requests and events are kept verbatim.

They are in a folder for each version of the rules, `v1.0.0/NAME.jsonl`, and those of a version stay as they are for ever: they
prove that old matches can still be read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any, Final

import msgspec

from engine.kernel.chance import commitment
from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.records import Options
from engine.kernel.seats import Seat
from engine.match.playout import Step
from engine.match.replay import LoggedMove, states_after_each
from engine.match.requests import RESIGN, start_request
from services.kit.records.found import audiences

ENDING: Final = ".jsonl"


@dataclass(frozen=True, kw_only=True)
class StoredLog:
    """A stored match."""

    header: dict[str, Any]
    """`game`, `rules_version`, `seats`, the match's `secret` and its `commitment`."""
    moves: list[LoggedMove]
    end: dict[str, Any]
    """The number of `moves`, the SHA-256 of the last state, the `outcome`; newer ones have the SHA-256 of all views."""

    @property
    def secret(self) -> bytes:
        """The match's secret, from which all its draws follow."""
        return bytes.fromhex(self.header["secret"])


class _Line(msgspec.Struct):
    """A move as the file keeps it, request and events verbatim."""

    seq: int
    seat: Seat | None
    request: msgspec.Raw
    events: msgspec.Raw


def folder_of(version: str) -> str:
    """Return the name of the folder with the matches of a version of the rules."""
    return f"v{version}"


def logs_in(folder: Traversable, version: str) -> list[Traversable]:
    """Return the stored matches of a version of the rules, in order of their names."""
    inner = folder.joinpath(folder_of(version))
    if not inner.is_dir():
        return []
    return sorted((one for one in inner.iterdir() if one.name.endswith(ENDING)), key=lambda one: one.name)


def versions_in(folder: Traversable) -> list[str]:
    """Return the versions of the rules that have a folder with stored matches, in order of their names."""
    if not folder.is_dir():
        return []
    versions = [one.name.removeprefix("v") for one in folder.iterdir() if one.name.startswith("v")]
    return sorted(version for version in versions if logs_in(folder, version))


def read(data: bytes) -> StoredLog:
    """Return a stored match. Raises ValueError if it is not of this form."""
    header, *moves, end = data.splitlines()
    lines = [msgspec.json.decode(move, type=_Line) for move in moves]
    logged = [
        LoggedMove(seq=line.seq, seat=line.seat, request=bytes(line.request), events=bytes(line.events))
        for line in lines
    ]
    return StoredLog(header=json.loads(header), moves=logged, end=json.loads(end))


def log_lines(
    game: AnyGame, options: Options, steps: Sequence[Step], seats: int, secret: bytes, *, views: bool
) -> Iterator[str]:
    """Yield the lines of a whole match, all canonical JSON. A step with a seat and without an action is a seat that leaves.

    `views` adds the hash of what everybody sees.
    """
    yield json.dumps(
        {
            "game": game.id,
            "rules_version": game.rules_version,
            "seats": seats,
            "secret": secret.hex(),
            "commitment": commitment(secret).hex(),
        }
    )
    for seq, step in enumerate(steps, start=1):
        seat = "null" if step.seat is None else str(step.seat)
        request = _request(step, options, seats).decode()
        yield f'{{"seq":{seq},"seat":{seat},"request":{request},"events":{encode(step.events).decode()}}}'
    last = steps[-1].state
    seen = {"views_sha256": digest_of_views(game, (step.state for step in steps), seats)} if views else {}
    yield json.dumps(
        {
            "moves": len(steps),
            "state_sha256": digest(last),
            "outcome": json.loads(encode(game.outcome(last))),
            **seen,
        }
    )


def _request(step: Step, options: Options, seats: int) -> bytes:
    """Return what the step asked for, as a row of the log keeps it."""
    if step.seat is None:
        return start_request(options, seats)
    return RESIGN if step.action is None else encode(step.action)


def digest(state: Any) -> str:
    """Return the SHA-256 of a state."""
    return hashlib.sha256(encode(state)).hexdigest()


def states_of(game: AnyGame, log: StoredLog) -> Iterator[Any]:
    """Yield the state after every move of a stored match."""
    for _, state in states_after_each(game, log.moves):
        yield state


def digest_of_views(game: AnyGame, states: Iterable[Any], seats: int) -> str:
    """Return the SHA-256 of what the public, the referee and each seat see after every move."""
    seen = hashlib.sha256()
    for state in states:
        for audience in audiences(seats):
            seen.update(encode(game.view(state, audience)))
    return seen.hexdigest()

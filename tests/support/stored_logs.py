"""Reads the golden logs: one line about the match, one per move, one about the end.

They lie in `tests/golden/<game>/v<rules version>`, and those of a version stay as they are for ever.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from engine.kernel.game import AnyGame
from engine.match.replay import LoggedMove
from engine.registry import game, versions

GOLDEN = Path(__file__).parents[1] / "golden"


class Line(msgspec.Struct):
    """A move as the file keeps it, request and events verbatim."""

    seq: int
    seat: int | None
    request: msgspec.Raw
    events: msgspec.Raw


def golden_logs(game_id: str) -> list[Path]:
    """Return the stored logs of a game, of all versions of its rules, newest first; every game has some."""
    found = [log for one in versions(game_id) for log in logs_of_version(game_id, one.version)]
    assert found, f"{game_id} has no golden logs"
    return found


def logs_of_version(game_id: str, version: str) -> list[Path]:
    """Return the stored logs of matches that were begun under one version of the rules."""
    return sorted(corpus(game_id, version).glob("*.jsonl"))


def corpus(game_id: str, version: str) -> Path:
    """Return the folder of a version's logs."""
    return GOLDEN / game_id / f"v{version}"


def game_id_of(log: Path) -> str:
    return log.parent.parent.name


def game_of(log: Path) -> AnyGame:
    """Return the rules a stored match was begun under."""
    return game(game_id_of(log), log.parent.name.removeprefix("v"))


def read(path: Path) -> tuple[dict, list[LoggedMove], dict]:
    """Return what the file says of the match, its moves, and what it says of the end."""
    header, *moves, end = path.read_bytes().splitlines()
    lines = [msgspec.json.decode(move, type=Line) for move in moves]
    logged = [
        LoggedMove(seq=line.seq, seat=line.seat, request=bytes(line.request), events=bytes(line.events))
        for line in lines
    ]
    return json.loads(header), logged, json.loads(end)

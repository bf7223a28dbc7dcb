"""Reads the golden logs: one line about the match, one per move, one about the end."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from engine.kernel.replay import LoggedMove

GOLDEN = Path(__file__).parents[1] / "golden"


class Line(msgspec.Struct):
    """A move as the file keeps it, request and events verbatim."""

    seq: int
    seat: int | None
    request: msgspec.Raw
    events: msgspec.Raw


def golden_logs(game_id: str) -> list[Path]:
    """Give the stored logs of a game; every game has some."""
    found = sorted((GOLDEN / game_id).glob("*.jsonl"))
    assert found, f"{game_id} has no golden logs"
    return found


def read(path: Path) -> tuple[dict, list[LoggedMove], dict]:
    """Give what the file says of the match, its moves, and what it says of the end."""
    header, *moves, end = path.read_bytes().splitlines()
    lines = [msgspec.json.decode(move, type=Line) for move in moves]
    logged = [
        LoggedMove(seq=line.seq, seat=line.seat, request=bytes(line.request), events=bytes(line.events))
        for line in lines
    ]
    return json.loads(header), logged, json.loads(end)

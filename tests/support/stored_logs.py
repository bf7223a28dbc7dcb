"""Finds the golden logs: those of a version lie in `tests/golden/<game>/v<rules version>`, and stay as they are for ever."""

from __future__ import annotations

from pathlib import Path

from engine.kernel.game import AnyGame
from engine.match.replay import LoggedMove
from engine.registry import game, versions
from services.kit.records import stored_logs

GOLDEN = Path(__file__).parents[1] / "golden"


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
    return GOLDEN / game_id / stored_logs.folder_of(version)


def game_id_of(log: Path) -> str:
    return log.parent.parent.name


def game_of(log: Path) -> AnyGame:
    """Return the rules a stored match was begun under."""
    return game(game_id_of(log), log.parent.name.removeprefix("v"))


def read(path: Path) -> tuple[dict, list[LoggedMove], dict]:
    """Return what the file says of the match, its moves, and what it says of the end."""
    log = stored_logs.read(path.read_bytes())
    return log.header, log.moves, log.end

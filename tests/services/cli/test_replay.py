"""`foldtable replay`: an export, move by move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from services.cli.replay import Player, step_through
from services.cli.verify import read_export


@pytest.fixture
def player(export_file: Path) -> Player:
    return Player(read_export(export_file), None)


def test_without_a_terminal_every_move_is_printed_in_notation(foldtable: Any, export_file: Path) -> None:
    moves = len(json.loads(export_file.read_bytes())["moves"])
    done = foldtable("replay", export_file, "--no-input")
    assert done.exit_code == 0
    numbered = [line for line in done.output.splitlines() if line[:4].strip().isdecimal()]
    assert [int(line[:4]) for line in numbered[:moves]] == list(range(1, moves + 1))
    assert numbered[0].endswith('start: 2 players, options {"variant":"islands"}')
    assert "resigns" in done.output


def test_at_shows_one_table_and_ends(foldtable: Any, export_file: Path, player: Player) -> None:
    done = foldtable("replay", export_file, "--at", "9")
    assert done.exit_code == 0
    assert player.line(9) in done.output
    assert player.table(9) in done.output


def test_at_beyond_the_end_shows_the_end(foldtable: Any, export_file: Path, player: Player) -> None:
    assert player.table(player.last) in foldtable("replay", export_file, "--at", "100000").output


def test_a_seat_does_not_see_what_another_one_submits_in_secret(foldtable: Any, export_file: Path) -> None:
    document = json.loads(export_file.read_bytes())
    submitted = [move for move in document["moves"] if move["request"]["type"] == "submit_program"]
    first = submitted[0]
    seen = foldtable("replay", export_file, "--at", str(first["seq"]), "--seat", str(first["seat"])).output
    other = foldtable(
        "replay", export_file, "--at", str(first["seq"]), "--seat", str(1 - first["seat"])
    ).output
    line_of = lambda text: text.splitlines()[0]  # noqa: E731 - a name for one use
    assert "(not shown)" in line_of(other)
    assert "(not shown)" not in line_of(seen)
    assert seen != other


def test_a_seat_that_is_not_at_the_table_is_refused(foldtable: Any, export_file: Path) -> None:
    done = foldtable("replay", export_file, "--seat", "5")
    assert done.exit_code == 2
    assert "seats 0 to 1" in done.stderr


def test_keys_go_forward_back_and_to_a_version(player: Player, capsys: pytest.CaptureFixture[str]) -> None:
    presses = iter("nnpgxq")
    step_through(player, lambda: next(presses), lambda _: "7")
    shown = [line for line in capsys.readouterr().out.splitlines() if line.startswith("version ")]
    assert [int(line.split()[1]) for line in shown] == [1, 2, 3, 2, 7, 7]


def test_keys_stop_at_both_ends(player: Player, capsys: pytest.CaptureFixture[str]) -> None:
    presses = iter("ppgnq")
    step_through(player, lambda: next(presses), lambda _: "999999")
    shown = [line for line in capsys.readouterr().out.splitlines() if line.startswith("version ")]
    assert [int(line.split()[1]) for line in shown] == [1, 0, 0, player.last, player.last]


def test_a_forged_export_is_not_replayed(foldtable: Any, export_file: Path, tmp_path: Path) -> None:
    document = json.loads(export_file.read_bytes())
    document["moves"][4]["events"] = []
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps(document))
    done = foldtable("replay", forged)
    assert done.exit_code == 1
    assert "move 5" in done.stderr

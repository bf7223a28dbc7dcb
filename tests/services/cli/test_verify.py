"""`foldtable verify`: exit code 0 only for a file in which everything agrees."""

from __future__ import annotations

import hmac
import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.kernel.seats import PUBLIC
from services.cli.matches import place as match_place
from services.movelog.export.format import redacted_move, write_document
from tests.support.match_documents import a_match


def rewritten(file: Path, target: Path, change: Any) -> Path:
    document = json.loads(file.read_bytes())
    change(document)
    target.write_text(json.dumps(document))
    return target


def test_an_honest_export_is_verified(foldtable: Any, export_file: Path) -> None:
    done = foldtable("verify", export_file)
    assert done.exit_code == 0
    assert "every move decided again" in done.output


def test_a_pretty_printed_export_is_verified_too(foldtable: Any, export_file: Path, tmp_path: Path) -> None:
    pretty = tmp_path / "pretty.json"
    pretty.write_text(json.dumps(json.loads(export_file.read_bytes()), indent=2))
    assert foldtable("verify", pretty).exit_code == 0


def test_a_changed_event_is_named_by_its_move(foldtable: Any, export_file: Path, tmp_path: Path) -> None:
    def change(document: Any) -> None:
        document["moves"][6]["events"][0]["type"] = "stone_removed"

    done = foldtable("verify", rewritten(export_file, tmp_path / "changed.json", change))
    assert done.exit_code == 1
    assert "move 7" in done.stderr


def test_the_place_is_named_with_what_stands_there_and_what_should(
    foldtable: Any, export_file: Path, tmp_path: Path
) -> None:
    honest = json.loads(export_file.read_bytes())["moves"][6]["hash"]

    def change(document: Any) -> None:
        document["moves"][6]["hash"] = "0" * 64

    done = foldtable("verify", rewritten(export_file, tmp_path / "changed.json", change))
    assert done.exit_code == 1
    assert f'(at /moves/6/hash: "{"0" * 64}", not "{honest}")' in done.stderr


def test_the_draws_are_listed_with_what_it_takes_to_make_them_again(
    foldtable: Any, export_file: Path
) -> None:
    document = json.loads(export_file.read_bytes())
    done = foldtable("verify", export_file, "--draws")
    assert done.exit_code == 0
    assert document["secret"] in done.output
    rows = [tuple(map(int, row)) for row in re.findall(r"│ +(\d+) │ +(\d+) │ +(\d+) │ +(\d+) │", done.output)]
    assert rows
    for move, draw, bound, value in rows:
        message = b"foldtable.draw.v1" + move.to_bytes(8, "big") + draw.to_bytes(8, "big")
        digest = hmac.digest(bytes.fromhex(document["secret"]), message, "sha256")
        assert int.from_bytes(digest[:8], "big") % bound == value


def test_the_draws_of_one_move_come_with_the_line_to_check_the_first_by_hand(
    foldtable: Any, export_file: Path
) -> None:
    every = foldtable("verify", export_file, "--json")
    draws = json.loads(every.stdout)["draws"]
    one = foldtable("verify", export_file, "--move", str(draws[0]["move"]))
    assert one.exit_code == 0
    assert one.output.count(draws[0]["raw"]) == 1
    by_hand = next(line for line in one.output.splitlines() if "openssl dgst" in line)
    message, secret = re.search(r"echo (\w+) .*hexkey:(\w+)", by_hand).groups()  # type: ignore[union-attr]
    digest = hmac.digest(bytes.fromhex(secret), bytes.fromhex(message), "sha256")
    assert digest[:8].hex() == draws[0]["raw"]
    assert int(draws[0]["raw"], 16) % draws[0]["bound"] == draws[0]["value"]
    assert "by hand" not in foldtable("verify", export_file, "--move", "9").output


def test_tools_get_what_was_found_as_json(foldtable: Any, export_file: Path, tmp_path: Path) -> None:
    honest = foldtable("verify", export_file, "--json")
    found = json.loads(honest.stdout)
    assert honest.exit_code == 0
    assert (found["ok"], found["decided_again"], found["difference"]) == (True, True, "")
    assert found["draws"]

    def change(document: Any) -> None:
        document["moves"][6]["events"] = []

    forged = foldtable("verify", rewritten(export_file, tmp_path / "changed.json", change), "--json")
    assert forged.exit_code == 1
    assert json.loads(forged.stdout)["difference_version"] == 7


def test_an_export_of_a_running_match_is_not_called_verified(foldtable: Any, tmp_path: Path) -> None:
    match, rows = a_match(resign=False, moves=5)
    moves = [redacted_move(row, request=None, events=b"[]") for row in rows]
    file = tmp_path / "running.json"
    file.write_bytes(write_document(match, moves, audience=PUBLIC))
    done = foldtable("verify", file)
    assert done.exit_code == 1
    assert "not out yet" in done.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "truncated", id="empty"),
        pytest.param(b"\x00\x01\x02", "malformed", id="binary"),
        pytest.param(b'{"format":"foldtable.match.v1"}', "is missing", id="hardly begun"),
        pytest.param(b"[" * 100_000, "", id="nested deeply"),
        pytest.param(b'"' + b"a" * 1_000_000, "truncated", id="endless string"),
    ],
)
def test_a_broken_file_gets_one_clear_line(foldtable: Any, tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "broken.json"
    file.write_bytes(content)
    done = foldtable("verify", file)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "is not a match export" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_missing_file_and_a_folder_get_one_clear_line(foldtable: Any, tmp_path: Path) -> None:
    for place in (tmp_path / "nowhere.json", tmp_path):
        done = foldtable("verify", place)
        assert done.exit_code == 2
        assert str(place) in done.stderr


def test_a_huge_file_is_refused(foldtable: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_place, "MAX_DOCUMENT_BYTES", 1_000)
    file = tmp_path / "huge.json"
    with file.open("wb") as opened:
        opened.truncate(10_000_000)
    done = foldtable("verify", file)
    assert done.exit_code == 2
    assert "at most 1000" in done.stderr


def test_a_file_that_lies_about_its_size_is_read_no_further_than_the_limit(
    foldtable: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_place, "MAX_DOCUMENT_BYTES", 1_000)
    done = foldtable("verify", "/dev/zero")  # endless, and of size 0
    assert done.exit_code == 2


def test_nothing_in_a_file_can_steer_the_terminal(foldtable: Any, export_file: Path, tmp_path: Path) -> None:
    def change(document: Any) -> None:
        document["rules_version"] = "\x1b]0;owned\x07"
        document["moves"][3]["events"] = ["\x9b2J"]

    done = foldtable("verify", rewritten(export_file, tmp_path / "hostile.json", change))
    assert done.exit_code == 1
    assert not set("\x1b\x07\x9b") & set(done.output)

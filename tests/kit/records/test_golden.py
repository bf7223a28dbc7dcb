"""The check of stored matches finds every difference, and the first one can be stored, once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.registry import newest
from services.kit.records.golden import GOLDEN, NotWritten, write_first
from services.kit.records.stored_logs import folder_of, read
from services.kit.subject import Subject
from tests.kit.records.planted import SIMPLE, faults, subject
from tests.support.stored_logs import GOLDEN as STORED

GAME = newest(SIMPLE)
OLD = [one.version for one in GAME.versions if one.version != GAME.rules_version]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with one match of every older version."""
    for version in OLD:
        folder = tmp_path / folder_of(version)
        folder.mkdir()
        shutil.copy(STORED / SIMPLE / folder_of(version) / "players-2.jsonl", folder)
    return tmp_path


def changed(path: Path, line: int, change: Callable[[dict[str, Any]], Any]) -> None:
    lines = path.read_text().splitlines()
    told = json.loads(lines[line])
    change(told)
    lines[line] = json.dumps(told, separators=(",", ":"))
    path.write_text("\n".join(lines) + "\n")


def test_a_first_match_is_stored_and_passes(corpus: Path) -> None:
    planted = subject(golden=corpus)
    path = write_first(planted, "first")
    assert path == corpus / folder_of(GAME.rules_version) / "first.jsonl"
    assert len(read(path.read_bytes()).end["views_sha256"]) == 64
    assert faults(GOLDEN, planted) == []


def test_a_stored_match_is_never_written_again(corpus: Path) -> None:
    planted = subject(golden=corpus)
    before = write_first(planted, "first").read_bytes()
    with pytest.raises(NotWritten, match="a stored match is never written again"):
        write_first(planted, "first")
    assert (corpus / folder_of(GAME.rules_version) / "first.jsonl").read_bytes() == before


def test_a_name_is_no_path_and_a_package_names_a_folder(corpus: Path) -> None:
    with pytest.raises(NotWritten, match="no name for a file"):
        write_first(subject(golden=corpus), "../first")
    with pytest.raises(NotWritten, match='set golden="package:golden"'):
        write_first(Subject(SIMPLE, matches=1), "first")


def test_a_version_without_a_stored_match_is_a_fault_that_says_how_to_write_one(tmp_path: Path) -> None:
    found = GOLDEN.run(subject(golden=tmp_path)).faults
    assert found[0].what == f"no match is stored of version {GAME.rules_version} of the rules"
    assert found[0].do == f"run `foldtable check-game {SIMPLE} --write-golden first`"
    assert found[1].do.startswith(f"restore the folder {folder_of(OLD[0])}")


def test_a_package_that_names_no_folder_is_told_to(tmp_path: Path) -> None:
    planted = Subject(SIMPLE, matches=1)
    assert GOLDEN.run(planted).skipped == "the stored matches of Foldtable's own games are beside its tests"
    planted.package = replace(planted.package, game="ladders.game:GAME")
    assert (
        GOLDEN.run(planted)
        .faults[0]
        .do.startswith('name a folder in GamePackage(golden="package:golden"), and run ')
    )


@pytest.mark.parametrize(
    ("line", "change", "said"),
    [
        (0, lambda header: header.update(game="chess"), "it is a match of chess"),
        (
            0,
            lambda header: header.update(secret="11" * 32),
            "its secret does not agree with the commitment to it",
        ),
        (
            0,
            lambda header: header.update(rules_version="0.9.0"),
            "it was played by version 0.9.0 of the rules",
        ),
        (-1, lambda end: end.update(moves=3), "moves, and had 3"),
        (-1, lambda end: end.update(outcome=None), "its outcome is not what it was"),
        (-1, lambda end: end.update(state_sha256="0"), "its events fold to another state than they did"),
        (-1, lambda end: end.update(views_sha256="0"), "what the audiences see of it is not what it was"),
    ],
)
def test_a_difference_is_named(corpus: Path, line: int, change: Callable[[Any], Any], said: str) -> None:
    planted = subject(golden=corpus)
    path = write_first(planted, "first")
    changed(path, line, change)
    found = GOLDEN.run(planted).faults
    assert any(said in fault.what for fault in found)
    assert {fault.where for fault in found} == {f"{path.parent.name}/first.jsonl"}


def test_other_rules_are_a_difference(corpus: Path) -> None:
    write_first(subject(golden=corpus), "first")

    def decide(state, seat, action, chance):
        return GAME.decide(state, seat, action, chance)[:-1]

    told = faults(GOLDEN, subject(golden=corpus, decide=decide))
    assert any(one.startswith("move ") and " is decided differently, in events" in one for one in told)


def test_a_file_that_is_no_match_is_a_fault(corpus: Path) -> None:
    (corpus / folder_of(OLD[0]) / "players-2.jsonl").write_text("not a match\n")
    write_first(subject(golden=corpus), "first")
    assert any(one.startswith("it cannot be read: ") for one in faults(GOLDEN, subject(golden=corpus)))


def test_matches_of_a_version_that_was_removed_are_a_fault(corpus: Path) -> None:
    write_first(subject(golden=corpus), "first")
    shutil.copytree(corpus / folder_of(OLD[0]), corpus / folder_of("0.9.0"))
    assert faults(GOLDEN, subject(golden=corpus)) == [
        "matches of version 0.9.0 are stored, and the game no longer has these rules"
    ]


@pytest.mark.parametrize(
    ("line", "change"),
    [
        (0, lambda header: header.pop("commitment")),
        (2, lambda move: move["events"][0].update(type="no_such_event")),
    ],
)
def test_a_log_that_can_no_longer_be_read_is_a_fault_with_advice(
    corpus: Path, line: int, change: Callable[[Any], Any]
) -> None:
    planted = subject(golden=corpus)
    changed(write_first(planted, "first"), line, change)
    [fault] = GOLDEN.run(planted).faults
    assert fault.what.startswith("it cannot be read any more: ")
    assert fault.do.startswith("restore the file if it was changed; otherwise undo what changed the rules")

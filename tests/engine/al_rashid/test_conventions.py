"""The system counts itself: every ruling, every worked example and every paragraph is named by a test."""

from __future__ import annotations

import re
from pathlib import Path

import engine.al_rashid
from engine.al_rashid.actions import AlRashidAction
from engine.al_rashid.events import AlRashidEvent, MatchStarted
from engine.al_rashid.evolve import FOLDS
from engine.al_rashid.phases import Decision
from engine.al_rashid.rules.turn import ANSWERS, PARAGRAPH

HERE = Path(__file__).parent
RULINGS = Path(engine.al_rashid.__file__).with_name("RULINGS.md").read_text(encoding="utf-8")
TOLD = "\n".join(
    path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py") if path != Path(__file__)
)


def test_every_ruling_is_named_by_a_test() -> None:
    listed = set(re.findall(r"^\| ([RF]\d+) \|", RULINGS, re.MULTILINE))
    assert {f"R{n}" for n in range(1, 42)} <= listed
    named = set(re.findall(r"\[([RF]\d+)\]", TOLD))
    assert listed - named == set()
    assert named <= listed


def test_every_worked_example_is_a_test() -> None:
    named = set(re.findall(r"def test_([wd]\d+)_", TOLD))
    assert named == {f"w{n}" for n in range(1, 24)} | {f"d{n}" for n in range(1, 11)}


def test_every_chapter_has_a_file_of_tests() -> None:
    files = " ".join(sorted(path.name for path in HERE.glob("test_ch*.py")))
    for chapter in (1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15):
        assert f"test_ch{chapter}_" in files


def test_every_ruling_says_where_it_lives() -> None:
    folder = Path(engine.al_rashid.__file__).parent
    for path in re.findall(r"`((?:rules/)?[a-z_]+\.py)`", RULINGS):
        assert (folder / path).is_file() or path == "game.py", path


def test_every_event_is_folded_and_every_decision_answered() -> None:
    assert {*FOLDS} | {MatchStarted} == {*AlRashidEvent.__args__}
    assert {*ANSWERS} == {*PARAGRAPH} == {*Decision}
    assert {action for actions in ANSWERS.values() for action in actions} == {*AlRashidAction.__args__}

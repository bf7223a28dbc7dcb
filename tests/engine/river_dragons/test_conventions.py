"""The system counts itself: every ruling and every paragraph is named by a test."""

from __future__ import annotations

import re
from pathlib import Path

import engine.river_dragons

HERE = Path(__file__).parent
RULINGS = Path(engine.river_dragons.__file__).with_name("RULINGS.md").read_text(encoding="utf-8")
TOLD = "\n".join(
    path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py") if path != Path(__file__)
)
NOTHING_TO_TEST = {"R27"}
"""A consequence that nothing computes."""


def test_every_ruling_is_named_by_a_test() -> None:
    listed = set(re.findall(r"^\| ([RF]\d+) \|", RULINGS, re.MULTILINE))
    assert {f"R{n}" for n in range(1, 32)} <= listed
    named = set(re.findall(r"\[([RF]\d+)\]", TOLD))
    assert listed - named - NOTHING_TO_TEST == set()
    assert named <= listed


def test_every_chapter_has_a_file_of_tests() -> None:
    files = " ".join(sorted(path.name for path in HERE.glob("test_ch*.py")))
    for chapter in (
        "1",
        "3",
        "4",
        "5",
        "6",
        "7_1",
        "7_2",
        "7_3",
        "7_4",
        "7_5",
        "8",
        "9",
        "10",
        "11",
        "13",
        "14",
    ):
        assert f"test_ch{chapter}_" in files


def test_every_ruling_says_where_it_lives() -> None:
    folder = Path(engine.river_dragons.__file__).parent
    for path in re.findall(r"`((?:rules/)?[a-z_]+\.py)`", RULINGS):
        assert (folder / path).is_file(), path

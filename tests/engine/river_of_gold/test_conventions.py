"""The system counts itself: every ruling, every worked example and every chapter is named by a test."""

from __future__ import annotations

import re
from pathlib import Path

import engine.river_of_gold
from engine.river_of_gold import legal, phases
from engine.river_of_gold.actions import RiverOfGoldAction, RollDie
from engine.river_of_gold.box.buildings import BUILDINGS
from engine.river_of_gold.box.customers import CUSTOMERS
from engine.river_of_gold.box.ids import (
    BuildingId,
    CustomerId,
    MasteryId,
    PatronId,
    RegionTileId,
    RiverId,
    ShoreId,
)
from engine.river_of_gold.box.masteries import MASTERIES, REGION_TILES
from engine.river_of_gold.box.patrons import PATRONS
from engine.river_of_gold.deciding import RULES
from engine.river_of_gold.event_parts import ChoiceKind, JourneyBonus, Step
from engine.river_of_gold.events import MatchStarted, RiverOfGoldEvent
from engine.river_of_gold.evolve import FOLDS
from engine.river_of_gold.phases import Decision
from engine.river_of_gold.rules import course, holdings, masteries
from engine.river_of_gold.rules.turn import ANSWERS, PARAGRAPH
from engine.river_of_gold.state import Stage

HERE = Path(__file__).parent
PACKAGE = Path(engine.river_of_gold.__file__).parent
RULINGS = (PACKAGE / "RULINGS.md").read_text(encoding="utf-8")
TOLD = "\n".join(
    path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py") if path != Path(__file__)
)


def test_every_ruling_is_named_by_a_test() -> None:
    listed = set(re.findall(r"^\| ([AF]\d+) \|", RULINGS, re.MULTILINE))
    assert {f"A{n}" for n in range(1, 46)} <= listed
    named = set(re.findall(r"\[([AF]\d+)\]", TOLD))
    assert listed - named == set()
    assert named <= listed


def test_every_worked_example_is_a_test() -> None:
    named = set(re.findall(r"def test_(w\d+)_", TOLD))
    assert named == {f"w{n}" for n in range(1, 25)}


def test_every_ruling_says_where_it_lives() -> None:
    for path in re.findall(r"`((?:(?:rules|box|text|agents|layout)/)?[a-z_0-9]+\.py)`", RULINGS):
        assert (PACKAGE / path).is_file(), path


def test_every_ruling_that_is_cited_in_the_code_is_listed() -> None:
    listed = set(re.findall(r"^\| ([AF]\d+) \|", RULINGS, re.MULTILINE))
    for path in PACKAGE.rglob("*.py"):
        cited = set(re.findall(r"\[([AF]\d+)\]", path.read_text(encoding="utf-8")))
        assert cited <= listed, path


def test_every_event_is_folded_and_every_decision_answered() -> None:
    assert {*FOLDS} | {MatchStarted} == {*RiverOfGoldEvent.__args__}
    assert {*ANSWERS} == {*PARAGRAPH} == {*Decision}
    assert {action for actions in ANSWERS.values() for action in actions} == {*RiverOfGoldAction.__args__}


def test_everything_that_may_come_has_a_rule() -> None:
    assert {*RULES} | {RollDie} == {*RiverOfGoldAction.__args__}
    assert {*phases.IN_STAGE} == {*course.IN_STAGE} | {Stage.ENDED} == {*Stage}
    assert {*phases.TO_CHOOSE} == {*ChoiceKind}
    assert {*course.TAKEN} | {*course.BEGUN} == {*Step}
    assert not {*course.TAKEN} & {*course.BEGUN}
    assert {*legal.OWN_ANSWERS} | {Decision.JOURNEY} == {*Decision}
    assert {*masteries.CONDITIONS} == {*MasteryId}
    assert {*holdings.BONUS_GAINS} | {JourneyBonus.MERCHANT_1} == {*JourneyBonus}


def test_every_name_is_in_its_table_and_in_its_order() -> None:
    for names, table in (
        (BuildingId, BUILDINGS),
        (CustomerId, CUSTOMERS),
        (MasteryId, MASTERIES),
        (RegionTileId, REGION_TILES),
        (PatronId, PATRONS),
    ):
        assert [row.id for row in table] == [*names]
    assert (len(ShoreId), len(RiverId)) == (30, 14)


def test_every_chapter_names_its_files() -> None:
    told = engine.river_of_gold.__doc__ or ""
    for path in re.findall(r"((?:(?:rules|box|text|agents|layout)/)?[a-z_0-9]+\.py)", told):
        assert (PACKAGE / path).is_file(), path
    for path in PACKAGE.rglob("*.py"):
        named = str(path.relative_to(PACKAGE))
        assert path.name == "__init__.py" or re.search(rf"\b{re.escape(named)}\b", told), named

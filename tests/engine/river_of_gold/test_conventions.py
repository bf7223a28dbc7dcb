"""The tables of River of Gold have a row for everything there is, and its chapters name their files."""

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
from engine.river_of_gold.phases import Decision
from engine.river_of_gold.rules import course, holdings, masteries
from engine.river_of_gold.state import Stage

PACKAGE = Path(engine.river_of_gold.__file__).parent


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

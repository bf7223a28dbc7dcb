"""The catalogue of errors tells the truth about the codes that every game has; the kit asks the same of each game's own."""

from __future__ import annotations

import re

import pytest

from engine.kernel.errors import TableCode
from engine.registry import GAMES, game
from services.kit.records.sources import refusals
from tests.support.our_games import OUR_GAMES


@pytest.mark.parametrize("game_id", OUR_GAMES)
def test_refusals_are_found_in_the_sources(game_id: str) -> None:
    """So that the checks of refusals and paragraphs have something to look at."""
    told = list(refusals(GAMES[game_id].python_package))
    assert {one.code for one in told if one.rule} & set(game(game_id).codes.__members__)
    assert any(one.facts for one in told)


def test_a_code_can_be_read_by_machines_and_people() -> None:
    for code in TableCode:
        assert code == code.value == code.name
        assert re.fullmatch(r"[A-Z][A-Z0-9_]{1,61}[A-Z0-9]", code)
        assert re.fullmatch(r"[A-Z`].*\.", code.meaning)

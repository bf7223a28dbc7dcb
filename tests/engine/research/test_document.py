"""What docs/build/research.md tells about sizes is so."""

from __future__ import annotations

import re

import pytest

from engine.research.setup import set_up
from tests.support.documents import ROOT

TEXT = (ROOT / "docs" / "build" / "research.md").read_text()
GAMES = {
    "River of Gold": ("river_of_gold", {}),
    "Al-Rashid": ("al_rashid", {}),
    "River Dragons": ("river_dragons", {}),
    "River Dragons, expert side": ("river_dragons", {"variant": "expert"}),
}


def numbers(cell: str) -> list[int]:
    """Read `1 078, 1 790`."""
    return [int(number.replace(" ", "")) for number in cell.split(",")]


@pytest.mark.parametrize("title", GAMES)
def test_actions_and_observations_are_as_many_as_the_table_says(title) -> None:
    row = re.search(rf"^\| {title} \|([^|]+)\|([^|]+)\|([^|]+)\|", TEXT, re.MULTILINE)
    assert row is not None
    seats, actions, observed = map(numbers, row.groups())
    setups = [set_up(*GAMES[title], seats=count) for count in seats]
    sizes = [len(setup.actions.names) for setup in setups]
    assert sizes == (actions if len(actions) > 1 else actions * len(seats))
    assert [len(setup.names) for setup in setups] == observed

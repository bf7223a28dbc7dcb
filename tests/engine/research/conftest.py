"""The tables all tests of environments play at, one for each game and side of the board."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.our_games import TABLES as OUR_TABLES
from tests.support.research import WHY_NOT

TABLES = {
    " ".join([game_id, *options.values()]): {"game": game_id, "seats": 2 + number % 2, "options": options}
    for number, (game_id, options) in enumerate(OUR_TABLES)
}


@pytest.fixture
def tables() -> tuple[dict[str, object], ...]:
    """All of them."""
    return tuple(TABLES.values())


@pytest.fixture(params=TABLES.values(), ids=TABLES.keys())
def table(request) -> dict[str, object]:
    """A game with seats and options, as environments take them."""
    return dict(request.param)


class WithoutLibraries(pytest.Module):
    """A module that says why it is skipped, before it imports what is not there."""

    def collect(self):
        pytest.skip(WHY_NOT, allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Skip the tests of this folder where the libraries are not installed."""
    return WithoutLibraries.from_parent(parent, path=module_path) if WHY_NOT else None

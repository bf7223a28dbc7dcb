"""What every game must have: the same checks as `foldtable check-game example_game`."""

from collections.abc import Callable

import pytest


@pytest.mark.foldtable_game("example_game")
def test_the_kit(game_check: Callable[[], None]) -> None:
    game_check()

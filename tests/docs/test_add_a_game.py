"""docs/build/games.md names files: each game has them, and the others are where the page says."""

from __future__ import annotations

import re

import pytest

from tests.support.documents import ROOT
from tests.support.our_games import OUR_GAMES

TEXT = (ROOT / "docs" / "build" / "games.md").read_text()
NAMED = sorted(set(re.findall(r"`([\w/-]+\.(?:py|md))`", TEXT)))
OF_A_GAME = [name for name in NAMED if name.split("/")[0] in ("box", "text", "agents") or "/" not in name]
PLACES = sorted(set(re.findall(r"`((?:engine|proto|tests|k8s)/[\w/<>.-]+)`", TEXT)))


@pytest.mark.parametrize("game", OUR_GAMES)
def test_every_game_has_the_files_the_page_names(game: str) -> None:
    assert {"box/components.py", "game.py", "RULINGS.md"} <= set(OF_A_GAME)
    assert [name for name in OF_A_GAME if not (ROOT / "engine" / game / name).is_file()] == []


@pytest.mark.parametrize("game", OUR_GAMES)
def test_every_place_the_page_names_is_there(game: str) -> None:
    assert PLACES
    patterns = {place: re.sub("<[a-z]+>", "*", place.replace("<game>", game)).rstrip("/") for place in PLACES}
    assert [place for place, pattern in patterns.items() if not list(ROOT.glob(pattern))] == []

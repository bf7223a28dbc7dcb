"""`--option NAME=VALUE`."""

from __future__ import annotations

import msgspec
import pytest
import typer

from engine.registry import GAMES
from engine.registry import game as registered_game
from services.cli.matches.options import known_options, read_options


def test_a_value_is_json_or_a_plain_word() -> None:
    assert read_options(["patrons=draft", 'clans=["crab","crane"]', "rounds=3"]) == {
        "patrons": "draft",
        "clans": ["crab", "crane"],
        "rounds": 3,
    }


@pytest.mark.parametrize("words", [["patrons"], ["=draft"], ["patrons=none", "patrons=draft"]])
def test_what_is_no_option_is_refused(words: list[str]) -> None:
    with pytest.raises(typer.Exit):
        read_options(words)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_given_only_what_it_knows(game: str) -> None:
    schema = msgspec.json.schema(registered_game(game).types.options)
    wished = {"variant": "expert", "patrons": "draft", "weather": "fine"}
    known = known_options(wished, schema)
    assert known == {
        "river_dragons": {"variant": "expert"},
        "river_of_gold": {"patrons": "draft"},
        "al_rashid": {},
    }.get(game, {})

"""Whole matches of every game on the page, in Chromium: played from the lobby to the scores, and looked at on the way.

`make prove P=browser` looks at every version of longer matches.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.conformance.web.conftest import SECONDS, Play

LONG = bool(os.environ.get("FOLDTABLE_BROWSER_LONG"))
"""`make prove P=browser` asks for it: a look at every version of longer matches."""
EVERY = 1 if LONG else 3
"""Of long matches, one version in so many is looked at. No number of seats here is a multiple, so everybody's turns are seen."""
PLAYED = [
    {"game": "river_of_gold", "options": {"patrons": "draft"}, "by": "clicks", "lang": "en", "moving": True},
    {"game": "river_dragons", "by": "keys", "lang": "it"},
    {"game": "al_rashid", "by": "clicks", "lang": "fr"},
]
LOOKED_AT = [
    {"game": "river_of_gold", "seats": 2, "options": {"patrons": "draft"}, "every": EVERY},
    {"game": "river_dragons", "seats": 2, "options": {"variant": "expert", "round_limit": 3}},
    {"game": "al_rashid", "seats": 3 if LONG else 2, "every": EVERY},
]
RECORDED = [
    {"game": "river_of_gold", "seats": 4, "options": {"patrons": "choice_of_two"}, "every": EVERY},
    {"game": "river_dragons", "seats": 6, "options": {"variant": "islands", "round_limit": 3 if LONG else 2}},
    {"game": "al_rashid", "seats": 5, "every": EVERY},
    {"game": "al_rashid", "seats": 2, "plain": True},
]
GAMES = [match["game"] for match in PLAYED]
pytestmark = [pytest.mark.timeout(SECONDS + 150), pytest.mark.slow]


@pytest.fixture(scope="module")
def played(play: Play) -> dict[str, Any]:
    """What happened in the matches that were played by clicks or keys, by game."""
    return {match["game"]: match for match in play("play.mjs", GAMES=PLAYED)["told"]}


@pytest.fixture(scope="module")
def looked_at(play: Play) -> dict[str, Any]:
    """What was seen of random matches, by game."""
    return {match["game"]: match for match in play("versions.mjs", GAMES=LOOKED_AT)["told"]}


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_from_the_lobby_to_the_scores(played: dict[str, Any], game: str) -> None:
    """Without an error on the console or an answer of 400 and more; the table of scores is that of the server."""
    match = played[game]
    assert match["faults"] == []
    assert match["status"] == "ended"
    assert match["chosen"]["boards"] >= 5
    assert match["chosen"]["confirmed"] >= 5
    totals = [line.split("\t")[1:] for line in match["rows"]][-1]
    assert totals == [
        "–" if (score := result["score"]) is None else str(score) for result in match["results"]
    ]


@pytest.mark.parametrize("match", PLAYED, ids=GAMES)
def test_pieces_glide_for_those_who_want_movement(played: dict[str, Any], match: dict[str, Any]) -> None:
    glides = played[match["game"]]["glides"]
    assert glides >= 20 if match.get("moving") else glides == 0


@pytest.mark.parametrize("game", GAMES)
def test_who_watches_sees_the_same(played: dict[str, Any], game: str) -> None:
    match = played[game]
    assert match["watched"] == match["rows"]
    assert match["different"] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_action_can_be_clicked_at_every_decision_that_is_looked_at(
    looked_at: dict[str, Any], game: str
) -> None:
    match = looked_at[game]
    assert match["faults"] == []
    assert match["decisions"] >= 10
    assert match["unreachable"] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_replay_draws_what_was_seen_live_as_it_was(looked_at: dict[str, Any], game: str) -> None:
    assert looked_at[game]["different"] == []


@pytest.mark.parametrize("game", GAMES)
def test_nothing_hidden_is_drawn_or_received(looked_at: dict[str, Any], game: str) -> None:
    match = looked_at[game]
    assert match["hidden"], "nothing was ever hidden"
    assert match["read"]["stream"] >= 10
    assert match["read"]["replay"] >= match["version"]
    assert match["leaks"] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_faces_that_are_shown_are_found_in_the_drawings(looked_at: dict[str, Any], game: str) -> None:
    """Else the search for hidden ones would find nothing, whatever was drawn."""
    match = looked_at[game]
    assert match["read"]["faces"] >= 100
    assert match["nameless"] == []


@pytest.fixture(scope="module")
def recorded(play: Play) -> list[dict[str, Any]]:
    """What was drawn of whole matches of bots, from the first version to the last; the last one as a game without drawings of its own."""
    matches: list[dict[str, Any]] = play("recorded.mjs", GAMES=RECORDED)["told"]
    return matches


@pytest.mark.parametrize("number", range(len(RECORDED)))
def test_every_version_of_a_recorded_match_that_is_looked_at_draws(
    recorded: list[dict[str, Any]], number: int
) -> None:
    match = recorded[number]
    assert match["faults"] == []
    assert match["versions"] >= 50
    assert match["missing"] == []

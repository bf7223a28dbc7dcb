"""The page of docs/examples in a real browser: it plays matches of every game by touches and clicks, and knows none of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.chromium import chromium_environment
from tests.support.documents import ROOT
from tests.support.node import printed_by
from tests.support.running_system import System

MATCHES = [
    {"game": "river_of_gold", "options": {"patrons": "draft"}, "seats": 2, "lang": "en", "touches": 600},
    {"game": "river_dragons", "options": {"variant": "islands"}, "seats": 2, "lang": "it", "touches": 40},
    {"game": "al_rashid", "options": {}, "seats": 2, "lang": "fr", "touches": 40},
]
SECONDS = 150
"""Twenty on a quiet machine."""


@pytest.fixture(scope="module")
def told(system: System) -> dict[str, Any]:
    """What happened in the match of each game, all played by one browser, which is unpacked for these tests."""
    with chromium_environment() as where:
        printed = printed_by(
            "front_end.mjs",
            seconds=SECONDS,
            GATEWAY=system.address,
            KEY=system.key,
            PAGE=str(ROOT / "docs" / "examples"),
            MATCHES=json.dumps(MATCHES),
            **where,
        )
    if "unavailable" in printed:
        pytest.skip(f"needs a Chromium that starts here: {printed['unavailable']}")
    return {match["game"]: match for match in printed["told"]}


pytestmark = pytest.mark.timeout(SECONDS + 120)


def test_a_whole_match_of_river_of_gold_ends_with_the_scores_on_the_screen(told: dict[str, Any]) -> None:
    match = told["river_of_gold"]
    assert match["status"] == "ended"
    lines = [row.split("\t") for row in match["rows"]]
    shown = {line[0]: line[1:] for line in lines}
    assert shown["Σ"] == [str(result["score"]) for result in match["results"]]
    assert shown["#"] == [str(result["rank"]) for result in match["results"]]
    for number, result in enumerate(match["results"]):
        breakdown = {line["reason"]: line["points"] for line in result["breakdown"]}
        column = [line[number + 1].replace("–", "0") for line in lines[2:-1]]
        assert sum(map(int, column)) == sum(breakdown.values()) == result["score"]
    assert match["outcome"]


@pytest.mark.parametrize("game", [match["game"] for match in MATCHES])
def test_the_page_plays_by_shapes_and_by_buttons_without_a_fault(told: dict[str, Any], game: str) -> None:
    """No error on the console, no answer of 400 or more; a seat's name is shown as text, and the token is in no address."""
    match = told[game]
    assert match["faults"] == []
    assert match["secrets"] == []
    assert match["chosen"]["shapes"] >= 10
    assert match["chosen"]["buttons"] >= 10
    assert match["unnamed"] == 0
    assert "Ada <b>" in match["seats"]


@pytest.mark.parametrize("game", [match["game"] for match in MATCHES])
def test_what_the_page_patched_is_what_the_server_has(told: dict[str, Any], game: str) -> None:
    """Also after a stream that broke, and a move whose answer was lost: it was sent again and made once."""
    match = told[game]
    assert match["same"]
    assert match["cut"]["streams"] >= 2
    assert match["cut"]["moves"] >= 2


def test_the_page_speaks_the_language_it_is_asked_for(told: dict[str, Any]) -> None:
    assert "Giocatore" in told["river_dragons"]["story"]
    assert "Joueur" in told["al_rashid"]["story"]
    assert "Seat" in told["river_of_gold"]["story"]


@pytest.mark.parametrize("name", ["table.html", "table.mjs", "board.mjs"])
def test_the_page_knows_no_game(name: str) -> None:
    words = ("river", "dragon", "gold", "rashid", "koku", "plank", "mercenary", "shore")
    text = (ROOT / "docs" / "examples" / name).read_text().lower()
    assert [word for word in words if word in text] == []

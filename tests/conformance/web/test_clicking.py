"""Whatever is lit is chosen by a click nearly anywhere in its box: measured on a grid of points, and tried with mouse and finger.

`make prove P=browser` looks at every decision of whole matches of every game.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.conformance.web.conftest import SECONDS, Play

LONG = bool(os.environ.get("FOLDTABLE_BROWSER_LONG"))
LONG_SECONDS = 3_600
LEAST = 0.8
"""The share of its box in which a lit thing must take the click, wherever no other lit thing lies over it."""
PHONE: dict[str, Any] = {"width": 360, "height": 740, "touch": True}
SHORT_MATCHES: list[dict[str, Any]] = [
    {"game": "al_rashid", "every": 5, "most": 4},
    {"game": "river_of_gold", "every": 5, "most": 4},
    {"game": "river_dragons", "every": 9, "most": 6},
    {"game": "al_rashid", "most": 1, **PHONE},
    {"game": "river_of_gold", "seats": 3, "most": 2, **PHONE},
    {"game": "river_dragons", "seats": 4, "every": 9, "most": 5, **PHONE},
    {"game": "river_of_gold", "most": 2, "plain": True},
    {"game": "river_dragons", "every": 17, "most": 2, "plain": True},
]
WHOLE_MATCHES: list[dict[str, Any]] = [
    {"game": "al_rashid"},
    {"game": "al_rashid", "seats": 4, "every": 3, **PHONE},
    {"game": "al_rashid", "every": 3, "plain": True},
    {"game": "river_of_gold", "options": {"patrons": "draft"}},
    {"game": "river_of_gold", "seats": 4, "every": 3, **PHONE},
    {"game": "river_of_gold", "every": 3, "plain": True},
    {"game": "river_dragons"},
    {"game": "river_dragons", "options": {"variant": "expert", "round_limit": 3}},
    {"game": "river_dragons", "seats": 4, "every": 3, **PHONE},
    {"game": "river_dragons", "every": 3, "plain": True},
]
MATCHES = WHOLE_MATCHES if LONG else SHORT_MATCHES
pytestmark = [pytest.mark.timeout((LONG_SECONDS if LONG else SECONDS) + 60), pytest.mark.slow]


def _called(match: dict[str, Any]) -> str:
    how = [word for word in ("plain", "touch") if match.get(word)]
    return "-".join(
        [match["game"], *how, *map(str, match.get("options", {}).values())] if LONG else [match["game"], *how]
    )


@pytest.fixture(scope="module")
def told(play: Play) -> list[dict[str, Any]]:
    """What was measured in each match."""
    measured: list[dict[str, Any]] = play(
        "clicking.mjs", seconds=LONG_SECONDS if LONG else SECONDS, GAMES=MATCHES
    )["told"]
    return measured


@pytest.mark.parametrize("number", range(len(MATCHES)), ids=[_called(match) for match in MATCHES])
def test_whatever_is_lit_takes_the_click_in_four_fifths_of_its_box(
    told: list[dict[str, Any]], number: int
) -> None:
    match = told[number]
    for kind, share in match["shares"].items():
        print(f"{kind:40} mean {share['mean']:.3f}  least {share['least']:.3f}  of {share['count']}")
    print(f"{match['targets']} lit in {match['decisions']} decisions, {match['clicks']} of them clicked")
    assert match["targets"] >= match["decisions"] >= MATCHES[number].get("most", 10)
    assert match["short"] == []
    assert min(share["least"] for share in match["shares"].values()) >= LEAST


def test_a_tap_chooses_what_was_under_the_finger_even_if_the_browser_moves_the_click(
    told: list[dict[str, Any]],
) -> None:
    moved = [tap for match in told if match["touch"] for tap in match["moved"]]
    assert [tap.get("chosen") for tap in moved] == [tap.get("fingerOn", tap["clickOn"]) for tap in moved]
    assert len(moved) >= 4


@pytest.mark.parametrize("number", range(len(MATCHES)), ids=[_called(match) for match in MATCHES])
def test_a_click_chooses_what_was_clicked(told: list[dict[str, Any]], number: int) -> None:
    match = told[number]
    assert match["clicks"] >= match["decisions"] / 2
    assert match["wrong"] == []
    assert match["faults"] == []
    if LONG:
        assert match["status"] == "ended"

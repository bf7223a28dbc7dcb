"""A match is paused on the page, by its players and by its organizer, and goes on; a player goes on vacation."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.web.conftest import SECONDS, Play

pytestmark = [pytest.mark.timeout(SECONDS + 60), pytest.mark.slow]
BY_AGREEMENT = "The match is paused by agreement: nobody has to act."
BY_ORGANIZER = "The match is paused by its organizer: nobody has to act."
STANDS = {"acts": 0, "turn": 0, "over": 0, "takeBack": 0, "propose": 0, "asked": 0}
"""What a paused match shows: nobody's turn, and no end; nothing to do but to go on."""
PLAYERS = ("ada", "bob")
EVERYBODY = (*PLAYERS, "cyd")


@pytest.fixture(scope="module")
def told(play: Play) -> dict[str, Any]:
    """What two players and a visitor saw at one table, step by step."""
    return play("pausing.mjs")


def test_players_may_propose_a_pause_while_the_match_runs(told: dict[str, Any]) -> None:
    assert {who: told["running"][who]["propose"] for who in EVERYBODY} == {"ada": 1, "bob": 1, "cyd": 0}
    assert [told["running"][who]["goOn"] for who in EVERYBODY] == [0, 0, 0]


def test_a_proposed_pause_is_shown_to_all_and_asks_the_other_player(told: dict[str, Any]) -> None:
    proposed = told["proposed"]
    assert proposed["toBob"].startswith("Ada proposes to pause the match.")
    assert proposed["toCyd"] == "Ada proposes to pause the match."
    assert [proposed[who]["asked"] for who in EVERYBODY] == [0, 2, 0]
    assert [proposed[who]["propose"] for who in EVERYBODY] == [0, 0, 0], "one proposal at a time"


def test_a_declined_pause_changes_nothing(told: dict[str, Any]) -> None:
    assert {who: told["declined"][who] for who in EVERYBODY} == told["running"]


@pytest.mark.parametrize("who", EVERYBODY)
def test_a_match_paused_by_agreement_waits_for_nobody_and_its_players_may_go_on(
    told: dict[str, Any], who: str
) -> None:
    may_go_on = 1 if who in PLAYERS else 0
    assert told["paused"][who] == {"says": BY_AGREEMENT, "goOn": may_go_on, **STANDS}


def test_a_paused_match_is_shown_as_paused_when_it_is_opened(told: dict[str, Any]) -> None:
    assert told["reloaded"]["ada"] == told["paused"]["ada"]


def test_the_match_goes_on_where_it_stood_when_a_player_says_so(told: dict[str, Any]) -> None:
    assert told["goesOn"] == told["running"]
    assert sum(told["running"][who]["turn"] for who in PLAYERS) == 1, "somebody had to act"
    assert sum(told["running"][who]["takeBack"] for who in PLAYERS) >= 1, "and could take something back"


@pytest.mark.parametrize("who", EVERYBODY)
def test_what_the_organizer_has_paused_no_player_continues(told: dict[str, Any], who: str) -> None:
    assert told["byTenant"][who] == {"says": BY_ORGANIZER, "goOn": 0, **STANDS}


def test_the_clock_of_a_player_says_so_while_the_player_is_on_vacation(told: dict[str, Any]) -> None:
    assert [clocks.index("on vacation") for clocks in told["vacation"].values()] == [1, 1]
    assert all("on vacation" not in clocks for clocks in told["back"].values())


def test_the_log_tells_it_in_words(told: dict[str, Any]) -> None:
    assert [line.splitlines() for line in told["log"][2:]] == [
        ["Ada asks to pause the match."],
        ["Bob refuses a pause."],
        ["Bob asks to pause the match."],
        ["Ada agrees to a pause.", "The match is paused by agreement."],
        ["The match goes on."],
        ["The match is paused."],
        ["The match goes on."],
        ["Bob is on vacation: the clock stands."],
        ["Bob is back from vacation."],
    ]


def test_nothing_went_wrong(told: dict[str, Any]) -> None:
    assert told["faults"] == []

"""Visitors without a session, and players whose session has ended: they watch where the tenant allows it, and are told what to do elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.web.conftest import SECONDS, Play

pytestmark = [pytest.mark.timeout(SECONDS + 60), pytest.mark.slow]
SIGN_IN = {
    "en": "To sign in, open the link",
    "it": "Per accedere, apri il link",
    "fr": "Pour vous connecter, ouvrez le lien",
    "pl": "Aby się zalogować, otwórz link",
}
CLOSED = {
    "en": "Only people who are signed in can see this match.",
    "it": "Questa partita è visibile solo a chi ha effettuato l’accesso.",
    "fr": "Seules les personnes connectées peuvent voir cette partie.",
    "pl": "Tę partię mogą oglądać tylko zalogowane osoby.",
}
ENDED = "Your session has ended. Sign in again to go on with your matches."
UNKNOWN = "There is no such match, or it is not open to you."


@pytest.fixture(scope="module")
def told(play: Play) -> dict[str, Any]:
    """What visitors saw, and what was said to them."""
    return play("visiting.mjs")


@pytest.mark.parametrize("language", SIGN_IN)
def test_a_visitor_is_told_how_to_sign_in_and_of_no_command_of_a_checkout(
    told: dict[str, Any], language: str
) -> None:
    """At the table and at the replay, of a public and of a private match alike, and in the lobby."""
    table, replay = told["closed"][language]
    assert table == replay
    assert table.startswith(CLOSED[language])
    for text in (table, told["lobby"][language]):
        assert SIGN_IN[language] in text
        assert "make run" not in text


def test_a_player_is_told_the_same_of_a_match_that_is_not_open_and_of_one_that_never_was(
    told: dict[str, Any],
) -> None:
    assert told["unknown"]["player"] == told["unknown"]["nobody"]
    assert told["unknown"]["nobody"].startswith(UNKNOWN)


def test_a_visitor_watches_and_replays_where_everybody_may_read(told: dict[str, Any]) -> None:
    """The table follows a move, the log has it, and the replay has every version."""
    watched = told["watching"]
    assert "You are watching this match." in watched["says"]
    assert watched["log"] == watched["versions"] == watched["before"] + 1
    assert watched["faults"] == []


def test_a_link_that_is_out_of_date_is_no_worse_than_none(told: dict[str, Any]) -> None:
    assert "You are watching this match." in told["outOfDate"]


def test_whoever_opens_a_used_login_link_is_told_so_and_the_code_leaves_the_address(
    told: dict[str, Any],
) -> None:
    refused = told["refusedCode"]
    assert refused["says"] == (
        "This did not work: This link has been used or has expired. Ask for another one."
    )
    assert refused["address"].endswith("/#/")


def test_a_player_whose_session_ends_is_told_so_in_place_of_a_dead_table(told: dict[str, Any]) -> None:
    assert told["ended"]["says"].startswith(ENDED)
    assert SIGN_IN["en"] in told["ended"]["says"]
    assert told["ended"]["who"] == "Not signed in"


def test_whose_session_ends_goes_on_watching_where_everybody_may_read(told: dict[str, Any]) -> None:
    assert ENDED in told["endedWatching"]["says"]
    assert "You are watching this match." in told["endedWatching"]["says"]

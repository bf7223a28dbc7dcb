"""People in browsers of their own who come to a table in every way there is: each has the seat, at once, and plays with the mouse."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.web.conftest import SECONDS, Play

pytestmark = [pytest.mark.timeout(SECONDS + 60), pytest.mark.slow]
PLAYS = {"own": 1, "watches": 0}
"""What a player sees: an own seat, and no word of watching."""


@pytest.fixture(scope="module")
def told(play: Play) -> dict[str, Any]:
    """What everybody saw, by the way in which they came to the table."""
    return play("meeting.mjs")


@pytest.mark.parametrize(
    ("way", "people", "moves"), [("quick", 2, 2), ("list", 3, 1), ("invite", 2, 2), ("guest", 2, 0)]
)
def test_people_meet_and_play(told: dict[str, Any], way: str, people: int, moves: int) -> None:
    """By "Find other players", from the list of public tables, and by an invitation, signed in or not."""
    met = told[way]
    assert met["sights"] == [PLAYS] * people
    assert met["made"] == [moves] * people
    assert met["logged"] == (list(range(people)) if moves else [])


def test_both_who_look_for_others_find_the_same_table(told: dict[str, Any]) -> None:
    assert told["quick"]["tables"] == 1


@pytest.mark.parametrize("way", ["invite", "guest"])
def test_an_invitation_that_is_opened_again_shows_the_seat_that_it_gave(
    told: dict[str, Any], way: str
) -> None:
    assert told[way]["again"] == PLAYS


def test_whoever_is_given_a_seat_while_watching_has_it_at_once(told: dict[str, Any]) -> None:
    assert told["given"]["sights"] == [PLAYS]


def test_a_seat_taken_in_one_tab_is_there_in_the_other(told: dict[str, Any]) -> None:
    assert told["tabs"] == [PLAYS, PLAYS]


def test_who_plays_again_has_a_seat_again(told: dict[str, Any]) -> None:
    assert told["again"]["sights"] == [PLAYS, PLAYS]


def test_whose_seat_was_taken_away_is_a_visitor_who_may_take_another_one(told: dict[str, Any]) -> None:
    assert told["taken"] == PLAYS


def test_a_link_signs_in_and_leads_to_an_invitation(told: dict[str, Any]) -> None:
    """The code has left the address, and so has the invite once it was used."""
    way = told["linked"]
    assert (way["sight"], way["shown"], way["seated"]) == (PLAYS, True, "eli")


def test_a_link_leads_to_no_other_page(told: dict[str, Any]) -> None:
    assert told["linked"]["elsewhere"] == [True] * 4, (
        "whatever it names is a fragment of this page's own address"
    )


def test_who_signs_out_is_told_what_to_do_and_who_signs_in_instead_has_the_own_seat(
    told: dict[str, Any],
) -> None:
    way = told["signedInstead"]
    assert (way["before"], way["after"]) == (PLAYS, PLAYS)
    assert way["closed"] == "Only people who are signed in can see this match."


def test_nothing_else_went_wrong(told: dict[str, Any]) -> None:
    """No error on a console. What the worker of all tabs asks is not seen here: it is refused a used invite, and visitors."""
    assert told["faults"] == []

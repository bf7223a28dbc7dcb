"""Every game that is installed fulfils what every game must; ours bring all that the checks can look at."""

from __future__ import annotations

from functools import cache

import pytest

from engine.registry import GAMES, REFUSED, checks, newest
from services.kit.check import Check
from services.kit.every_check import CHECKS
from services.kit.printed import printed
from services.kit.records.descriptors import DESCRIPTORS
from services.kit.records.every_check import RECORD_CHECKS
from services.kit.records.refusals import violations
from services.kit.running import run
from services.kit.subject import Subject
from tests.support.our_games import OUR_GAMES
from tests.support.stored_logs import GOLDEN

CODES_FOUND = 8
"""Refusals of different codes that random tries find in each game; many more, usually."""


def matches_of(game_id: str) -> int:
    """Return how many matches to play for each value of the options: two, or until every number of seats was played."""
    options = checks(game_id).options
    return max(2, -(-len(newest(game_id).seat_counts) // max(1, len(options))))


@cache
def subject(game_id: str) -> Subject:
    """One set of matches for all checks. The stored matches of our games are beside their tests."""
    golden = GOLDEN / game_id if game_id in OUR_GAMES else None
    return Subject(game_id, matches=matches_of(game_id), golden=golden)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_passes(game_id: str, check: Check) -> None:
    result = run(check, subject(game_id))
    assert not result.faults, printed(check, result)
    if game_id not in OUR_GAMES or check not in RECORD_CHECKS:
        return
    if (
        check is DESCRIPTORS
    ):  # our .proto files are in no package; the build derives the descriptors from them
        assert result.skipped == "the package ships no .proto files"
    else:
        assert (result.skipped, result.checked != "nothing") == ("", True)


@pytest.mark.parametrize("game_id", OUR_GAMES)
def test_every_number_of_seats_is_played(game_id: str) -> None:
    assert {played.seats for played in subject(game_id).matches} == {*newest(game_id).seat_counts}


@pytest.mark.parametrize("game_id", OUR_GAMES)
def test_random_tries_find_refusals_of_many_codes(game_id: str) -> None:
    """Otherwise the check of refusals would look at few of their texts."""
    told = {
        violation.code
        for played in subject(game_id).matches
        for _, violation in violations(subject(game_id), played)
    }
    assert len(told) >= CODES_FOUND


def test_no_package_is_refused() -> None:
    assert not REFUSED
    assert {"al_rashid", "river_dragons", "river_of_gold"} <= {*GAMES}


def test_every_check_has_a_name_and_a_question() -> None:
    names = [check.name for check in CHECKS]
    assert len(names) == len(set(names))
    assert all(check.asks and not check.asks.endswith(".") for check in CHECKS)

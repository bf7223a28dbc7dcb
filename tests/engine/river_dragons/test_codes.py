"""The codes of every game, where they fit; those of this game are provoked by the tests of its chapters."""

from __future__ import annotations

import pytest

from engine.kernel.chance import ScriptedChance
from engine.kernel.errors import RuleViolation, TableCode
from engine.match.requests import check_seat_count
from engine.river_dragons.actions import Step
from engine.river_dragons.events import EndReason, MatchEnded
from engine.river_dragons.game import GAME


def test_the_codes_of_every_game_are_used_where_they_fit(a_match) -> None:
    over = a_match().told(MatchEnded(reason=EndReason.ROUND_LIMIT, winners=()))
    story = a_match().executes("blue", "stone1")
    for state, seat, code in (
        (over.state, 0, TableCode.MATCH_OVER),
        (story.state, 1, TableCode.NOT_YOUR_TURN),
        (story.state, 6, TableCode.SEAT_UNKNOWN),
        (story.state, 0, TableCode.WRONG_DECISION),
    ):
        with pytest.raises(RuleViolation) as refused:
            GAME.decide(state, seat, Step(to="V-red"), ScriptedChance())
        assert refused.value.code is code


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_the_game_is_for_two_to_six(seats) -> None:
    with pytest.raises(RuleViolation) as refused:
        check_seat_count(GAME, seats)
    assert refused.value.code is TableCode.SEAT_COUNT

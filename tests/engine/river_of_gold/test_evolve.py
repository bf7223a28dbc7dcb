"""`evolve` records and judges nothing; what cannot be a history of a match is a programming error, never skipped."""

from __future__ import annotations

import pytest

from engine.kernel.chance import SeededChance
from engine.match.playout import playout
from engine.river_of_gold.box.components import Clan, Goods, PatronMode
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.event_parts import ChoiceKind, ChoiceSource, Gains, Step
from engine.river_of_gold.events import (
    ChoiceLapsed,
    CustomerDrawn,
    PatronChosen,
    StepStarted,
    TurnClosed,
    TurnStarted,
)
from engine.river_of_gold.evolve import evolve
from engine.river_of_gold.gain_events import (
    BuildingBuilt,
    GoodChosen,
    JourneyRewarded,
    MarkerPlaced,
    MerchantUsed,
)
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from tests.engine.river_of_gold.conftest import sail


def test_a_history_begins_with_the_start() -> None:
    with pytest.raises(ValueError, match="begins with match_started"):
        evolve(None, TurnClosed(seat=0))


def test_a_match_starts_once() -> None:
    started = GAME.start(RiverOfGoldOptions(), 2, SeededChance(bytes(32), 1))[0]
    with pytest.raises(ValueError, match="starts once"):
        evolve(evolve(None, started), started)


def test_a_redacted_event_cannot_be_folded(a_match) -> None:
    with pytest.raises(ValueError, match="redacted"):
        evolve(a_match().state, CustomerDrawn(seat=0))


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (StepStarted(seat=0, step=Step.MASTERIES), "not the next step"),
        (TurnClosed(seat=0), "not the next step"),
        (ChoiceLapsed(seat=0, kind=ChoiceKind.GOOD), "another choice"),
        (GoodChosen(seat=0, good="silk", source=ChoiceSource.TRACK), "another choice"),
        (JourneyRewarded(seat=0, gains=Gains(koku=3)), "no ship has sailed"),
        (
            MerchantUsed(seat=0, customer=CustomerId.MERCHANT_6, sold=Goods(), gains=Gains(koku=3)),
            "no ship has sailed",
        ),
        (MarkerPlaced(seat=0, shore="shore_01", building="era1_port_1", customer="monk_1"), "no building"),
        (
            BuildingBuilt(seat=0, shore="shore_06", building="era1_port_1", slot=1, koku=1, favor=0),
            "not empty",
        ),
    ],
)
def test_what_does_not_follow_from_the_table_is_not_folded(a_match, event, words) -> None:
    with pytest.raises(ValueError, match=words):
        evolve(a_match().state, event)


def test_a_last_turn_is_only_had_by_who_has_one(a_match) -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        evolve(a_match().last_turns("C").state, TurnStarted(seat=1, turn=9))


def test_another_seats_patron_is_not_folded() -> None:
    options = RiverOfGoldOptions(patrons=PatronMode.DRAFT)
    state = evolve(None, GAME.start(options, 2, SeededChance(bytes(32), 1))[0])
    with pytest.raises(ValueError, match="another seat"):
        evolve(state, PatronChosen(seat=state.order[0], patron=state.offers[0], clan=Clan.CRAB))


def test_a_bonus_is_had_once(a_match) -> None:
    story = a_match().ships("A", 14, 8).plays("A", sail("upstream", 1))
    once = evolve(story.state, JourneyRewarded(seat=0, gains=Gains(koku=3)))
    with pytest.raises(ValueError, match="not in tuple"):
        evolve(once, JourneyRewarded(seat=0, gains=Gains(koku=3)))


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("patrons", list(PatronMode))
def test_a_playout_of_the_kernel_ends(seats, patrons) -> None:
    secret = bytes(32)
    finished = playout(
        GAME, RiverOfGoldOptions(patrons=patrons), seats, secret, SeededChance(secret, 1 << 32)
    )
    assert finished.moves > 40
    assert finished.outcome.reason == "LAST_TURNS_PLAYED"

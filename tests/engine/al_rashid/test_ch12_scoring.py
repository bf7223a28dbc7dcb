"""§12 Scoring."""

from __future__ import annotations

import pytest

from engine.al_rashid.event_parts import EndReason
from engine.al_rashid.events import MatchEnded
from engine.al_rashid.game import GAME
from engine.al_rashid.rules.scoring import point_lines, scores


def points(story, office: str) -> int:
    return next(line.points for line in point_lines(story.state, 0) if line.source == office)


@pytest.mark.parametrize(("markers", "worth"), [(0, 0), (4, 0), (5, 4), (6, 5), (9, 5)])
def test_the_aide(a_match, markers, worth) -> None:
    story = a_match().owns("A", "aide_to_the_qadi")
    assert points(story.influence("A", markers) if markers else story, "aide_to_the_qadi") == worth


def test_the_steward_counts_its_own_palace(a_match) -> None:
    """[R38]"""
    five = ("smuggler", "raider", "banker", "trader", "treasurer")
    assert points(a_match().owns("A", "steward_of_the_city", *five), "steward_of_the_city") == 6
    assert points(a_match().owns("A", "steward_of_the_city", *five[1:]), "steward_of_the_city") == 0


@pytest.mark.parametrize(("goods", "worth"), [("9H 9P 9M", 0), ("H P M Sp", 4), ("H P M Sp Si", 6)])
def test_the_warehouse_keeper_counts_kinds_and_no_notes(a_match, goods, worth) -> None:
    """[R17]"""
    story = a_match().owns("A", "warehouse_keeper").goods(A=goods).notes("A", 3)
    assert points(story, "warehouse_keeper") == worth


def test_offices_of_a_palace_are_counted_with_every_copy(a_match) -> None:
    """[R13]"""
    story = a_match(4).owns(
        "A", "favorites_maiden", "weapon_master", "smuggler", "smuggler", "raider", "raider"
    )
    assert (points(story, "favorites_maiden"), points(story, "weapon_master")) == (0, 3)
    story = story.owns("A", "plotter", "recruiter")
    assert (points(story, "favorites_maiden"), points(story, "weapon_master")) == (5, 6)
    assert sum(line.points for line in point_lines(story.state, 0) if line.source == "smuggler") == 2


@pytest.mark.parametrize(
    ("office", "more", "worth"),
    [
        ("dean_of_the_academy", "SS", 0),
        ("dean_of_the_academy", "SSSS", 5),
        ("dean_of_the_academy", "SSSSS", 7),
        ("economist", "M", 0),
        ("economist", "MMM", 5),
        ("counselor_of_the_caliph", "", 0),
        ("counselor_of_the_caliph", "PP", 5),
    ],
)
def test_family_offices(a_match, office, more, worth) -> None:
    assert points(a_match().owns("A", office).family("A", more), office) == worth


def test_goods_notes_and_tiles_score_nothing(a_match) -> None:
    """§12.5"""
    story = a_match().goods(A="9Si").notes("A", 9).hand("A", "red 4, blue 4")
    assert scores(story.state)[0].score == 6


def test_equal_points_are_a_shared_victory(a_match) -> None:
    """[R32]"""
    story = a_match().influence("A", 1).influence("B", 1)
    story = story.told(MatchEnded(reason=EndReason.TURNS_PLAYED, scores=scores(story.state)))
    outcome = GAME.outcome(story.state)
    assert outcome.winners == (0, 1)
    assert [result.rank for result in outcome.results] == [1, 1, 3]
    assert [result.score for result in outcome.results] == [7, 7, 6]

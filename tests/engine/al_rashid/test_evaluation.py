"""What a standing is worth: points if the match ended now, means, and what pieces on the board are about to bring."""

from __future__ import annotations

import pytest

from engine.al_rashid.actions import DeclareVisit, Fight, Flee
from engine.al_rashid.agents.evaluation import evaluate
from engine.al_rashid.box.components import Squad
from engine.kernel.seats import Seat

A, B = Seat(0), Seat(1)


@pytest.mark.parametrize(
    "better",
    [
        pytest.param(lambda story: story.goods(A="H P M"), id="§6.3 goods"),
        pytest.param(lambda story: story.notes("A"), id="§6.6 a note"),
        pytest.param(lambda story: story.influence("A", 1), id="§12.4 influence"),
        pytest.param(lambda story: story.family("A", "P"), id="§12.1 a pasha"),
        pytest.param(lambda story: story.owns("A", "banker"), id="§12.2 an office"),
        pytest.param(lambda story: story.hand("A", "red 3"), id="§9 a mercenary"),
    ],
)
def test_who_owns_more_stands_better_and_the_other_worse(a_match, better) -> None:
    story = a_match(2)
    assert evaluate(story.state, A) == evaluate(story.state, B) == 0.0
    rich = better(story)
    assert evaluate(rich.state, A) > 0.0 > evaluate(rich.state, B)


def test_a_territory_held_by_more_than_the_hand_can_beat_is_no_place_to_be(a_match) -> None:
    """§9.2 Fleeing is a dishonor: better to stand where it is free."""
    held = a_match(2).mercenaries("silk_road", "red 4, red 4")

    def at(story, territory: str) -> float:
        return evaluate(story.board(territory, "A P").state, A)

    assert at(held, "silk_road") < at(held, "nilus_valley")
    strong = held.hand("A", "red 4, red 4, red 4")
    assert at(strong, "silk_road") > at(strong, "nilus_valley") - 0.1
    assert at(strong, "silk_road") - evaluate(strong.state, A) > at(held, "silk_road") - evaluate(
        held.state, A
    )


def test_a_declared_visit_counts_before_it_is_paid(a_match) -> None:
    """§7.2 Else a bot would see a price and nothing for it."""
    story = a_match(2).goods(A="2H 2P 2M Sp Si").board("culture", "A P").rounds("A").resolve("culture")
    nothing = story.plays("A", DeclareVisit())
    trained = story.plays("A", DeclareVisit(service=True))
    assert trained.waiting == ["A payment"]
    assert evaluate(trained.state, A) > evaluate(nothing.state, A)


def test_winning_a_battle_is_worth_more_than_fleeing(a_match) -> None:
    """§9.2"""
    held = a_match(2).hand("A", "red 4").mercenaries("silk_road", "red 2").board("silk_road", "A P")
    story = held.rounds("A").resolve("silk_road")
    won, fled = story.plays("A", Fight(tiles=Squad(red_4=1))), story.plays("A", Flee())
    assert evaluate(won.state, A) > evaluate(fled.state, A)

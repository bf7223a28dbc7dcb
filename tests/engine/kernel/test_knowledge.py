"""What somebody comes to know, told with pebbles in fists."""

from __future__ import annotations

import pytest

from engine.kernel.chance import ScriptedChance, SeededChance
from engine.kernel.knowledge import audiences, revealed, revealed_along
from engine.kernel.seats import PUBLIC, REFEREE, seat_audience
from engine.match.replay import fold
from tests.engine.knowledge_properties import (
    cannot_be_told_from_the_truth,
    comes_up_as_often_as_it_should,
    names_are_in_order,
)


def event(pebbles, text: str):
    return pebbles.event_codec.decode(text.encode())


@pytest.fixture
def table(pebbles):
    """Three seats; seat 1 has two pebbles in its fist, seat 2 has looked."""
    return fold(
        pebbles,
        [
            event(pebbles, '{"type":"begun","goal":9,"first":0,"seats":3}'),
            event(pebbles, '{"type":"palmed","seat":1,"pebbles":2}'),
            event(pebbles, '{"type":"peeked","seat":2,"at":1,"pebbles":2}'),
        ],
    )


def test_all_who_can_miss_something_are_the_seats_and_the_public() -> None:
    assert audiences(2) == (seat_audience(0), seat_audience(1), PUBLIC)


def test_a_fact_is_hidden_from_who_has_not_seen_it(pebbles, table) -> None:
    names_are_in_order(pebbles, table, 3)
    for audience in (seat_audience(0), PUBLIC):
        assert pebbles.hidden(table, audience) == ("fist:1",)
    for audience in (seat_audience(1), seat_audience(2), REFEREE):
        assert pebbles.hidden(table, audience) == ()


def test_what_is_seen_for_the_first_time_is_revealed_to_who_sees_it(pebbles, table) -> None:
    after = fold(pebbles, [event(pebbles, '{"type":"peeked","seat":0,"at":1,"pebbles":2}')], table)
    assert [revealed(pebbles, table, after, audience) for audience in (*audiences(3), REFEREE)] == [
        ("fist:1",),
        (),
        (),
        (),
        (),
    ]


def test_a_fact_that_comes_to_be_is_not_revealed_to_who_makes_it(pebbles, table) -> None:
    after = fold(pebbles, [event(pebbles, '{"type":"palmed","seat":0,"pebbles":1}')], table)
    assert not any(revealed(pebbles, table, after, audience) for audience in audiences(3))
    assert pebbles.hidden(after, seat_audience(2)) == ("fist:0",)


def test_what_comes_to_light_and_is_hidden_again_within_a_move_is_noticed(pebbles, table) -> None:
    """Before and after look alike; on the way seat 0 has looked into the fist."""
    looked = fold(pebbles, [event(pebbles, '{"type":"peeked","seat":0,"at":1,"pebbles":2}')], table)
    again = fold(pebbles, [event(pebbles, '{"type":"palmed","seat":1,"pebbles":3}')], looked)
    assert revealed(pebbles, table, again, seat_audience(0)) == ()
    assert revealed_along(pebbles, [table, looked, again], seat_audience(0)) == ("fist:1",)


def test_a_match_that_begins_reveals_nothing(pebbles, table) -> None:
    assert revealed_along(pebbles, [None, table], PUBLIC) == ()


def test_a_redealt_fist_is_any_fist_for_who_has_not_looked(pebbles, table) -> None:
    chance = SeededChance(bytes(32), 1)
    for audience in (seat_audience(0), PUBLIC):
        assert any(cannot_be_told_from_the_truth(pebbles, table, audience, number) for number in range(9))
        comes_up_as_often_as_it_should(
            [pebbles.redeal(table, audience, chance).fists[1].pebbles for _ in range(300)], {1: 1, 2: 1, 3: 1}
        )
    for audience in (seat_audience(1), seat_audience(2), REFEREE):
        assert pebbles.redeal(table, audience, ScriptedChance()) == table

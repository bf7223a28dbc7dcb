"""Audiences, refusals, the recorder: the small values everything is built on."""

from __future__ import annotations

import pytest

from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.legal import LegalActions
from engine.kernel.recorder import Recorder
from engine.kernel.seats import PUBLIC, REFEREE, Audience, AudienceKind, seat_audience


def test_a_seat_sees_its_own_a_referee_all_the_public_nothing_hidden() -> None:
    assert [audience.sees_seat(1) for audience in (seat_audience(1), seat_audience(2), PUBLIC, REFEREE)] == [
        True,
        False,
        False,
        True,
    ]
    assert [audience.sees_all() for audience in (seat_audience(1), PUBLIC, REFEREE)] == [False, False, True]


@pytest.mark.parametrize(
    ("kind", "seat"), [(AudienceKind.SEAT, None), (AudienceKind.PUBLIC, 0), (AudienceKind.REFEREE, 3)]
)
def test_a_seat_audience_names_its_seat_and_no_other_does(kind, seat) -> None:
    with pytest.raises(ValueError, match="must be set for a seat audience"):
        Audience(kind, seat)


def test_a_refusal_carries_code_paragraph_field_and_facts() -> None:
    refusal = RuleViolation(TableCode.SEAT_COUNT, rule="1", field="seats", seats=9)
    assert (refusal.code, refusal.rule, refusal.field, refusal.facts) == (
        "SEAT_COUNT",
        "1",
        "seats",
        {"seats": 9},
    )
    assert str(refusal) == "SEAT_COUNT (§1): seats 9"
    assert str(RuleViolation(TableCode.MATCH_OVER, rule="8")) == "MATCH_OVER (§8)"


def test_no_legal_actions_are_false() -> None:
    assert not LegalActions()
    assert LegalActions(actions=(1,))
    assert LegalActions(templates=(1,))


def test_a_recorder_evolves_as_it_records() -> None:
    recorder: Recorder[int, int] = Recorder(10, lambda state, event: state + event)
    assert recorder.record(5) == 15
    assert recorder.record(-1) == recorder.state == 14
    assert recorder.events == (5, -1)


def test_the_kernels_game_knows_who_is_waited_for(pebbles) -> None:
    state = pebbles.evolve(None, pebbles.event_codec.decode(b'{"type":"begun","goal":3,"first":1,"seats":2}'))
    assert pebbles.to_act(state) == (1,)

"""§10 What a seat receives, on any channel, does not change when only things it cannot know change."""

from __future__ import annotations

import os

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import PUBLIC, seat_audience
from engine.river_dragons.actions import PlaceStone, Step
from engine.river_dragons.box.components import Variant
from engine.river_dragons.events import ProgramSubmitted
from engine.river_dragons.game import GAME
from engine.river_dragons.rules.programming import hand, nth_program, programs

MATCHES = settings(
    max_examples=int(os.environ.get("FOLDTABLE_FUZZ_MATCHES", "4")),
    derandomize="FOLDTABLE_FUZZ_MATCHES" not in os.environ,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
"""Whole matches per property; the environment variable asks for more, and for other ones each time."""
NUMBERS = st.integers(0, 1 << 32)
PLAYERS = st.integers(2, 6)
SIDES = pytest.mark.parametrize("variant", list(Variant))


def another_program(state, seat, chance):
    """Any legal program that shows the same cards in the slots already revealed."""
    now = state.programs[seat]
    held = hand(state, seat)
    for _ in range(200):
        new = nth_program(held, chance.below(programs(held)))
        rest = [card for card in new if card not in now[: state.slot]]
        dragons = sum(card.startswith("dragon") for card in now[: state.slot])
        tail = [card for card in rest if not (dragons and card.startswith("dragon"))]
        candidate = (*now[: state.slot], *tail)[:5]
        if len(candidate) == 5 and candidate != now:
            return candidate
    return now


def twin(state, knowing, chance):
    """The same table, had everybody but one chosen something else that is still hidden."""
    changed = tuple(
        program if seat == knowing or not program else another_program(state, seat, chance)
        for seat, program in enumerate(state.programs)
    )
    return msgspec.structs.replace(state, programs=changed)


def received(state, audience, seats) -> bytes:
    """Everything the audience can get at: its view, who is waited for, and every seat's listing."""
    return b"|".join(
        [
            encode(GAME.view(state, audience)),
            encode(GAME.pending(state)),
            encode(GAME.outcome(state)),
            *(encode(GAME.legal_actions(state, seat)) for seat in seats),
            GAME.draw(GAME.view(state, audience)).encode(),
        ]
    )


@SIDES
@MATCHES
@given(players=PLAYERS, number=NUMBERS)
def test_what_a_seat_sees_does_not_depend_on_the_others_unrevealed_programs(
    play, variant, players, number
) -> None:
    chance = SeededChance(number.to_bytes(32, "big"), 6)
    changed = 0
    for step in play(players, variant, number):
        if chance.below(3):
            continue
        knowing = chance.below(players)
        other = twin(step.state, knowing, chance)
        changed += other != step.state
        assert received(other, seat_audience(knowing), [knowing]) == received(
            step.state, seat_audience(knowing), [knowing]
        )
    assert changed


@SIDES
@MATCHES
@given(players=PLAYERS, number=NUMBERS)
def test_what_the_public_sees_does_not_depend_on_any_unrevealed_program(
    play, variant, players, number
) -> None:
    chance = SeededChance(number.to_bytes(32, "big"), 7)
    for step in play(players, variant, number):
        if chance.below(3):
            continue
        other = twin(step.state, None, chance)
        assert received(other, PUBLIC, range(players)) == received(step.state, PUBLIC, range(players))


@SIDES
@MATCHES
@given(players=PLAYERS, number=NUMBERS)
def test_an_event_tells_others_only_that_a_program_was_submitted(play, variant, players, number) -> None:
    for step in play(players, variant, number):
        for event in step.events:
            if not isinstance(event, ProgramSubmitted):
                continue
            other = ProgramSubmitted(seat=event.seat, cards=tuple(reversed(event.cards)))
            for knowing in range(players):
                seen, twin_seen = (GAME.redact(each, seat_audience(knowing)) for each in (event, other))
                assert (encode(seen) == encode(twin_seen)) == (knowing != event.seat)
            assert encode(GAME.redact(event, PUBLIC)) == encode(GAME.redact(other, PUBLIC))


@SIDES
@MATCHES
@given(players=PLAYERS, number=NUMBERS)
def test_a_refusal_does_not_depend_on_the_others_unrevealed_programs(play, variant, players, number) -> None:
    chance = SeededChance(number.to_bytes(32, "big"), 9)
    for step in play(players, variant, number):
        if chance.below(6):
            continue
        knowing = chance.below(players)
        other = twin(step.state, knowing, chance)
        for action in (Step(to="V-white"), PlaceStone(island="I99")):
            answers = []
            for state in (step.state, other):
                with pytest.raises(RuleViolation) as refused:
                    GAME.decide(state, knowing, action, chance)
                answers.append((refused.value.code, refused.value.facts))
            assert answers[0] == answers[1]

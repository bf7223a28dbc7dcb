"""The state after the latest move is not computed twice, and is never taken for that of other events or another state."""

from __future__ import annotations

from engine.kernel.chance import SeededChance
from engine.kernel.recorder import Recorder, state_after
from engine.match.replay import fold
from engine.registry import game


def _joined(state: str, event: str) -> str:
    return state + event


def _joined_elsewhere(state: str, event: str) -> str:
    return _joined(state, event)


def _new(text: str) -> str:
    return " ".join(text.split())


def test_the_state_after_recorded_events_is_kept() -> None:
    before = "a"
    turn = Recorder(before, _joined)
    turn.record("b")
    turn.record("c")
    events = turn.events
    assert state_after(events, _joined, before) is turn.state
    assert turn.state == "abc"


def test_it_is_kept_for_these_events_this_state_and_this_function_only() -> None:
    before = _new("x y")
    turn = Recorder(before, _joined)
    turn.record("b")
    events = turn.events
    assert state_after((*events[:0], "b"), _joined, before) is None
    assert state_after(events, _joined, _new("x y")) is None
    assert state_after(events, _joined_elsewhere, before) is None
    assert state_after(events, _joined, before) == "x yb"
    Recorder("other", _joined).events  # noqa: B018 - the next move
    assert state_after(events, _joined, before) is None


def test_folding_a_decided_move_gives_an_equal_state_however_it_is_folded() -> None:
    dragons = game("river_dragons")
    state = fold(dragons, dragons.start(dragons.options_codec.decode(b"{}"), 3, SeededChance(bytes(32), 1)))
    choices = SeededChance(bytes(32), 0)
    for number in range(2, 60):
        seat = dragons.to_act(state)[0]
        action = dragons.sample(state, seat, choices)
        events = dragons.decide(state, seat, action, SeededChance(bytes(32), number))
        applied = fold(dragons, list(events), state)
        kept = fold(dragons, events, state)
        assert kept == applied
        assert kept is not applied
        state = kept

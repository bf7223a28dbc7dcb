"""What a row of the log asks for."""

from __future__ import annotations

import pytest

from engine.kernel.chance import ScriptedChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.match.replay import fold
from engine.match.requests import RESIGN, Resign, StartMatch, decide_request, read_request, start_request


def begun(pebbles, goal: int = 10):
    options = pebbles.types.options(goal=goal)
    request = read_request(pebbles, start_request(options, 2))
    return fold(pebbles, decide_request(pebbles, None, None, request, ScriptedChance([0])))


def test_a_start_carries_seats_and_options(pebbles) -> None:
    request = start_request(pebbles.types.options(goal=4), 3)
    assert request == b'{"type":"start_match","seats":3,"options":{"goal":4}}'
    assert isinstance(read_request(pebbles, request), StartMatch)
    assert begun(pebbles, goal=4).goal == 4


def test_a_resignation_is_the_same_for_every_game(pebbles) -> None:
    assert RESIGN == b'{"type":"resign"}'
    assert isinstance(read_request(pebbles, RESIGN), Resign)
    events = decide_request(pebbles, begun(pebbles), 1, Resign(), ScriptedChance())
    assert [type(event).__name__ for event in events] == ["Left", "Won"]


def test_everything_else_is_an_action_of_the_game(pebbles) -> None:
    action = read_request(pebbles, b'{"type":"heap","pebbles":2}')
    events = decide_request(pebbles, begun(pebbles), 0, action, ScriptedChance([1]))
    assert (events[0].pebbles, events[0].found) == (2, 1)


@pytest.mark.parametrize(
    "request_bytes",
    [b"", b"null", b"{}", b'{"type":7}', b'{"type":"resign","why":"late"}', b'{"type":"start_match"}'],
)
def test_what_is_none_of_them_is_unreadable(pebbles, request_bytes) -> None:
    with pytest.raises(Unreadable):
        read_request(pebbles, request_bytes)


def test_a_match_starts_once_and_no_seat_starts_it(pebbles) -> None:
    start = read_request(pebbles, start_request(pebbles.types.options(), 2))
    for state, seat in ((begun(pebbles), None), (None, 0)):
        with pytest.raises(Unreadable, match="starts once"):
            decide_request(pebbles, state, seat, start, ScriptedChance([0]))


def test_before_the_start_nothing_else_comes_and_nobody_acts_without_a_seat(pebbles) -> None:
    action = read_request(pebbles, b'{"type":"heap","pebbles":1}')
    for state, seat in ((None, 0), (begun(pebbles), None)):
        with pytest.raises(Unreadable):
            decide_request(pebbles, state, seat, action, ScriptedChance())


@pytest.mark.parametrize("seats", [1, 4])
def test_a_table_the_game_is_not_made_for_is_refused(pebbles, seats) -> None:
    start = read_request(pebbles, start_request(pebbles.types.options(), seats))
    with pytest.raises(RuleViolation) as refused:
        decide_request(pebbles, None, None, start, ScriptedChance([0]))
    assert refused.value.code is TableCode.SEAT_COUNT
    assert refused.value.facts == {"seats": seats, "allowed": (2, 3)}


@pytest.mark.parametrize("options", [b'{"goal":"far"}', b'{"height":3}', b"7"])
def test_options_the_game_does_not_have_are_unreadable(pebbles, options) -> None:
    request = b'{"type":"start_match","seats":2,"options":' + options + b"}"
    with pytest.raises(Unreadable):
        decide_request(pebbles, None, None, read_request(pebbles, request), ScriptedChance([0]))


def test_a_request_read_and_written_again_is_the_same(pebbles) -> None:
    for request in (start_request(pebbles.types.options(), 2), RESIGN, b'{"type":"heap","pebbles":2}'):
        assert encode(read_request(pebbles, request)) == request

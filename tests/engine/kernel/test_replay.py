"""Fold a log, play while valid, decide it all again."""

from __future__ import annotations

import msgspec
import pytest

from engine.kernel.chance import Draw, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, Unreadable
from engine.match.playout import random_match
from engine.match.replay import (
    LoggedMove,
    decide_again,
    fold,
    fold_moves,
    play_while_valid,
    states_after_each,
)
from engine.match.requests import start_request

SECRET = bytes(range(32))


def heap(pebbles: int) -> bytes:
    return b'{"type":"heap","pebbles":%d}' % pebbles


@pytest.fixture
def requests(pebbles):
    """The first seat is the one drawn by SECRET; the seats alternate, three pebbles each."""
    first = SeededChance(SECRET, 1).below(2)
    turns = [((first + n) % 2, heap(3)) for n in range(3)]
    return [(None, start_request(pebbles.types.options(goal=99), 2)), *turns]


@pytest.fixture
def log(pebbles, requests) -> tuple[LoggedMove, ...]:
    played = play_while_valid(pebbles, requests, SECRET)
    assert played.refusal is None
    return played.moves


def test_valid_requests_give_a_log_numbered_from_1(pebbles, requests) -> None:
    played = play_while_valid(pebbles, requests, SECRET)
    assert [move.seq for move in played.moves] == [1, 2, 3, 4]
    assert [move.request for move in played.moves] == [request for _, request in requests]
    assert played.state == fold_moves(pebbles, played.moves)
    assert (played.refused_at, played.refusal) == (None, None)


def test_play_stops_at_the_first_refusal_and_keeps_the_good_part(pebbles, requests) -> None:
    seat = requests[2][0]
    played = play_while_valid(pebbles, [*requests[:2], (seat, heap(4)), *requests[2:]], SECRET)
    assert (len(played.moves), played.refused_at) == (2, 2)
    assert isinstance(played.refusal, RuleViolation)
    assert played.state == fold_moves(pebbles, played.moves)


def test_play_stops_at_what_cannot_be_read(pebbles, requests) -> None:
    played = play_while_valid(pebbles, [*requests, (0, b"?")], SECRET)
    assert (len(played.moves), played.refused_at) == (4, 4)
    assert isinstance(played.refusal, Unreadable)


def test_a_log_folds_move_by_move_and_all_at_once(pebbles, log) -> None:
    states = [state for _, state in states_after_each(pebbles, log)]
    assert states[-1] == fold_moves(pebbles, log)
    assert fold_moves(pebbles, log[2:], states[1]) == states[-1]
    assert [state.heap for state in states] == sorted(state.heap for state in states)


def test_an_honest_log_is_decided_again_without_a_difference(pebbles, log) -> None:
    assert decide_again(pebbles, log, SECRET) is None


def test_the_draws_made_on_the_way_can_be_collected(pebbles, log) -> None:
    drawn: list[Draw] = []
    assert decide_again(pebbles, log, SECRET, drawn=drawn) is None
    assert [(draw.move, draw.number, draw.bound) for draw in drawn] == [(n, 0, 2) for n in (1, 2, 3, 4)]


def test_a_forged_event_is_the_first_difference(pebbles, log) -> None:
    forged = log[2].events.replace(b'"pebbles":3', b'"pebbles":2')
    tampered = (*log[:2], msgspec.structs.replace(log[2], events=forged), log[3])
    difference = decide_again(pebbles, tampered, SECRET)
    assert (difference.seq, difference.place) == (3, "events[0]")
    assert '"pebbles":2' in difference.logged
    assert '"pebbles":3' in difference.decided


def test_a_missing_event_is_a_difference(pebbles, log) -> None:
    tampered = (*log[:3], msgspec.structs.replace(log[3], events=b"[]"))
    difference = decide_again(pebbles, tampered, SECRET)
    assert (difference.seq, difference.place) == (4, "events")
    assert (difference.logged, difference.decided) == ("0 events", "1 events")


def test_events_that_cannot_be_read_are_a_difference(pebbles, log) -> None:
    tampered = (log[0], msgspec.structs.replace(log[1], events=b'[{"type":"flown"}]'))
    difference = decide_again(pebbles, tampered, SECRET)
    assert (difference.seq, difference.place) == (2, "events")


def test_another_secret_does_not_give_the_same_luck(pebbles, log) -> None:
    assert decide_again(pebbles, log, bytes(32)) is not None


def test_a_request_that_is_refused_now_is_a_difference(pebbles, log) -> None:
    tampered = (log[0], msgspec.structs.replace(log[1], request=heap(9)))
    difference = decide_again(pebbles, tampered, SECRET)
    assert (difference.seq, difference.place, difference.logged) == (2, "request", "accepted")
    assert "TOO_MANY" in difference.decided


def test_a_random_match_is_the_same_for_the_same_secret_and_whims(pebbles) -> None:
    def steps() -> list[bytes]:
        match = random_match(pebbles, pebbles.types.options(), 3, SECRET, SeededChance(SECRET, 99))
        return [encode(step.events) for step in match]

    assert steps() == steps()


def test_a_printed_log_shows_no_request_and_no_event(log) -> None:
    """They may hold what nobody may see yet."""
    assert "heap" not in repr(log)


def test_folding_nothing_gives_the_state_as_it_was(pebbles, log) -> None:
    state = fold_moves(pebbles, log)
    assert fold(pebbles, (), state) is state

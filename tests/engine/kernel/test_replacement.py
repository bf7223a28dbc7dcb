"""Another player for a seat with the consent of the table: the others are asked, and the log keeps that they agreed."""

from __future__ import annotations

import pytest

from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.match.commands import (
    ReplacementAgreed,
    ReplacementAnswered,
    ReplacementProposed,
    read_events,
)
from engine.match.folding import replayed
from engine.match.replay import decide_again, fold_moves, play_while_valid
from engine.match.requests import RESIGN, start_request
from engine.registry import GAMES
from engine.registry import game as registered_game
from tests.engine.knowledge_properties import luck

SECRET = bytes(32)
FIRST = luck(0, 1).below(3)
A, B, C = ((FIRST + place) % 3 for place in range(3))
"""The seats in order of play."""
ASK = b'{"type":"ask_to_replace"}'
YES, NO = b'{"type":"answer_replace","accept":true}', b'{"type":"answer_replace","accept":false}'
PAUSE, RESUME, ABORT = b'{"type":"pause"}', b'{"type":"resume"}', b'{"type":"abort"}'


def heap(pebbles: int) -> bytes:
    return b'{"type":"heap","pebbles":%d}' % pebbles


@pytest.fixture
def play(pebbles):
    """Play requests after the start of a match of three; give its rows, or what was refused last."""

    def played(*requests: tuple[int | None, bytes], refused: bool = False):
        start = (None, start_request(pebbles.types.options(goal=99), 3))
        found = play_while_valid(pebbles, [start, *requests], SECRET)
        if refused:
            assert found.refused_at == len(requests), found.refusal
            return found.refusal
        assert found.refusal is None, found.refusal
        assert decide_again(pebbles, found.moves, SECRET) is None
        assert fold_moves(pebbles, found.moves) == found.state
        return found.moves

    return played


@pytest.fixture
def events(pebbles):
    return lambda row: read_events(pebbles, row.events)


@pytest.fixture
def timeline(play, pebbles):
    return lambda *requests: replayed(pebbles, play(*requests)).timeline


def test_all_others_are_asked_and_the_last_acceptance_agrees(play, events) -> None:
    rows = play((B, ASK), (A, YES), (C, YES))
    assert events(rows[1]) == (ReplacementProposed(seat=B),)
    assert events(rows[2]) == (ReplacementAnswered(seat=A, accept=True),)
    assert events(rows[3]) == (ReplacementAnswered(seat=C, accept=True), ReplacementAgreed(seat=B))


def test_an_agreement_is_about_the_player_of_the_version_at_which_the_others_were_asked(timeline) -> None:
    """Whoever had the seat later is not whom they meant."""
    agreed = timeline((A, heap(1)), (B, ASK), (A, YES), (C, YES))
    assert (agreed.agreed, agreed.proposal) == ({B: 3}, None)
    again = timeline((B, ASK), (A, YES), (C, YES), (C, ASK), (A, YES), (B, YES), (B, ASK), (C, YES), (A, YES))
    assert again.agreed == {B: 8, C: 5}


@pytest.mark.parametrize(
    "requests",
    [
        ((B, ASK), (A, YES)),
        ((B, ASK), (A, YES), (C, NO)),
        ((B, ASK), (A, YES), (A, heap(1))),
        ((B, ASK), (A, YES), (None, PAUSE)),
    ],
    ids=["one has not answered", "one refuses", "somebody moves", "the tenant pauses"],
)
def test_nothing_is_agreed(timeline, play, requests) -> None:
    assert timeline(*requests).agreed == {}


def test_an_agreement_stays_whatever_is_played_or_taken_back(timeline) -> None:
    requests = ((A, heap(1)), (B, ASK), (A, YES), (C, YES), (B, heap(1)), (B, b'{"type":"undo","to":5}'))
    assert timeline(*requests).agreed == {B: 3}
    back = ((A, heap(1)), (B, ASK), (A, YES), (C, YES), (A, b'{"type":"undo","to":1}'))
    assert timeline(*back).agreed == {B: 3}, "it is no move, so no undo takes it back"


@pytest.mark.parametrize("move_between", [False, True])
def test_who_was_refused_is_not_asked_for_again_before_somebody_has_moved(play, move_between) -> None:
    if move_between:
        play((B, ASK), (A, NO), (A, heap(1)), (B, ASK))
        return
    refusal = play((B, ASK), (A, NO), (B, ASK), refused=True)
    assert (refusal.code, refusal.rule) == (TableCode.REPLACEMENT_NOT_ALLOWED, "replace")
    assert refusal.facts == {"reason": "REFUSED_BEFORE"}
    play((B, ASK), (A, NO), (C, ASK))
    play((B, ASK), (A, NO), (B, PAUSE))


def test_only_the_others_answer_and_once(play) -> None:
    for requests in (((B, ASK), (B, YES)), ((B, ASK), (A, YES), (A, YES)), ((A, YES),)):
        assert play(*requests, refused=True).code is TableCode.NO_PROPOSAL


def test_an_answer_of_another_kind_settles_nothing(play) -> None:
    for what in (b"undo", b"abort", b"pause"):
        other = b'{"type":"answer_%s","accept":true}' % what
        assert play((B, ASK), (A, other), refused=True).code is TableCode.NO_PROPOSAL
    for what in (ABORT, PAUSE):
        assert play((B, what), (A, YES), refused=True).code is TableCode.NO_PROPOSAL


@pytest.mark.parametrize("request_", [ASK, YES])
def test_it_is_about_a_seat(play, request_) -> None:
    assert isinstance(play((None, request_), refused=True), Unreadable)


def test_the_table_is_asked_in_a_pause_too(play, timeline) -> None:
    assert timeline((None, PAUSE), (B, ASK), (A, YES), (C, YES)).agreed == {B: 3}
    refusal = play((None, PAUSE), (B, ASK), (A, NO), (B, ASK), refused=True)
    assert refusal.facts == {"reason": "REFUSED_BEFORE"}


@pytest.fixture(params=GAMES)
def left(request):
    """Play requests in a match of three of every game, after seat 2 has left; give its timeline, or what was refused last."""
    game = registered_game(request.param)
    start = [(None, start_request(game.types.options(), 3)), (2, RESIGN)]

    def played(*requests: tuple[int | None, bytes], refused: bool = False):
        found = play_while_valid(game, [*start, *requests], SECRET)
        if refused:
            assert found.refused_at == len(requests) + 1, found.refusal
            return found.refusal
        assert found.refusal is None, found.refusal
        assert decide_again(game, found.moves, SECRET) is None
        return replayed(game, found.moves).timeline

    return played


def test_who_has_left_is_neither_asked_nor_asked_for(left) -> None:
    assert left((0, ASK), (1, YES)).agreed == {0: 3}
    assert left((0, ASK), (2, YES), refused=True).code is TableCode.NO_PROPOSAL
    refusal = left((2, ASK), refused=True)
    assert isinstance(refusal, RuleViolation)
    assert (refusal.code, refusal.facts) == (TableCode.REPLACEMENT_NOT_ALLOWED, {"reason": "SEAT_LEFT"})


def test_a_match_that_is_over_has_nobody_to_replace(play) -> None:
    assert play((None, ABORT), (B, ASK), refused=True).code is TableCode.MATCH_OVER


def test_a_log_that_says_they_agreed_although_nobody_was_asked_is_not_right(play, pebbles) -> None:
    """Somebody who knew the secret could have written it."""
    asked = play((B, ASK))
    agreed = play((B, ASK), (A, YES), (C, YES))[-1]
    forged = [*asked, type(agreed)(seq=3, seat=C, request=agreed.request, events=agreed.events)]
    difference = decide_again(pebbles, forged, SECRET)
    assert difference is not None
    assert (difference.seq, difference.place) == (3, "events")

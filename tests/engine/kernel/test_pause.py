"""Pausing a match: by the tenant at any time, by the seats when all agree; meanwhile nobody moves."""

from __future__ import annotations

import pytest

from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.seats import PUBLIC
from engine.match import aborting
from engine.match.commands import (
    MatchPaused,
    MatchResumed,
    PauseAnswered,
    PausedBy,
    PauseProposed,
    TimeAdded,
    VacationBegan,
    VacationEnded,
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
PAUSE, RESUME = b'{"type":"pause"}', b'{"type":"resume"}'
YES, NO = b'{"type":"answer_pause","accept":true}', b'{"type":"answer_pause","accept":false}'
ABORT, SKIP = b'{"type":"abort"}', b'{"type":"skip"}'
BEGIN, END = b'{"type":"begin_vacation"}', b'{"type":"end_vacation"}'


def heap(pebbles: int) -> bytes:
    return b'{"type":"heap","pebbles":%d}' % pebbles


def add_time(*seats: int, seconds: int = 60) -> bytes:
    return b'{"type":"add_time","seats":%s,"seconds":%d}' % (
        str(list(seats)).replace(" ", "").encode(),
        seconds,
    )


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


# ── pauses ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_tenant_pauses_at_once_and_goes_on(play, events) -> None:
    rows = play((A, heap(1)), (None, PAUSE), (None, RESUME), (B, heap(1)))
    assert events(rows[2]) == (MatchPaused(by=PausedBy.TENANT, seat=None),)
    assert events(rows[3]) == (MatchResumed(seat=None),)


def test_all_others_are_asked_and_the_last_acceptance_pauses(play, events) -> None:
    rows = play((B, PAUSE), (A, YES), (C, YES))
    assert events(rows[1]) == (PauseProposed(seat=B),)
    assert events(rows[2]) == (PauseAnswered(seat=A, accept=True),)
    assert events(rows[3]) == (
        PauseAnswered(seat=C, accept=True),
        MatchPaused(by=PausedBy.CONSENT, seat=B),
    )


def test_whoever_agreed_goes_on_alone(play, events) -> None:
    (*_, row) = play((B, PAUSE), (A, YES), (C, YES), (C, RESUME))
    assert events(row) == (MatchResumed(seat=C),)


@pytest.mark.parametrize("request_", [heap(1), SKIP])
def test_nobody_moves_meanwhile(play, request_) -> None:
    refusal = play((None, PAUSE), (A, request_), refused=True)
    assert isinstance(refusal, RuleViolation)
    assert (refusal.code, refusal.rule) == (TableCode.MATCH_PAUSED, "pause")


@pytest.mark.parametrize(
    "request_",
    [
        b'{"type":"undo","to":1}',
        b'{"type":"redo"}',
        b'{"type":"answer_undo","accept":true}',
        PAUSE,
    ],
)
def test_nothing_is_taken_back_nor_paused_again_meanwhile(play, request_) -> None:
    refusal = play((A, heap(1)), (None, PAUSE), (A, request_), refused=True)
    assert refusal.code is TableCode.MATCH_PAUSED


@pytest.mark.parametrize("answers", [(), ((B, YES),), ((B, NO),)])
def test_only_the_tenant_ends_its_own_pause(play, answers) -> None:
    refusal = play((None, PAUSE), (A, RESUME), refused=True)
    assert (refusal.code, refusal.facts) == (TableCode.PAUSE_NOT_ALLOWED, {"reason": "PAUSED_BY_TENANT"})


def test_what_is_not_paused_does_not_go_on(play) -> None:
    assert play((None, RESUME), refused=True).code is TableCode.NOT_PAUSED
    assert play((None, PAUSE), (None, RESUME), (A, RESUME), refused=True).code is TableCode.NOT_PAUSED


def test_who_was_refused_does_not_ask_again_before_somebody_has_moved(play) -> None:
    refusal = play((B, PAUSE), (A, NO), (B, PAUSE), refused=True)
    assert (refusal.code, refusal.facts) == (TableCode.PAUSE_NOT_ALLOWED, {"reason": "REFUSED_BEFORE"})
    play((B, PAUSE), (A, NO), (C, PAUSE))
    play((B, PAUSE), (A, NO), (B, ABORT))
    play((B, PAUSE), (A, NO), (A, heap(1)), (B, PAUSE))


def test_an_answer_of_another_kind_settles_nothing(play) -> None:
    for answer in (b'{"type":"answer_abort","accept":true}', b'{"type":"answer_undo","accept":true}'):
        assert play((B, PAUSE), (A, answer), refused=True).code is TableCode.NO_PROPOSAL
    assert play((B, ABORT), (A, YES), refused=True).code is TableCode.NO_PROPOSAL


def test_a_pause_of_the_tenant_closes_what_was_proposed(play) -> None:
    assert play(
        (B, ABORT), (None, PAUSE), (A, b'{"type":"answer_abort","accept":true}'), refused=True
    ).code is (TableCode.NO_PROPOSAL)


def test_what_counts_stays_and_nobody_is_waited_for(play, pebbles) -> None:
    rows = play((A, heap(1)), (None, PAUSE))
    replay = replayed(pebbles, rows)
    assert replay.timeline.line() == (1, 2)
    assert [replay.timeline.is_paused_at(version) for version in (1, 2, 3)] == [False, False, True]
    assert aborting.pending(pebbles, replay.state, aborted=False, paused=True) == ()
    gone_on = replayed(pebbles, play((A, heap(1)), (None, PAUSE), (None, RESUME))).timeline
    assert (gone_on.is_paused_at(3), gone_on.is_paused_at(4), gone_on.pause) == (True, False, None)


def test_a_move_is_taken_back_across_a_pause(play) -> None:
    play((A, heap(1)), (None, PAUSE), (None, RESUME), (A, b'{"type":"undo","to":1}'))


def test_a_log_with_a_move_in_a_pause_is_not_right(play, pebbles) -> None:
    """Somebody who knew the secret could have written it."""
    rows = play((A, heap(1)), (None, PAUSE), (None, RESUME))
    moved = play((A, heap(1)), (None, PAUSE), (None, RESUME), (B, heap(1)))[-1]
    forged = [*rows[:3], type(moved)(seq=4, seat=moved.seat, request=moved.request, events=moved.events)]
    difference = decide_again(pebbles, forged, SECRET)
    assert difference is not None
    assert (difference.seq, difference.place) == (4, "request")


@pytest.fixture(params=GAMES)
def left(request):
    """Play requests in a match of three of every game, after seat 2 has left; give its rows, or what was refused last."""
    game = registered_game(request.param)
    start = [(None, start_request(game.types.options(), 3)), (2, RESIGN)]

    def played(*requests: tuple[int | None, bytes], refused: bool = False):
        found = play_while_valid(game, [*start, *requests], SECRET)
        if refused:
            assert found.refused_at == len(requests) + 1, found.refusal
            return found.refusal
        assert found.refusal is None, found.refusal
        assert decide_again(game, found.moves, SECRET) is None
        return game, replayed(game, found.moves), [read_events(game, row.events) for row in found.moves]

    return played


def test_who_has_left_is_not_asked_and_neither_asks_nor_goes_on(left) -> None:
    _, _, events = left((0, PAUSE), (1, YES))
    assert events[-1][-1] == MatchPaused(by=PausedBy.CONSENT, seat=0)
    for requests in (((2, PAUSE),), ((0, PAUSE), (2, YES)), ((0, PAUSE), (1, YES), (2, RESUME))):
        refusal = left(*requests, refused=True)
        assert (refusal.code, refusal.facts) == (TableCode.PAUSE_NOT_ALLOWED, {"reason": "YOU_LEFT"})


def test_nobody_is_waited_for_in_a_pause(left) -> None:
    game, replay, _ = left((None, PAUSE))
    seen = aborting.view(game, replay.state, PUBLIC, aborted=False, paused=True)
    assert (seen.pending, seen.outcome) == ((), None)
    assert aborting.view(game, replay.state, PUBLIC, aborted=False, paused=False).pending


def test_the_last_but_one_leaves_in_a_pause_and_the_match_is_over(left) -> None:
    game, replay, _ = left((None, PAUSE), (1, RESIGN))
    assert game.outcome(replay.state) is not None
    assert left((None, PAUSE), (1, RESIGN), (None, RESUME), refused=True).code is TableCode.MATCH_OVER


def test_the_match_is_called_off_in_a_pause(left) -> None:
    _, replay, _ = left((None, PAUSE), (0, ABORT), (1, b'{"type":"answer_abort","accept":true}'))
    assert replay.timeline.aborted == 5
    assert left((None, PAUSE), (None, ABORT), (None, RESUME), refused=True).code is TableCode.MATCH_OVER


@pytest.mark.parametrize(
    ("seat", "seats", "reason"),
    [(0, (0, 1), "OWN_CLOCK"), (2, (0,), "YOU_LEFT"), (None, (0, 2), "SEAT_LEFT"), (1, (2,), "SEAT_LEFT")],
)
def test_who_gets_no_time(left, seat, seats, reason) -> None:
    refusal = left((seat, add_time(*seats)), refused=True)
    assert (refusal.code, refusal.facts) == (TableCode.TIME_NOT_ADDED, {"reason": reason})


def test_who_has_left_goes_on_no_vacation_and_returns_from_one(left) -> None:
    assert isinstance(left((2, BEGIN), refused=True), Unreadable)
    _, replay, _ = left((1, BEGIN), (1, END))
    assert replay.timeline.resting == frozenset()


# ── added time, vacations ──────────────────────────────────────────────────────────────────────────


def test_the_tenant_adds_time_to_any_seats_and_a_seat_to_others(play, events) -> None:
    rows = play((None, add_time(0, 1, 2)), (A, add_time(*sorted((B, C)), seconds=5)))
    assert events(rows[1]) == (TimeAdded(by=None, seats=(0, 1, 2), seconds=60),)
    assert events(rows[2]) == (TimeAdded(by=A, seats=tuple(sorted((B, C))), seconds=5),)


@pytest.mark.parametrize(
    ("request_", "pointer"),
    [
        (add_time(), "$.seats"),
        (add_time(1, 0), "$.seats"),
        (add_time(1, 1), "$.seats"),
        (add_time(3), "$.seats"),
        (add_time(-1), "$.seats"),
        (add_time(1, seconds=0), "$.seconds"),
        (add_time(1, seconds=2_592_001), "$.seconds"),
    ],
)
def test_time_for_nobody_or_none_is_unreadable(play, request_, pointer) -> None:
    refusal = play((None, request_), refused=True)
    assert isinstance(refusal, Unreadable)
    assert refusal.pointer == pointer
    play((None, add_time(1, seconds=2_592_000)))


def test_added_time_and_vacations_leave_a_proposal_open(play, events) -> None:
    (*_, row) = play((B, PAUSE), (None, add_time(0)), (A, BEGIN), (A, END), (A, YES), (C, YES))
    assert isinstance(events(row)[-1], MatchPaused)


def test_a_vacation_begins_once_and_ends_once(play, events, pebbles) -> None:
    rows = play((B, BEGIN), (A, heap(1)), (B, heap(1)), (B, END))
    assert events(rows[1]) == (VacationBegan(seat=B),)
    assert events(rows[4]) == (VacationEnded(seat=B),)
    assert replayed(pebbles, rows[:4]).timeline.resting == {B}
    assert replayed(pebbles, rows).timeline.resting == frozenset()
    for requests in (((B, END),), ((B, BEGIN), (B, BEGIN))):
        assert isinstance(play(*requests, refused=True), Unreadable)

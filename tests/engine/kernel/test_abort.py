"""Calling a match off: by the tenant at any time, by the seats when all agree; then nothing follows."""

from __future__ import annotations

import msgspec
import pytest

from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.seats import PUBLIC
from engine.match import aborting
from engine.match.commands import AbortAnswered, AbortedBy, AbortProposed, MatchAborted, read_events
from engine.match.folding import LoggedMove, Replay
from engine.match.replay import decide_again, fold_moves, play_while_valid
from engine.match.requests import RESIGN, start_request
from engine.registry import GAMES
from engine.registry import game as registered_game
from tests.engine.knowledge_properties import luck

SECRET = bytes(32)
FIRST = luck(0, 1).below(3)
A, B, C = ((FIRST + place) % 3 for place in range(3))
"""The seats in order of play."""
SKIP, ABORT = b'{"type":"skip"}', b'{"type":"abort"}'
YES, NO = b'{"type":"answer_abort","accept":true}', b'{"type":"answer_abort","accept":false}'
UNDO, UNDO_YES = b'{"type":"undo","to":1}', b'{"type":"answer_undo","accept":true}'


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
            assert isinstance(found.refusal, RuleViolation)
            return found.refusal
        assert found.refusal is None, found.refusal
        assert decide_again(pebbles, found.moves, SECRET) is None
        assert fold_moves(pebbles, found.moves) == found.state
        return found.moves

    return played


@pytest.fixture
def events(pebbles):
    return lambda row: read_events(pebbles, row.events)


def test_the_tenant_calls_off_at_once(play, events) -> None:
    (*_, row) = play((A, heap(1)), (None, ABORT))
    assert events(row) == (MatchAborted(by=AbortedBy.TENANT, seat=None),)


def test_a_match_that_never_began_is_called_off_by_its_first_row(pebbles) -> None:
    found = play_while_valid(pebbles, [(None, ABORT)], SECRET)
    assert (found.refusal, found.state, len(found.moves)) == (None, None, 1)
    assert decide_again(pebbles, found.moves, SECRET) is None


def test_all_others_are_asked_and_the_last_acceptance_ends_the_match(play, events) -> None:
    rows = play((B, ABORT), (A, YES), (C, YES))
    assert events(rows[1]) == (AbortProposed(seat=B),)
    assert events(rows[2]) == (AbortAnswered(seat=A, accept=True),)
    assert events(rows[3]) == (
        AbortAnswered(seat=C, accept=True),
        MatchAborted(by=AbortedBy.CONSENT, seat=B),
    )


@pytest.mark.parametrize(
    "request_",
    [(A, heap(1)), (A, RESIGN), (A, UNDO), (B, ABORT), (None, ABORT), (B, YES)],
    ids=lambda asked: f"{asked[0]} {asked[1].decode()}",
)
def test_nothing_follows(play, request_) -> None:
    assert play((None, ABORT), request_, refused=True).code is TableCode.MATCH_OVER


def test_a_log_with_a_row_after_the_end_is_unreadable(pebbles, play) -> None:
    rows = play((None, ABORT))
    late = LoggedMove(seq=3, seat=A, request=SKIP, events=b'[{"type":"skipped"}]')
    replay = Replay(pebbles)
    for row in rows:
        replay.advance(row)
    with pytest.raises(Unreadable):
        replay.timeline.advance(late.seq, late.seat, late.request, None)


def test_one_refusal_ends_it_and_the_same_seat_does_not_ask_again_before_the_next_move(play) -> None:
    refusal = play((A, ABORT), (B, NO), (A, ABORT), refused=True)
    assert (refusal.code, refusal.facts) == (TableCode.ABORT_NOT_ALLOWED, {"reason": "REFUSED_BEFORE"})
    assert play((A, ABORT), (B, NO), (C, YES), refused=True).code is TableCode.NO_PROPOSAL
    assert play((A, ABORT), (B, NO), (B, ABORT), (A, NO), (A, heap(1)), (A, ABORT))


def test_who_was_refused_an_abort_may_still_ask_for_an_undo(play) -> None:
    assert play((A, heap(1)), (A, ABORT), (B, NO), (A, UNDO), (B, UNDO_YES), (C, UNDO_YES))


@pytest.mark.parametrize(("asked", "answer"), [(ABORT, UNDO_YES), (UNDO, YES)], ids=["abort", "undo"])
def test_an_answer_is_to_the_question_that_was_asked(play, asked: bytes, answer: bytes) -> None:
    assert play((A, heap(1)), (A, asked), (B, answer), refused=True).code is TableCode.NO_PROPOSAL


@pytest.mark.parametrize("name", GAMES)
def test_who_has_left_is_not_asked_and_does_not_ask(name: str) -> None:
    game = registered_game(name)
    start = (None, start_request(game.types.options(), 3))
    left = [start, (2, RESIGN)]
    agreed = play_while_valid(game, [*left, (0, ABORT), (1, YES)], SECRET)
    assert agreed.refusal is None
    assert isinstance(read_events(game, agreed.moves[-1].events)[-1], MatchAborted)
    refusal = play_while_valid(game, [*left, (2, ABORT)], SECRET).refusal
    assert isinstance(refusal, RuleViolation)
    assert (refusal.code, refusal.facts) == (TableCode.ABORT_NOT_ALLOWED, {"reason": "YOU_LEFT"})


def test_the_next_move_ends_the_proposal(play) -> None:
    refusal = play((A, ABORT), (A, heap(1)), (B, YES), refused=True)
    assert refusal.code is TableCode.NO_PROPOSAL


def test_an_abort_without_consent_is_found(pebbles, play) -> None:
    rows = play((A, ABORT))
    forged = b'[{"type":"match_aborted","by":"consent","seat":%d}]' % A
    tampered = (rows[0], LoggedMove(seq=2, seat=A, request=ABORT, events=forged))
    difference = decide_again(pebbles, tampered, SECRET)
    assert difference is not None
    assert (difference.seq, difference.place) == (2, "events[0]")


@pytest.mark.parametrize("name", GAMES)
def test_the_table_stays_and_nobody_is_waited_for(name: str) -> None:
    game = registered_game(name)
    found = play_while_valid(game, [(None, start_request(game.types.options(), game.seat_counts[0]))], SECRET)
    before = aborting.view(game, found.state, PUBLIC, aborted=False, paused=False)
    after = aborting.view(game, found.state, PUBLIC, aborted=True, paused=False)
    assert before == game.view(found.state, PUBLIC)
    assert before.pending
    assert after == msgspec.structs.replace(before, pending=(), outcome=aborting.ABORTED)
    assert aborting.pending(game, found.state, aborted=True, paused=False) == ()
    assert aborting.outcome(game, found.state, aborted=True) == aborting.ABORTED

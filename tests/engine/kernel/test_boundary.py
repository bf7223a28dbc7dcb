"""How far a seat may take its moves back by itself."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import PUBLIC, seat_audience
from engine.match.boundary import (
    FreeUndo,
    Move,
    Obstacle,
    drew,
    free_undo,
    moves_of,
    obstacle,
)
from engine.match.boundary import (
    UndoBoundaryReason as Reason,
)
from engine.match.playout import random_match
from engine.match.replay import fold, play_while_valid
from engine.match.requests import RESIGN, start_request
from tests.engine.knowledge_properties import draws_are_noticed, looks_the_same_at_every_table, luck, move_of
from tests.support.judgements import judged

SECRET = bytes(32)


FIRST = luck(0, 1).below(3)
A, B, C = ((FIRST + place) % 3 for place in range(3))
"""The seats in order of play."""
LOOK, SHOW, SKIP = b'{"type":"peek"}', b'{"type":"show"}', b'{"type":"skip"}'


def palm(pebbles: int) -> bytes:
    return b'{"type":"palm","pebbles":%d}' % pebbles


def heap(pebbles: int) -> bytes:
    return b'{"type":"heap","pebbles":%d}' % pebbles


@pytest.fixture
def moves(pebbles):
    """The moves of a match of three that begins with these requests."""

    def play(*requests: tuple[int, bytes]) -> tuple[Move, ...]:
        start = (None, start_request(pebbles.types.options(goal=99), 3))
        played = play_while_valid(pebbles, [start, *requests], SECRET)
        assert played.refusal is None
        return tuple(moves_of(pebbles, played.moves))

    return play


def free(to: int, reason: Reason, seq: int | None = None) -> FreeUndo:
    return FreeUndo(to=to, obstacle=Obstacle(reason=reason, seq=seq))


def test_moves_are_read_from_the_log_with_the_table_before_them(pebbles, moves) -> None:
    line = moves((A, palm(2)), (A, SHOW))
    assert [move.seq for move in line] == [1, 2, 3]
    assert line[0].before is None
    assert line[2].before == fold(pebbles, line[1].events, line[1].before)
    assert tuple(moves_of(pebbles, (), line[2].before)) == ()


def test_own_moves_without_luck_and_without_news_are_free_back_to_the_other_seats(pebbles, moves) -> None:
    line = moves((A, SKIP), (B, palm(1)), (B, SKIP), (C, palm(2)))
    assert free_undo(pebbles, line, 3, C) == free(4, Reason.NOT_YOURS, 4)
    line = moves((A, palm(1)), (A, SKIP))
    assert free_undo(pebbles, line, 3, A) == free(1, Reason.NOTHING_TO_UNDO, 1)


def test_what_drew_luck_is_not_free(pebbles, moves) -> None:
    line = moves((A, palm(1)), (A, heap(2)))
    assert free_undo(pebbles, line, 3, A) == free(3, Reason.DREW_LUCK, 3)


def test_what_comes_after_the_luck_is(pebbles, moves) -> None:
    line = moves((A, heap(1)), (B, heap(1)), (C, heap(1)), (A, palm(1)), (A, SKIP))
    assert free_undo(pebbles, line, 3, A) == free(4, Reason.NOT_YOURS, 4)


def test_what_others_learn_is_not_free(pebbles, moves) -> None:
    line = moves((A, palm(2)), (A, SHOW))
    assert free_undo(pebbles, line, 3, A) == free(3, Reason.REVEALED, 3)
    others = {seat_audience(B), seat_audience(C), PUBLIC}
    assert set(judged(pebbles, line, 3)[2].revealed_to) == others


def test_what_the_mover_learns_is_not_free(pebbles, moves) -> None:
    line = moves((A, SKIP), (B, palm(2)), (B, SKIP), (C, SKIP), (A, LOOK))
    assert free_undo(pebbles, line, 3, A) == free(6, Reason.REVEALED, 6)
    assert judged(pebbles, line, 3)[-1].revealed_to == (seat_audience(A),)


def test_what_another_seat_has_answered_is_not_free(pebbles, moves) -> None:
    line = moves((A, palm(1)), (A, SKIP), (B, palm(2)))
    assert free_undo(pebbles, line, 3, A) == free(4, Reason.ANSWERED, 4)
    assert free_undo(pebbles, line, 3, B) == free(3, Reason.NOT_YOURS, 3)


def test_who_has_not_moved_has_nothing_to_undo(pebbles, moves) -> None:
    line = moves((A, SKIP))
    assert free_undo(pebbles, line, 3, C) == free(2, Reason.NOTHING_TO_UNDO)
    assert free_undo(pebbles, moves(), 3, A) == free(1, Reason.NOTHING_TO_UNDO)


@pytest.mark.parametrize(
    ("seat", "to", "reason", "seq"),
    [
        pytest.param(C, 5, None, None, id="the last move"),
        pytest.param(C, 4, None, None, id="all own moves"),
        pytest.param(C, 3, Reason.NOT_YOURS, 4, id="further than the own moves"),
        pytest.param(B, 5, Reason.NOT_YOURS, 6, id="only moves of others"),
        pytest.param(B, 3, Reason.ANSWERED, 6, id="an own move that was answered"),
        pytest.param(A, 1, Reason.ANSWERED, 6, id="an own move that drew and was answered"),
        pytest.param(C, 6, Reason.NOTHING_TO_UNDO, None, id="where the match is"),
        pytest.param(C, 9, Reason.NOTHING_TO_UNDO, None, id="where the match is not yet"),
    ],
)
def test_a_version_to_go_back_to_is_free_or_the_newest_move_in_the_way_is_named(
    pebbles, moves, seat, to, reason, seq
) -> None:
    """A heaps, with luck, B palms a pebble and skips, C palms one and skips."""
    line = moves((A, heap(1)), (B, palm(1)), (B, SKIP), (C, palm(2)), (C, SKIP))
    expected = None if reason is None else Obstacle(reason=reason, seq=seq)
    assert obstacle(pebbles, line, 3, seat, to) == expected


@pytest.mark.parametrize(("pebbles_shuffled", "luck_needed"), [(1, False), (2, True)])
def test_a_shuffle_is_luck_unless_there_is_only_one_order(
    pebbles, moves, pebbles_shuffled, luck_needed
) -> None:
    def shuffle(_state, _seat, _action, chance):
        chance.shuffled(range(pebbles_shuffled))
        return ()

    shuffling = dataclasses.replace(pebbles, decide=shuffle)
    assert drew(shuffling, moves((A, SKIP))[1]) == luck_needed


@pytest.mark.parametrize("to", [0, -1])
def test_the_start_of_a_match_is_not_undone(pebbles, moves, to) -> None:
    line = moves((A, SKIP))
    assert obstacle(pebbles, line, 3, A, to) == Obstacle(reason=Reason.NOTHING_TO_UNDO, seq=1)


def test_the_last_moves_are_enough_if_they_reach_back_far_enough(pebbles, moves) -> None:
    line = moves((A, heap(1)), (B, palm(1)), (B, SKIP))
    assert free_undo(pebbles, line[1:], 3, B) == free_undo(pebbles, line, 3, B)
    assert obstacle(pebbles, line[2:], 3, B, 2) is None
    with pytest.raises(ValueError, match="version 3"):
        free_undo(pebbles, line[2:], 3, B)
    with pytest.raises(ValueError, match="version 3"):
        obstacle(pebbles, line[2:], 3, B, 1)


def test_every_move_is_judged(pebbles, moves) -> None:
    line = moves((A, heap(1)), (B, palm(2)), (B, SKIP), (C, SKIP), (A, LOOK))
    told = judged(pebbles, line, 3)
    assert [each.seq for each in told] == [1, 2, 3, 4, 5, 6]
    assert [each.drew for each in told] == [True, True, False, False, False, False]
    assert [each.revealed_to for each in told] == [()] * 5 + [(seat_audience(A),)]
    assert [each.answered_by for each in told] == [A, B, C, C, A, None]


def test_a_resignation_is_judged_like_any_move(pebbles, moves) -> None:
    told = judged(pebbles, moves((A, palm(2)), (A, RESIGN)), 3)
    assert not told[-1].drew
    assert seat_audience(B) in told[-1].revealed_to


def test_a_move_that_todays_rules_refuse_is_not_judged(pebbles, moves) -> None:
    line = moves((A, heap(3)))
    forged = msgspec.structs.replace(line[1], request=pebbles.action_codec.decode(heap(9)))
    with pytest.raises(RuleViolation):
        judged(pebbles, (line[0], forged), 3)


def test_a_printed_move_shows_no_action_and_no_state(moves) -> None:
    assert repr(moves((A, palm(2)))[1]) == f"Move(seq=2, seat={A})"


def test_whole_matches_draw_when_they_are_said_to_and_show_only_what_is_said_to_be_revealed(pebbles) -> None:
    drawn = asked = 0
    for number in range(10):
        options = pebbles.types.options(goal=20)
        before = None
        for step in random_match(pebbles, options, 3, number.to_bytes(32, "big"), luck(number, 99)):
            if before is not None:
                move = move_of(pebbles, before, step)
                drawn += draws_are_noticed(pebbles, move, number)
                asked += looks_the_same_at_every_table(pebbles, move, 3, number)
            before = step.state
    assert drawn
    assert asked

"""Taking back: the log goes on, the table goes back, and luck stays where it was."""

from __future__ import annotations

import pytest

from engine.kernel.errors import RuleViolation, TableCode
from engine.match.commands import (
    EVENT_TAGS,
    REQUEST_TAGS,
    MoveRedone,
    MoveUndone,
    UndoAnswered,
    UndoProposed,
    read_events,
)
from engine.match.folding import LoggedMove, Replay
from engine.match.replay import decide_again, fold_moves, play_while_valid, states_after_each
from engine.match.requests import RESIGN, start_request
from engine.registry import GAMES
from engine.registry import game as registered_game
from tests.engine.knowledge_properties import luck

SECRET = bytes(32)
FIRST = luck(0, 1).below(3)
A, B, C = ((FIRST + place) % 3 for place in range(3))
"""The seats in order of play."""
SKIP, SHOW, REDO = b'{"type":"skip"}', b'{"type":"show"}', b'{"type":"redo"}'
YES, NO = b'{"type":"answer_undo","accept":true}', b'{"type":"answer_undo","accept":false}'


def heap(pebbles: int) -> bytes:
    """Draws."""
    return b'{"type":"heap","pebbles":%d}' % pebbles


def palm(pebbles: int) -> bytes:
    """Draws nothing and tells nobody."""
    return b'{"type":"palm","pebbles":%d}' % pebbles


def undo(to: int) -> bytes:
    return b'{"type":"undo","to":%d}' % to


@pytest.fixture
def play(pebbles):
    """Play requests after the start of a match of three; give its rows, or what was refused last."""

    def played(*requests: tuple[int, bytes], refused: bool = False):
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
def states(pebbles):
    return lambda rows: [state for _, state in states_after_each(pebbles, rows)]


@pytest.fixture
def events(pebbles):
    return lambda row: read_events(pebbles, row.events)


def draws(pebbles, rows: tuple[LoggedMove, ...]) -> list[tuple[int, int]]:
    """Return move and value of every draw."""
    drawn = []
    assert decide_again(pebbles, rows, SECRET, drawn=drawn) is None
    return [(draw.move, draw.value) for draw in drawn]


def test_a_free_undo_is_one_row_after_which_the_table_is_the_earlier_one(play, states, events) -> None:
    rows = play((A, palm(2)), (A, undo(1)))
    assert [row.seq for row in rows] == [1, 2, 3]
    assert events(rows[2]) == (MoveUndone(seat=A, to=1),)
    after = states(rows)
    assert after[2] == after[0] != after[1]


def test_versions_go_on_and_one_can_go_back_to_a_version_after_an_undo(play, states) -> None:
    rows = play((A, palm(2)), (A, undo(1)), (A, palm(1)), (A, undo(3)))
    after = states(rows)
    assert after[4] == after[2] == after[0]


def test_a_version_that_led_elsewhere_is_not_on_the_way(play) -> None:
    refusal = play((A, palm(2)), (A, undo(1)), (A, palm(1)), (A, undo(2)), refused=True)
    assert (refusal.code, refusal.facts["reason"]) == (TableCode.UNDO_NOT_ALLOWED, "NOT_ON_THE_WAY")


@pytest.mark.parametrize("to", [2, 3, 9, 0, -1])
def test_nothing_is_taken_back_from_now_on_nor_before_the_start(play, to: int) -> None:
    refusal = play((A, palm(2)), (A, undo(to)), refused=True)
    wanted = TableCode.NOTHING_TO_UNDO if to == 2 else TableCode.UNDO_NOT_ALLOWED
    assert refusal.code is wanted


def test_a_redo_brings_back_what_was_taken_back_until_the_next_move(play, states, events) -> None:
    rows = play((A, palm(2)), (A, undo(1)), (A, REDO))
    after = states(rows)
    assert events(rows[3]) == (MoveRedone(seat=A, to=2),)
    assert after[3] == after[1]
    assert (
        play((A, palm(2)), (A, undo(1)), (A, palm(1)), (A, REDO), refused=True).code
        is TableCode.NOTHING_TO_REDO
    )
    assert play((A, palm(2)), (A, REDO), refused=True).code is TableCode.NOTHING_TO_REDO


def test_only_the_seat_that_took_back_puts_back(play) -> None:
    refusal = play((A, palm(2)), (A, undo(1)), (B, REDO), refused=True)
    assert (refusal.code, refusal.facts) == (TableCode.UNDO_NOT_ALLOWED, {"reason": "NOT_YOURS", "seq": 3})


def test_beyond_the_boundary_all_others_are_asked(play, states, events) -> None:
    rows = play((A, heap(2)), (A, undo(1)), (B, YES), (C, YES))
    assert events(rows[2]) == (UndoProposed(seat=A, to=1),)
    assert events(rows[3]) == (UndoAnswered(seat=B, accept=True),)
    assert events(rows[4]) == (UndoAnswered(seat=C, accept=True), MoveUndone(seat=A, to=1))
    after = states(rows)
    assert after[2] == after[3] == after[1]
    assert after[4] == after[0]


def test_one_refusal_ends_a_proposal_and_it_is_not_made_again_at_once(play) -> None:
    assert play((A, heap(2)), (A, undo(1)), (B, NO), (C, YES), refused=True).code is TableCode.NO_PROPOSAL
    refusal = play((A, heap(2)), (A, undo(1)), (B, NO), (A, undo(1)), refused=True)
    assert refusal.facts["reason"] == "REFUSED_BEFORE"
    assert play((A, heap(2)), (A, undo(1)), (B, NO), (B, palm(1)), (A, undo(1)))


def test_the_next_move_ends_a_proposal(play) -> None:
    assert (
        play((A, heap(2)), (A, undo(1)), (B, palm(1)), (B, YES), refused=True).code is TableCode.NO_PROPOSAL
    )


@pytest.mark.parametrize("answers", [[A], [B, B]], ids=["who asks", "twice"])
def test_a_seat_answers_once_and_never_its_own(play, answers: list[int]) -> None:
    given = [(seat, YES) for seat in answers]
    assert play((A, heap(2)), (A, undo(1)), *given, refused=True).code is TableCode.NO_PROPOSAL


def test_nothing_is_taken_back_once_the_match_is_over(play) -> None:
    assert play((A, heap(1)), (B, RESIGN), (A, undo(1)), refused=True).code is TableCode.MATCH_OVER


def test_the_same_move_has_the_same_luck_again(pebbles, play, events) -> None:
    rows = play((A, heap(2)), (A, undo(1)), (B, YES), (C, YES), (A, heap(2)))
    assert events(rows[5]) == events(rows[1])
    first, again = draws(pebbles, rows)[1:]
    assert first == again == (2, first[1])


def test_another_move_has_luck_of_its_own(pebbles, play) -> None:
    rows = play((A, heap(2)), (A, undo(1)), (B, YES), (C, YES), (A, heap(1)))
    assert [move for move, _ in draws(pebbles, rows)] == [1, 2, 6]


def test_a_whole_line_that_is_repeated_has_its_luck_row_by_row(pebbles, play) -> None:
    line = (A, heap(2)), (B, heap(3))
    rows = play(*line, (B, undo(1)), (A, YES), (C, YES), *line)
    assert [move for move, _ in draws(pebbles, rows)] == [1, 2, 3, 2, 3]


def test_the_same_move_elsewhere_is_another_move(pebbles, play) -> None:
    rows = play((A, heap(2)), (B, heap(3)), (B, undo(1)), (A, YES), (C, YES), (A, heap(1)), (B, heap(3)))
    assert [move for move, _ in draws(pebbles, rows)] == [1, 2, 3, 7, 8]


def test_luck_that_was_taken_back_twice_is_still_the_same(pebbles, play) -> None:
    back = (A, undo(1)), (B, YES), (C, YES)
    rows = play((A, heap(2)), *back, (A, heap(2)), *back, (A, heap(2)))
    assert [move for move, _ in draws(pebbles, rows)] == [1, 2, 2, 2]


@pytest.mark.parametrize(
    "forged",
    [b'[{"type":"move_undone","seat":%d,"to":1}]' % A, b'[{"type":"undo_proposed","seat":%d,"to":1}]' % B],
    ids=["without consent", "in another's name"],
)
def test_an_undo_that_the_system_would_not_have_made_is_found(pebbles, play, forged: bytes) -> None:
    rows = play((A, heap(2)), (A, undo(1)))
    tampered = (*rows[:2], LoggedMove(seq=3, seat=A, request=undo(1), events=forged))
    difference = decide_again(pebbles, tampered, SECRET)
    assert difference is not None
    assert (difference.seq, difference.place) == (3, "events[0]")


def test_a_log_can_be_folded_on_from_a_snapshot_after_the_undo(pebbles, play, states) -> None:
    rows = play((A, palm(2)), (A, undo(1)), (A, palm(1)), (A, undo(3)))
    assert fold_moves(pebbles, rows[3:], states(rows)[2]) == states(rows)[-1]


def test_the_course_names_the_rows_that_count(pebbles, play) -> None:
    replay = Replay(pebbles)
    for row in play((A, palm(2)), (A, undo(1)), (A, palm(1))):
        replay.advance(row)
    assert replay.timeline.line() == (1, 4)
    assert [replay.timeline.line(version) for version in (1, 2, 3)] == [(1,), (1, 2), (1,)]


@pytest.mark.parametrize("name", GAMES)
def test_no_game_uses_the_tags_of_the_system(name: str) -> None:
    types = registered_game(name).types
    assert not {action.__struct_config__.tag for action in types.action.__args__} & (
        REQUEST_TAGS | {"resign"}
    )
    assert not {event.__struct_config__.tag for event in types.event.__args__} & EVENT_TAGS


def test_system_requests_are_kept_as_canonical_json(play) -> None:
    (*_, row) = play((A, palm(2)), (A, b'{ "to": 1, "type": "undo" }'))
    assert row.request == undo(1)

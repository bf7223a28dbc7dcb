"""Moves, undos, redos, proposals, answers and resignations in any order: what must hold for every game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.knowledge import audiences
from engine.match.commands import AnswerUndo, MoveRedone, MoveUndone, Redo, Undo, is_command_row, read_events
from engine.match.playout import random_match
from engine.match.replay import LoggedMove, Playing, decide_again, states_after_each
from engine.match.requests import Resign, read_request, start_request
from engine.registry import game as registered_game
from tests.support.our_games import OUR_GAMES

ROWS = 90
SEEDS = range(6)


class Driver:
    """Players who do whatever comes to their minds, and often change it."""

    def __init__(self, name: str, seed: int) -> None:
        self.game = registered_game(name)
        self.seats = self.game.seat_counts[seed % len(self.game.seat_counts)]
        self.secret = bytes([seed]) * 32
        self.whims = SeededChance(bytes([255 - seed]) * 32, 0)
        self.playing = Playing(self.game, self.secret)
        self.states: dict[int, Any] = {}
        self.draws: dict[int, tuple[tuple[int, int], ...]] = {}
        """What each row drew: bounds and values."""
        self.refused: set[str] = set()
        self.row(None, read_request(self.game, start_request(self.game.types.options(), self.seats)))

    @property
    def version(self) -> int:
        return len(self.playing.rows)

    @property
    def timeline(self):
        return self.playing.timeline

    def row(self, seat: int | None, request: Any) -> bool:
        body = encode(request)
        try:
            events, draws = self.playing.decide(seat, request, body)
        except RuleViolation as refusal:
            self.refused.add(refusal.code.value)
            return False
        self.playing.take_in(LoggedMove(seq=self.version + 1, seat=seat, request=body, events=encode(events)))
        self.states[self.version] = self.playing.state
        self.draws[self.version] = tuple((draw.bound, draw.value) for draw in draws)
        return True

    def play(self) -> None:
        while self.version < ROWS and (waited_for := self.game.to_act(self.playing.state)):
            mood = self.whims.below(20)
            anybody = self.whims.below(self.seats)
            if mood < 9:
                seat = waited_for[self.whims.below(len(waited_for))]
                self.row(seat, self.game.sample(self.playing.state, seat, self.whims))
            elif mood < 12:
                self.repeat()
            elif mood < 14:
                self.row(anybody, Undo(to=max(1, self.version - self.whims.below(6))))
            elif mood < 15:
                self.row(anybody, Redo())
            elif mood < 19:
                self.row(anybody, AnswerUndo(accept=self.whims.below(8) > 0))
            elif self.whims.below(20) == 0:
                self.row(anybody, Resign())

    def others_at(self, seq: int, seat: int) -> bool:
        """Return whether anybody else was there to be asked."""
        line = self.timeline.line(seq - 1)
        left = {
            self.playing.rows[one - 1].seat
            for one in line
            if b'"resign"' in self.playing.rows[one - 1].request
        }
        return len(left | {seat}) < self.seats

    def repeat(self) -> None:
        """Make a move that was made before, wherever that is possible."""
        made = [row for row in self.playing.rows[1:] if not is_command_row(row.events)]
        if made:
            row = made[self.whims.below(len(made))]
            request = read_request(self.game, row.request)
            if not isinstance(request, Resign):
                self.row(row.seat, request)

    def command_rows(self) -> Iterator[tuple[int, Any]]:
        for row in self.playing.rows:
            if is_command_row(row.events):
                for event in read_events(self.game, row.events):
                    yield row.seq, event


@pytest.fixture(
    params=[(name, seed) for name in OUR_GAMES for seed in SEEDS], ids=lambda it: f"{it[0]}-{it[1]}"
)
def match(request) -> Driver:
    driver = Driver(*request.param)
    driver.play()
    return driver


def test_a_log_with_undos_replays_to_the_tables_that_were_live_and_is_verified(match: Driver) -> None:
    rows = tuple(match.playing.rows)
    assert {row.seq: state for row, state in states_after_each(match.game, rows)} == match.states
    assert decide_again(match.game, rows, match.secret) is None


def test_after_an_undo_everybody_sees_what_they_saw_then(match: Driver) -> None:
    for seq, event in match.command_rows():
        if isinstance(event, MoveUndone | MoveRedone):
            for audience in audiences(match.seats):
                now = match.game.view(match.states[seq], audience)
                assert encode(now) == encode(match.game.view(match.states[event.to], audience))
            assert match.game.pending(match.states[seq]) == match.game.pending(match.states[event.to])


def test_the_rows_that_count_are_a_match_without_any_undo(match: Driver) -> None:
    """Folding only the counting rows gives the same table: the games' own invariants hold because they hold there."""
    line = [match.playing.rows[seq - 1] for seq in match.timeline.line()]
    state = None
    for row in line:
        for event in match.game.event_codec.decode_many(row.events):
            state = match.game.evolve(state, event)
    assert state == match.playing.state


def test_the_same_move_at_the_same_table_is_never_drawn_anew(match: Driver) -> None:
    """Whatever was taken back: a request repeated on the same earlier requests has the draws and events of the first time."""
    first: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    history: dict[int, tuple[Any, ...]] = {}
    for row in match.playing.rows:
        if is_command_row(row.events):
            continue
        line = match.timeline.line(row.seq)
        before = history[line[-2]] if len(line) > 1 else ()
        history[row.seq] = key = (*before, (row.seat, row.request))
        assert first.setdefault(key, (match.draws[row.seq], row.events)) == (match.draws[row.seq], row.events)


def test_what_goes_back_without_asking_has_told_nobody_anything(match: Driver) -> None:
    """A free undo takes back the asking seat's own latest moves, without a draw among them."""
    for seq, event in match.command_rows():
        row = match.playing.rows[seq - 1]
        if isinstance(event, MoveUndone) and b'"undo"' in row.request and match.others_at(seq, event.seat):
            gone = set(match.timeline.line(seq - 1)) - set(match.timeline.line(seq))
            assert gone
            assert {match.playing.rows[one - 1].seat for one in gone} == {event.seat}
            assert not any(match.draws[one] for one in gone)


def test_the_driver_does_everything_there_is_to_do() -> None:
    """Otherwise the properties above would hold of nothing."""
    seen: set[str] = set()
    repeated = 0
    for name in OUR_GAMES:
        for seed in SEEDS:
            driver = Driver(name, seed)
            driver.play()
            seen |= {type(event).__name__ for _, event in driver.command_rows()}
            place = driver.timeline.head
            repeated += sum(one.luck != one.seq for one in place.back())
    assert seen == {"MoveUndone", "MoveRedone", "UndoProposed", "UndoAnswered"}
    assert repeated


def test_random_matches_are_the_same_with_and_without_the_system() -> None:
    """A match in which nobody takes anything back draws as it always did."""
    name = next(iter(OUR_GAMES))
    game = registered_game(name)
    seats, secret = game.seat_counts[0], bytes(32)
    playing = Playing(game, secret)
    for step in random_match(game, game.types.options(), seats, secret, SeededChance(b"w" * 32, 0)):
        body = start_request(game.types.options(), seats) if step.seat is None else encode(step.action)
        events, draws = playing.decide(step.seat, read_request(game, body), body)
        assert (events, draws) == (step.events, step.draws)
        playing.take_in(
            LoggedMove(seq=len(playing.rows) + 1, seat=step.seat, request=body, events=encode(events))
        )


@pytest.mark.parametrize("name", OUR_GAMES)
def test_who_has_left_is_not_asked_and_does_not_come_back(name: str) -> None:
    driver = Driver(name, 0)
    if (seats := max(driver.game.seat_counts)) < 3:
        pytest.fail("every game is for three and more")
    driver.seats = seats
    driver.playing = Playing(driver.game, driver.secret)
    driver.row(None, read_request(driver.game, start_request(driver.game.types.options(), seats)))
    leaver = seats - 1
    assert driver.row(leaver, Resign())
    (waited_for, *_) = driver.game.to_act(driver.playing.state)
    assert driver.row(waited_for, driver.game.sample(driver.playing.state, waited_for, driver.whims))
    asking = (waited_for + 1) % leaver

    def refusal(seat: int, to: int) -> Any:
        with pytest.raises(RuleViolation) as refused:
            driver.playing.decide(seat, Undo(to=to), b"")
        return refused.value.facts["reason"]

    assert refusal(leaver, 2) == "YOU_LEFT"
    assert refusal(asking, 1) == "SEAT_LEFT"
    assert driver.row(asking, Undo(to=2))
    for seat in range(leaver):
        if seat != asking:
            assert driver.row(seat, AnswerUndo(accept=True))
    assert driver.playing.state == driver.states[2]

"""A match under everything that can happen to one, in any order: what holds for every game after every step."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.knowledge import audiences, revealed
from engine.kernel.seats import REFEREE
from engine.match import aborting
from engine.match.commands import (
    Abort,
    AddTime,
    AnswerAbort,
    AnswerPause,
    AnswerReplacement,
    AnswerUndo,
    AskToReplace,
    BeginVacation,
    EndVacation,
    MoveRedone,
    MoveUndone,
    Pause,
    Redo,
    Resume,
    Undo,
    is_command_row,
    read_events,
)
from engine.match.folding import LoggedMove
from engine.match.forking import Fork, deal, must_go_on_from
from engine.match.playout import random_match
from engine.match.replay import Playing, decide_again, fold, fold_moves, states_after_each
from engine.match.requests import Resign, StartMatch, read_request, start_request
from engine.match.timeline import ProposalKind
from engine.registry import game as registered_game
from tests.engine.conserved import CONSERVED
from tests.support.our_games import OUR_GAMES

ANSWERS = {
    ProposalKind.UNDO: AnswerUndo,
    ProposalKind.ABORT: AnswerAbort,
    ProposalKind.PAUSE: AnswerPause,
    ProposalKind.REPLACE: AnswerReplacement,
}
FUZZ = "FOLDTABLE_FUZZ_MATCHES" in os.environ
STEPS = 60
SEATS = st.integers(0, 5)
NUMBERS = st.integers(0, 1 << 32)


class Match(RuleBasedStateMachine):
    """One match of the class's game; it may go on in a fork of itself."""

    name = ""
    happened: set[str]
    """Everything that happened in any match of the class."""

    @initialize(seats=NUMBERS, number=NUMBERS)
    def begin(self, seats: int, number: int) -> None:
        self.game = registered_game(self.name)
        self.seats = self.game.seat_counts[seats % len(self.game.seat_counts)]
        self._new(number)
        assert self.row(None, read_request(self.game, start_request(self.game.types.options(), self.seats)))

    def _new(self, number: int) -> None:
        self.secret = number.to_bytes(32, "big")
        self.playing = Playing(self.game, self.secret)
        self.states: dict[int, Any] = {}
        self.views: dict[int, dict[Any, bytes]] = {}
        """What everybody saw, live."""
        self.draws: dict[int, tuple[tuple[int, int], ...]] = {}
        """What each row drew: bounds and values."""
        self.histories: dict[int, tuple[Any, ...]] = {}
        """The requests that led to each row that counts."""
        self.lucky: dict[int, tuple[Any, ...]] = {}
        """What each number that was drawn with was drawn for."""

    @property
    def state(self) -> Any:
        return self.playing.state

    @property
    def version(self) -> int:
        return len(self.playing.rows)

    @property
    def aborted(self) -> bool:
        return self.playing.timeline.aborted is not None

    @property
    def paused(self) -> bool:
        return self.playing.timeline.pause is not None

    def look(self) -> dict[Any, bytes]:
        return {
            audience: encode(
                aborting.view(self.game, self.state, audience, aborted=self.aborted, paused=self.paused)
            )
            for audience in (*audiences(self.seats), REFEREE)
        }

    # ── what can happen ────────────────────────────────────────────────────────────────────────────

    def row(self, seat: int | None, request: Any) -> bool:
        body = encode(request)
        try:
            events, draws = self.playing.decide(seat, request, body)
        except RuleViolation:
            return False
        self._take_in(LoggedMove(seq=self.version + 1, seat=seat, request=body, events=encode(events)))
        self.draws[self.version] = tuple((draw.bound, draw.value) for draw in draws)
        row = self.playing.rows[-1]
        if is_command_row(row.events):
            assert not draws
            self.happened.update(type(event).__name__ for event in events)
        else:
            self._note_luck(row, {draw.move for draw in draws})
        return True

    def _take_in(self, row: LoggedMove) -> None:
        self.playing.take_in(row)
        self.states[self.version] = self.state
        self.views[self.version] = self.look()

    def _note_luck(self, row: LoggedMove, numbers: set[int]) -> None:
        line = self.playing.timeline.line()
        before = self.histories[line[-2]] if len(line) > 1 else ()
        self.histories[row.seq] = history = (*before, (row.seat, row.request))
        if numbers - {row.seq}:
            self.happened.add("the same luck again")
        for number in numbers:
            assert self.lucky.setdefault(number, history) == history, (
                "luck that was seen decides something else"
            )

    @rule(who=SEATS, number=NUMBERS)
    def move(self, who: int, number: int) -> None:
        if not self.aborted and not self.paused and (waited_for := self.game.to_act(self.state)):
            seat = waited_for[who % len(waited_for)]
            whims = SeededChance(number.to_bytes(32, "big"), 0)
            assert self.row(seat, self.game.sample(self.state, seat, whims))

    @rule(number=NUMBERS, taken_back=st.booleans())
    def move_as_before(self, number: int, taken_back: bool) -> None:
        counting = set(self.playing.timeline.line()) if taken_back else {1}
        made = [
            row for row in self.playing.rows if row.seq not in counting and not is_command_row(row.events)
        ]
        if made:
            row = made[-1 - number % len(made)]
            request = read_request(self.game, row.request)
            if row.seat is not None and not isinstance(request, Resign):
                self.row(row.seat, request)

    @rule(who=SEATS, back=st.integers(1, 5), agreed=st.booleans())
    def undo(self, who: int, back: int, agreed: bool) -> None:
        if self.row(who % self.seats, Undo(to=max(1, self.version - back))) and agreed:
            self.answer(self.seats)

    @rule(who=SEATS, number=NUMBERS, other=NUMBERS, then=st.sampled_from(["put back", "repeat", "another"]))
    def change_ones_mind(self, who: int, number: int, other: int, then: str) -> None:
        """Move, take it back, and go on from there."""
        before = self.version
        self.move(who, number)
        if self.version == before:
            return
        row = self.playing.rows[-1]
        self.row(row.seat, Undo(to=before))
        self.answer(self.seats)
        match then:
            case "put back":
                self.redo()
            case "repeat":
                self.row(row.seat, read_request(self.game, row.request))
            case "another":
                self.move(who, other)

    @rule()
    def redo(self) -> None:
        any(self.row(seat, Redo()) for seat in range(self.seats))

    @rule(refuses=st.integers(0, 7))
    def answer(self, refuses: int) -> None:
        """Everybody answers the open proposal; now and then somebody refuses."""
        for seat in range(self.seats):
            if (proposal := self.playing.timeline.proposal) is not None:
                accept = seat != refuses
                self.row(seat, ANSWERS[proposal.kind](accept=accept))

    @rule(who=SEATS, likely=st.integers(0, 5))
    def resign(self, who: int, likely: int) -> None:
        if not likely and self.seats > 2:
            self.row(who % self.seats, Resign())

    @rule(who=SEATS)
    def propose_abort(self, who: int) -> None:
        self.row(who % self.seats, Abort())

    @rule(who=SEATS, agreed=st.booleans())
    def pause(self, who: int, agreed: bool) -> None:
        """The match is paused by consent, or by its tenant."""
        if self.row(who % self.seats if agreed else None, Pause()) and agreed:
            self.answer(self.seats)

    @rule(who=SEATS, agreed=st.booleans())
    def ask_to_replace(self, who: int, agreed: bool) -> None:
        if self.row(who % self.seats, AskToReplace()) and agreed:
            self.answer(self.seats)

    @rule(who=SEATS)
    def resume(self, who: int) -> None:
        self.row(who % self.seats, Resume()) or self.row(None, Resume())

    @rule(who=SEATS, by_tenant=st.booleans())
    def add_time(self, who: int, by_tenant: bool) -> None:
        seat = who % self.seats
        self.row(None if by_tenant else (seat + 1) % self.seats, AddTime(seats=(seat,), seconds=60))

    @rule(who=SEATS)
    def vacation(self, who: int) -> None:
        seat, timeline = who % self.seats, self.playing.timeline
        if seat in timeline.resting or seat not in timeline.left():
            self.row(seat, EndVacation() if seat in timeline.resting else BeginVacation())

    @precondition(lambda self: self.version > STEPS // 2)
    @rule()
    def abort(self) -> None:
        self.row(None, Abort())

    @precondition(lambda self: self.version > 8)
    @rule(who=SEATS, back=st.integers(0, 8), number=NUMBERS)
    def go_on_in_a_fork(self, who: int, back: int, number: int) -> None:
        version = max(1, self.version - back)
        state = self.states[version]
        try:
            must_go_on_from(self.game, state)
        except RuleViolation:
            return
        self.teardown()
        everybody = (*audiences(self.seats), REFEREE)
        audience = everybody[who % len(everybody)]
        fork = Fork(
            of="00000000-0000-7000-8000-000000000000",
            version=version,
            audience=audience,
            seats=self.seats,
            options=_options(self.game),
            left=tuple(sorted(self.playing.timeline.left(version))),
        )
        seen, left = self.views[version][audience], self.playing.timeline.left(version)
        timeline = self.playing.timeline
        if timeline.aborted == version or timeline.is_paused_at(version):  # nobody had to act then
            seen = encode(aborting.view(self.game, state, audience, aborted=False, paused=False))
        self._new(number)
        events = deal(self.game, state, fork, SeededChance(self.secret, 1))
        first = LoggedMove(seq=1, seat=None, request=encode(fork), events=encode(events))
        assert self.playing.what_is_wrong(fork, first) == ""
        self._take_in(first)
        self.happened.add("Forked")
        self.draws[1], self.histories[1] = (), ((None, first.request),)
        assert self.views[1][audience] == seen, "its maker is at the table it knows"
        assert self.playing.timeline.left() == left

    # ── what must hold ─────────────────────────────────────────────────────────────────────────────

    @invariant()
    def versions_have_no_holes(self) -> None:
        assert [row.seq for row in self.playing.rows] == list(range(1, self.version + 1))

    @invariant()
    def nothing_is_made_or_lost(self) -> None:
        CONSERVED[self.name](self.state)

    @invariant()
    def somebody_is_waited_for_unless_the_match_is_over(self) -> None:
        waited_for = aborting.pending(self.game, self.state, aborted=self.aborted, paused=self.paused)
        outcome = aborting.outcome(self.game, self.state, aborted=self.aborted)
        assert bool(waited_for) == (outcome is None and not self.paused)

    @invariant()
    def after_an_undo_everybody_sees_what_they_saw_then(self) -> None:
        row = self.playing.rows[-1]
        for event in read_events(self.game, row.events) if is_command_row(row.events) else ():
            if isinstance(event, MoveUndone | MoveRedone):
                assert self.state == self.states[event.to]
                if not self.playing.timeline.is_paused_at(event.to):  # a pause is not taken back
                    assert self.views[self.version] == self.views[event.to]

    @invariant()
    def a_free_undo_takes_back_nothing_that_anybody_learnt_or_drew(self) -> None:
        row = self.playing.rows[-1]
        if not is_command_row(row.events):
            return
        (event, *_) = read_events(self.game, row.events)
        others = len(self.playing.timeline.left() | {row.seat}) < self.seats
        if not isinstance(event, MoveUndone) or not others:
            return
        kept = set(self.playing.timeline.line())
        gone = [seq for seq in self.playing.timeline.line(row.seq - 1) if seq not in kept]
        assert {self.playing.rows[seq - 1].seat for seq in gone} == {row.seat}
        assert not any(self.draws[seq] for seq in gone)
        way = [self.state, *(self.states[seq] for seq in gone)]
        for audience in audiences(self.seats):
            for before, after in pairwise(way):
                assert revealed(self.game, before, after, audience) == ()

    def teardown(self) -> None:
        """What takes a whole fold is looked at once, at the end."""
        if not hasattr(self, "playing") or not self.playing.rows:
            return
        rows = tuple(self.playing.rows)
        assert fold_moves(self.game, rows) == self.state
        state = None
        for seq in self.playing.timeline.line():
            state = fold(self.game, read_events(self.game, rows[seq - 1].events), state)
        assert state == self.state, "the rows that count are a match without any undo"
        assert {row.seq: after for row, after in states_after_each(self.game, rows)} == self.states
        for version, seen in self.views.items():
            timeline = self.playing.timeline
            aborted, paused = timeline.aborted == version, timeline.is_paused_at(version)
            for audience, view in seen.items():
                state = self.states[version]
                now = aborting.view(self.game, state, audience, aborted=aborted, paused=paused)
                assert encode(now) == view, "a view of an earlier version has changed"
        assert decide_again(self.game, rows, self.secret) is None
        self._same_moves_had_the_same_luck()

    def _same_moves_had_the_same_luck(self) -> None:
        first: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        for seq, history in self.histories.items():
            had = (self.draws[seq], self.playing.rows[seq - 1].events)
            assert first.setdefault(history, had) == had, "the same move was drawn anew"


def _options(game: Any) -> Any:
    request: StartMatch = read_request(game, start_request(game.types.options(), game.seat_counts[0]))
    return request.options


ALL_THERE_IS = {
    *("MoveUndone", "MoveRedone", "UndoProposed", "UndoAnswered"),
    *("AbortProposed", "AbortAnswered", "MatchAborted", "Forked"),
    *("PauseProposed", "PauseAnswered", "MatchPaused", "MatchResumed"),
    *("TimeAdded", "VacationBegan", "VacationEnded"),
    *("ReplacementProposed", "ReplacementAnswered", "ReplacementAgreed"),
}
SELDOM_DRAWS = "river_dragons"
"""It draws at the setup only, which cannot be taken back."""


@pytest.mark.slow
@pytest.mark.hypothesis
@pytest.mark.parametrize("name", OUR_GAMES)
def test_whatever_happens_to_a_match(name: str) -> None:
    machine = type(f"Match_{name}", (Match,), {"name": name, "happened": set()})
    machine.TestCase.settings = settings(
        max_examples=int(os.environ.get("FOLDTABLE_FUZZ_MATCHES", "15")),
        stateful_step_count=STEPS,
        derandomize=not FUZZ,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    machine.TestCase().runTest()


@pytest.mark.parametrize("name", OUR_GAMES)
def test_the_steps_above_lead_to_everything_there_is(name: str) -> None:
    """Else the invariants would hold of nothing."""
    wanted = ALL_THERE_IS if name == SELDOM_DRAWS else ALL_THERE_IS | {"the same luck again"}
    happened: set[str] = set()
    for number in range(20):
        match = type(f"Match_{name}", (Match,), {"name": name, "happened": happened})()
        match.begin(seats=number, number=number)
        for step in range(6):
            match.change_ones_mind(who=0, number=step, other=step + 1, then=("put back", "repeat")[step % 2])
            match.after_an_undo_everybody_sees_what_they_saw_then()
            match.a_free_undo_takes_back_nothing_that_anybody_learnt_or_drew()
        for _ in "began", "ended":
            match.vacation(who=number)
        match.add_time(who=0, by_tenant=bool(number % 2))
        match.pause(who=0, agreed=True)
        match.somebody_is_waited_for_unless_the_match_is_over()
        match.ask_to_replace(who=1, agreed=True)
        match.resume(who=1)
        match.propose_abort(who=1)
        match.answer(refuses=0)
        match.go_on_in_a_fork(who=number, back=0, number=number)
        match.propose_abort(who=0)
        match.answer(refuses=match.seats)
        match.teardown()
        if happened >= wanted:
            return
    pytest.fail(f"what never happened: {wanted - happened}")


@pytest.mark.parametrize("name", OUR_GAMES)
def test_a_random_match_is_the_same_with_and_without_the_system(name: str) -> None:
    """A match in which nobody takes anything back draws as it always did."""
    game, secret = registered_game(name), bytes(32)
    seats, playing = game.seat_counts[0], Playing(game, secret)
    for step in random_match(game, game.types.options(), seats, secret, SeededChance(b"w" * 32, 0)):
        body = start_request(game.types.options(), seats) if step.seat is None else encode(step.action)
        events, draws = playing.decide(step.seat, read_request(game, body), body)
        assert (events, draws) == (step.events, step.draws)
        row = LoggedMove(seq=len(playing.rows) + 1, seat=step.seat, request=body, events=encode(events))
        playing.take_in(row)


@pytest.mark.parametrize("name", OUR_GAMES)
def test_who_has_left_is_not_asked_and_does_not_come_back(name: str) -> None:
    match = type(f"Match_{name}", (Match,), {"name": name, "happened": set()})()
    match.begin(seats=len(registered_game(name).seat_counts) - 1, number=0)
    leaver = match.seats - 1
    assert match.row(leaver, Resign())
    (waited_for, *_) = match.game.to_act(match.state)
    match.move(who=0, number=0)
    asking = (waited_for + 1) % leaver

    def refusal(seat: int, to: int) -> Any:
        with pytest.raises(RuleViolation) as refused:
            match.playing.decide(seat, Undo(to=to), b"")
        return refused.value.facts["reason"]

    assert refusal(leaver, 2) == "YOU_LEFT"
    assert refusal(asking, 1) == "SEAT_LEFT"
    assert match.row(asking, Undo(to=2))
    match.answer(refuses=match.seats)
    assert match.state == match.states[2]

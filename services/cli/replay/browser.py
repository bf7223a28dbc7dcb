"""Stepping through a match: the current version, the audience, and what each key does. Independent of the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from services.cli.matches.audience import WRITTEN, read_audience
from services.cli.replay.recorded_match import NotShown, Recorded
from services.cli.replay.words import event_lines, heading


class Show(StrEnum):
    """Which parts of a move are shown."""

    BOTH = "both"
    BOARD = "board"
    EVENTS = "events"


@dataclass
class Question:
    """A line being typed, and the function that receives it."""

    label: str
    answer: Callable[[str], None]
    typed: str = ""


@dataclass
class Browser:
    """The current place in a match, and how to go to others. `message` is the response to the last key."""

    match: Recorded
    version: int
    audience: Audience
    language: str
    """Of the sentences."""
    show: Show = Show.BOTH
    reopen: Callable[[], Recorded] | None = None
    """Fetches a running match again; None if nothing can have changed."""
    top: int = 0
    """The first visible line of the board; the screen keeps it within bounds."""
    pan: int = 0
    page: int = 1
    """Lines that fitted on the screen when it was last drawn."""
    help: bool = False
    message: str = ""
    question: Question | None = None
    done: bool = False
    _sought: str = field(default="", repr=False)

    @property
    def last(self) -> int:
        return len(self.match.document.moves)

    def view(self) -> Any:
        """Return the current view. Raise NotShown."""
        return self.match.view(self.version, self.audience)

    def go(self, version: int) -> None:
        """Go to a move, or to the nearest one that exists."""
        self.version = max(1, min(version, self.last))

    def first(self) -> None:
        self.go(1)

    def to_last(self) -> None:
        self.go(self.last)

    def forward(self) -> None:
        if self.version == self.last:
            self.message = "this is the last move"
        self.go(self.version + 1)

    def back(self) -> None:
        if self.version == 1:
            self.message = "this is the first move"
        self.go(self.version - 1)

    def next_turn(self) -> None:
        """Go to where another seat's turn begins."""
        here = self._seat(self.version)
        self._go_to_first(version for version in self._after() if self._seat(version) != here)

    def previous_turn(self) -> None:
        """Go to where the current seat's turn began; from there to where the previous seat's turn began."""
        begins = (v for v in self._before() if v == 1 or self._seat(v) != self._seat(v - 1))
        self._go_to_first(begins)

    def next_decision(self) -> None:
        self._decision(self._after)

    def previous_decision(self) -> None:
        self._decision(self._before)

    def ask_move(self) -> None:
        self._ask(f"go to move (1 to {self.last}): ", self._go_to_typed)

    def ask_audience(self) -> None:
        self._ask(f"look as ({WRITTEN}): ", self._look_as_typed)

    def ask_event(self) -> None:
        self._ask("find: ", self._find_typed)

    def find_next(self) -> None:
        self._find(self._after(), "after")

    def find_previous(self) -> None:
        self._find(self._before(), "before")

    def look_as_public(self) -> None:
        self.look_as(PUBLIC)

    def look_as_referee(self) -> None:
        self.look_as(REFEREE)

    def look_as(self, audience: Audience) -> None:
        """Change the audience, if the record holds what it may know."""
        try:
            self.match.admit(audience)
        except NotShown as problem:
            self.message = str(problem)
        else:
            self.audience = audience

    def toggle(self) -> None:
        """Switch between both, the board alone and the events alone."""
        shows = list(Show)
        self.show = shows[(shows.index(self.show) + 1) % len(shows)]
        self.top = 0

    def scroll(self, lines: int) -> None:
        self.top = max(0, self.top + lines)

    def shift(self, columns: int) -> None:
        self.pan = max(0, self.pan + columns)

    def look_again(self) -> None:
        """Fetch a running match again: it may have new moves."""
        if self.reopen is None:
            self.message = "nothing to reload: this match is not from a gateway, or it has ended"
            return
        before = self.last
        try:
            match = self.reopen()
            match.admit(self.audience)
        except NotShown as problem:
            self.message = str(problem)
            return
        self.match = match
        self.message = f"{self.last - before} new moves"

    def toggle_help(self) -> None:
        self.help = not self.help

    def quit(self) -> None:
        self.done = True

    def _after(self) -> Iterator[int]:
        return iter(range(self.version + 1, self.last + 1))

    def _before(self) -> Iterator[int]:
        return iter(range(self.version - 1, 0, -1))

    def _seat(self, version: int) -> int | None:
        return self.match.document.moves[version - 1].seat

    def _go_to_first(self, versions: Iterator[int], nothing: str = "there is none") -> None:
        for version in versions:
            self.go(version)
            return
        self.message = nothing

    def _decision(self, where: Callable[[], Iterator[int]]) -> None:
        """Go to a move of the seat one looks as; for another audience ask for the seat."""
        if self.audience.seat is not None:
            self._decision_of(self.audience.seat, where)
        else:
            self._ask("move of seat: ", lambda typed: self._decision_typed(typed, where))

    def _decision_typed(self, typed: str, where: Callable[[], Iterator[int]]) -> None:
        wanted = read_audience(typed)
        if wanted is None or wanted.seat is None or wanted.seat >= self.match.document.seats:
            self.message = f"this match has the seats 0 to {self.match.document.seats - 1}"
        else:
            self._decision_of(wanted.seat, where)

    def _decision_of(self, seat: int, where: Callable[[], Iterator[int]]) -> None:
        moves = (version for version in where() if self._seat(version) == seat)
        self._go_to_first(moves, f"no move of seat {seat} that way")

    def _ask(self, label: str, answer: Callable[[str], None]) -> None:
        self.question = Question(label, answer)

    def _go_to_typed(self, typed: str) -> None:
        if typed.strip().isascii() and typed.strip().isdecimal() and len(typed) < 10:
            self.go(int(typed))
        else:
            self.message = f"{typed!r} is no move: there are the moves 1 to {self.last}"

    def _look_as_typed(self, typed: str) -> None:
        audience = read_audience(typed)
        if audience is None:
            self.message = f"{typed!r} is not {WRITTEN}"
        else:
            self.look_as(audience)

    def _find_typed(self, typed: str) -> None:
        self._sought = typed.strip().lower() or self._sought
        self.find_next()

    def _find(self, versions: Iterator[int], where: str) -> None:
        """Go to the next move whose text contains the searched words, as far as this audience may read it."""
        if not self._sought:
            self.message = "no search yet: press /"
            return
        self._go_to_first(
            filter(self._is_sought, versions), f"nothing {where} this contains {self._sought!r}"
        )

    def _is_sought(self, version: int) -> bool:
        lines = (
            heading(self.match, version, self.audience, self.language),
            *event_lines(self.match, version, self.audience, self.language),
        )
        return any(self._sought in line.lower() for line in lines)


def seat_key(seat: int) -> Callable[[Browser], None]:
    """Return the action of the key with a seat's number."""
    return lambda browser: browser.look_as(seat_audience(Seat(seat)))

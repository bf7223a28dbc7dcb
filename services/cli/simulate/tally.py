"""The results of many matches: sums that do not depend on the order of the matches."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import msgspec

from engine.kernel.outcome import Outcome
from engine.match.playout import Step
from services.cli.simulate.distribution import Distribution


class SeatRow(msgspec.Struct, frozen=True):
    """The result of a seat."""

    seat: int
    won: bool
    """Alone or with others."""
    rank: int
    """From 1; equal ranks are shared."""
    score: int | None
    """None: the game has no points."""


class MatchRow(msgspec.Struct, frozen=True):
    """One match by itself."""

    number: int
    moves: int
    """Of the seats; the start does not count."""
    draws: int
    reason: str
    actions: dict[str, int]
    """How often each was made, by tag."""
    seats: list[SeatRow]


def seat_rows(outcome: Outcome) -> list[SeatRow]:
    """Return the results of all seats."""
    return [
        SeatRow(result.seat, result.seat in outcome.winners, result.rank, result.score)
        for result in outcome.results
    ]


@dataclass
class MatchCount:
    """One match while it is played. Only its last state is kept: keeping more would cost more than playing."""

    rows: int = 0
    """Moves so far, the start included."""
    draws: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    state: Any = None

    def add(self, step: Step) -> None:
        self.rows += 1
        self.draws += len(step.draws)
        if step.action is not None:
            self.actions[step.action.__struct_config__.tag] += 1
        self.state = step.state


@dataclass
class Extreme:
    """The longest match so far; among equally long ones, that with the lowest number."""

    moves: int = -1
    number: int = 0

    def offer(self, moves: int, number: int) -> None:
        if (-moves, number) < (-self.moves, self.number):
            self.moves, self.number = moves, number


@dataclass
class Tally:
    """The sum over all matches."""

    matches: int = 0
    lengths: Distribution = field(default_factory=Distribution)
    """Moves of the seats; the start does not count."""
    longest: Extreme = field(default_factory=Extreme)
    draws: Distribution = field(default_factory=Distribution)
    """Draws of luck, the setup's included."""
    reasons: Counter[str] = field(default_factory=Counter)
    wins: Counter[int] = field(default_factory=Counter)
    """Matches won by each seat, alone or with others."""
    shared: int = 0
    """Matches with several winners."""
    without_winner: int = 0
    scores: dict[int, Distribution] = field(default_factory=dict)
    """By seat; empty for a game without points."""
    actions: Counter[str] = field(default_factory=Counter)
    """By tag."""

    def count(self, number: int, match: MatchCount, outcome: Outcome) -> MatchRow:
        """Count one finished match, and return it by itself."""
        moves = match.rows - 1
        self.matches += 1
        self.lengths.add(moves)
        self.longest.offer(moves, number)
        self.draws.add(match.draws)
        self.actions.update(match.actions)
        self.reasons[outcome.reason] += 1
        self.wins.update(outcome.winners)
        self.shared += len(outcome.winners) > 1
        self.without_winner += not outcome.winners
        for result in outcome.results:
            if result.score is not None:
                self.scores.setdefault(result.seat, Distribution()).add(result.score)
        return MatchRow(number, moves, match.draws, outcome.reason, dict(match.actions), seat_rows(outcome))

    def merge(self, other: Tally) -> None:
        """Add the results of another process."""
        self.matches += other.matches
        self.lengths.merge(other.lengths)
        self.longest.offer(other.longest.moves, other.longest.number)
        self.draws.merge(other.draws)
        self.reasons.update(other.reasons)
        self.wins.update(other.wins)
        self.shared += other.shared
        self.without_winner += other.without_winner
        for seat, scores in other.scores.items():
            self.scores.setdefault(seat, Distribution()).merge(scores)
        self.actions.update(other.actions)

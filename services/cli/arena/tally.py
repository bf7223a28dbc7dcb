"""Results of matches of bots: sums by level that do not depend on the order of the matches."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import msgspec

from engine.kernel.outcome import Outcome
from services.cli.simulate.distribution import Distribution
from services.cli.simulate.tally import SeatRow


class ArenaRow(msgspec.Struct, frozen=True):
    """One match by itself."""

    game: str
    number: int
    moves: int
    reason: str
    levels: list[str]
    """By seat."""
    seats: list[SeatRow]


@dataclass
class LevelTally:
    """The results of one level, in all matches and seats."""

    matches: int = 0
    shares: Counter[int] = field(default_factory=Counter)
    """Seats that won, by the number of winners of their match: a shared win counts in parts, also among seats of one level; a
    match without a winner is shared by all. Whole numbers, so that their sum does not depend on the order."""
    scores: Distribution = field(default_factory=Distribution)
    """The points of every seat; empty for a game without points."""
    moves: int = 0
    seconds: float = 0.0
    """Processor time used for all moves together."""

    @property
    def wins(self) -> float:
        """Return the number of wins."""
        return sum(seats / winners for winners, seats in sorted(self.shares.items()))

    def merge(self, other: LevelTally) -> None:
        self.matches += other.matches
        self.shares.update(other.shares)
        self.scores.merge(other.scores)
        self.moves += other.moves
        self.seconds += other.seconds


@dataclass
class ArenaTally:
    """The sum over all matches."""

    matches: int = 0
    lengths: Distribution = field(default_factory=Distribution)
    """Moves of all seats; the start does not count."""
    reasons: Counter[str] = field(default_factory=Counter)
    levels: dict[str, LevelTally] = field(default_factory=dict)

    def count(
        self, lineup: tuple[str, ...], moves: dict[str, int], seconds: dict[str, float], outcome: Outcome
    ) -> None:
        """Count one finished match; `lineup` is the level of each seat."""
        self.matches += 1
        self.lengths.add(sum(moves.values()))
        self.reasons[outcome.reason] += 1
        winners = outcome.winners or tuple([result.seat for result in outcome.results])
        for level in dict.fromkeys(lineup):
            tally = self.levels.setdefault(level, LevelTally())
            tally.matches += 1
            tally.shares[len(winners)] += sum([lineup[seat] == level for seat in winners])
            tally.moves += moves[level]
            tally.seconds += seconds[level]
        for result in outcome.results:
            if result.score is not None:
                self.levels[lineup[result.seat]].scores.add(result.score)

    def merge(self, other: ArenaTally) -> None:
        """Add the results of another process."""
        self.matches += other.matches
        self.lengths.merge(other.lengths)
        self.reasons.update(other.reasons)
        for level, tally in other.levels.items():
            self.levels.setdefault(level, LevelTally()).merge(tally)

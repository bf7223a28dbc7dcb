"""What matches of bots came to: sums by level that do not depend on the order the matches were played in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from engine.kernel.outcome import Outcome
from services.cli.distribution import Distribution


@dataclass
class LevelTally:
    """One level, in all matches and all its seats."""

    matches: int = 0
    wins: float = 0.0
    """A win that is shared counts in parts, also among seats of one level; a match nobody won is shared by all."""
    scores: Distribution = field(default_factory=Distribution)
    """Of every seat; empty for a game without points."""
    moves: int = 0
    seconds: float = 0.0
    """Of the processor, thinking, all moves together."""

    def merge(self, other: LevelTally) -> None:
        self.matches += other.matches
        self.wins += other.wins
        self.scores.merge(other.scores)
        self.moves += other.moves
        self.seconds += other.seconds


@dataclass
class ArenaTally:
    """The sum over all matches."""

    matches: int = 0
    lengths: Distribution = field(default_factory=Distribution)
    """Moves of all seats; the start is not one."""
    reasons: Counter[str] = field(default_factory=Counter)
    levels: dict[str, LevelTally] = field(default_factory=dict)

    def count(
        self, lineup: tuple[str, ...], moves: dict[str, int], seconds: dict[str, float], outcome: Outcome
    ) -> None:
        """Count one match that is over; `lineup` is the level of each seat."""
        self.matches += 1
        self.lengths.add(sum(moves.values()))
        self.reasons[outcome.reason] += 1
        winners = outcome.winners or tuple([result.seat for result in outcome.results])
        for level in dict.fromkeys(lineup):
            tally = self.levels.setdefault(level, LevelTally())
            tally.matches += 1
            tally.wins += sum([lineup[seat] == level for seat in winners]) / len(winners)
            tally.moves += moves[level]
            tally.seconds += seconds[level]
        for result in outcome.results:
            if result.score is not None:
                self.levels[lineup[result.seat]].scores.add(result.score)

    def merge(self, other: ArenaTally) -> None:
        """Add what another process counted."""
        self.matches += other.matches
        self.lengths.merge(other.lengths)
        self.reasons.update(other.reasons)
        for level, tally in other.levels.items():
            self.levels.setdefault(level, LevelTally()).merge(tally)

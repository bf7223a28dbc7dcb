"""Sums over replayed matches, by game and rules: they do not depend on the order of the matches."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from services.replays.judgements import Judgement, Verdict

MAX_KEPT: Final = 1_000
"""Most differing matches that are kept in full; all are counted."""


@dataclass
class RulesTally:
    """The sum over the matches of one game that were played by one version of its rules."""

    verdicts: Counter[str] = field(default_factory=Counter)
    ended: int = 0
    moves: Counter[int] = field(default_factory=Counter)
    """Matches that have ended, by the rows of their logs."""
    draws: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    wins: Counter[int] = field(default_factory=Counter)
    """By seat, alone or with others."""
    actions: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)
    """Differences by what differs: `request` or `events`."""
    undecided: Counter[str] = field(default_factory=Counter)
    """Matches that could not be replayed, by the reason."""


@dataclass
class ReplayTally:
    """The sum over all matches."""

    matches: int = 0
    rows: int = 0
    rules: dict[tuple[str, str], RulesTally] = field(default_factory=dict)
    """By game and version."""
    differing: list[Judgement] = field(default_factory=list)

    @property
    def differ(self) -> int:
        """Return how many matches differ."""
        return sum(one.verdicts[Verdict.DIFFERS] for one in self.rules.values())

    def count(self, one: Judgement) -> None:
        """Count a match."""
        self.matches += 1
        self.rows += one.moves
        tally = self.rules.setdefault((one.game, one.rules_version), RulesTally())
        tally.verdicts[one.verdict] += 1
        tally.draws += one.draws
        tally.actions.update(one.actions)
        if one.reason:
            tally.ended += 1
            tally.moves[one.moves] += 1
            tally.reasons[one.reason] += 1
            tally.wins.update([seat.seat for seat in one.results if seat.won])
        if one.verdict == Verdict.DIFFERS:
            tally.places[one.place.partition("[")[0]] += 1
            self._keep(one)
        elif one.why:
            tally.undecided[one.why] += 1

    def _keep(self, one: Judgement) -> None:
        self.differing.append(one)
        if len(self.differing) > 2 * MAX_KEPT:
            self.differing = self.first()

    def first(self) -> list[Judgement]:
        """Return the differing matches with the lowest ids, so that the order in which they were counted changes nothing."""
        return sorted(self.differing, key=lambda one: one.match_id.int)[:MAX_KEPT]

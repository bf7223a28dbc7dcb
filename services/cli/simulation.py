"""Many random matches, and what they came to: the part of `simulate` that other processes run."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec

from engine.kernel.chance import SeededChance
from engine.kernel.playout import random_match
from engine.registry import game as registered_game

MATCHES_PER_BATCH: Final = 4
"""Small enough for a lively progress bar, large enough not to be about batches."""


class Batch(msgspec.Struct, frozen=True):
    """Matches `first` to `first + count - 1` of a simulation."""

    game: str
    options: bytes
    seats: int
    seed: int
    first: int
    count: int


class MatchResult(msgspec.Struct, frozen=True):
    """What one match came to."""

    number: int
    moves: int
    reason: str
    winners: tuple[int, ...]
    actions: dict[str, int]
    """How often each kind of action was played, by tag."""


@dataclass
class Tally:
    """The sum over all matches."""

    lengths: list[int] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    wins: Counter[int] = field(default_factory=Counter)
    """By seat; a shared win counts in parts that sum to one match per winner."""
    without_winner: int = 0
    actions: Counter[str] = field(default_factory=Counter)

    def add(self, result: MatchResult) -> None:
        self.lengths.append(result.moves)
        self.reasons[result.reason] += 1
        self.wins.update(result.winners)
        self.without_winner += not result.winners
        self.actions.update(result.actions)


def batches(game: str, options: bytes, seats: int, seed: int, matches: int) -> Iterator[Batch]:
    """Cut a simulation into batches; how it is cut changes nothing about any match."""
    for first in range(0, matches, MATCHES_PER_BATCH):
        count = min(MATCHES_PER_BATCH, matches - first)
        yield Batch(game, options, seats, seed, first, count)


def play_batch(batch: Batch) -> list[MatchResult]:
    """Play the matches of a batch, each from the seed and its own number."""
    return [play(batch, number) for number in range(batch.first, batch.first + batch.count)]


def play(batch: Batch, number: int) -> MatchResult:
    """Play one match: its luck and the players' choices follow from the seed and its number."""
    game = registered_game(batch.game)
    options = game.options_codec.decode(batch.options)
    secret = derived(batch.seed, number, "luck")
    choices = SeededChance(derived(batch.seed, number, "choices"), 0)
    actions: Counter[str] = Counter()
    state = None
    for step in random_match(game, options, batch.seats, secret, choices):
        state = step.state
        if step.action is not None:
            actions[step.action.__struct_config__.tag] += 1
    outcome = game.outcome(state)
    if outcome is None:
        raise RuntimeError(
            f"{batch.game}: nobody is to act, yet there is no outcome (seed {batch.seed}, match {number})"
        )
    return MatchResult(number, actions.total(), outcome.reason, outcome.winners, dict(actions))


def derived(seed: int, number: int, purpose: str) -> bytes:
    """Give 32 bytes for one purpose of one match."""
    return hashlib.sha256(f"foldtable simulate {seed} {number} {purpose}".encode()).digest()

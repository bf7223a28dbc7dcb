"""Many random matches, and their results: the part of `simulate` that worker processes run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from engine.kernel.chance import SeededChance
from engine.match.playout import random_match
from engine.registry import game as registered_game
from services.batch.tasks import Task
from services.cli.simulate.log import SimulatedLog
from services.cli.simulate.tally import MatchCount, MatchRow, Tally

MATCHES_PER_BATCH: Final = 4
"""Small enough for a smooth progress bar and a quick end, large enough that batching costs little."""
MOST_BATCHES: Final = 10_000
"""Of a run whose results are kept or fetched from a cluster: each of its batches costs a line and a message."""


class Simulation(msgspec.Struct, frozen=True):
    """Everything that determines a match, except its number."""

    game: str
    options: bytes
    seats: int
    seed: int
    folder: Path | None = None
    """Where each match's log is written; None: nowhere."""
    rules_version: str | None = None
    """None: the newest."""
    listed: bool = False
    """Whether each match is reported by itself, too."""


class Batch(msgspec.Struct, frozen=True):
    """Matches `first` to `first + count - 1` of a simulation."""

    simulation: Simulation
    first: int
    count: int


class BatchResult(msgspec.Struct, frozen=True):
    """What the matches of a batch came to."""

    tally: Tally
    matches: list[MatchRow] = []
    """Each match, if somebody wants more than the sums."""


class MatchFailed(Exception):  # noqa: N818 - the name says what happened
    """A match could not be played to its end; the message says which one and why. It travels between processes."""


def batches(simulation: Simulation, matches: int, *, size: int = MATCHES_PER_BATCH) -> Iterator[Task[Batch]]:
    """Yield the batches of a simulation; how it is divided changes nothing about any match."""
    for first in range(0, matches, size):
        yield Task(str(first), Batch(simulation, first, min(size, matches - first)))


def batch_size(matches: int) -> int:
    """Return how many matches a batch has in a run whose results are kept or fetched from a cluster."""
    return max(MATCHES_PER_BATCH, -(-matches // MOST_BATCHES))


def play_batch(batch: Batch) -> BatchResult:
    """Play the matches of a batch, each from the seed and its own number. Raises MatchFailed, OSError."""
    tally = Tally()
    rows = []
    for number in range(batch.first, batch.first + batch.count):
        row = play(batch.simulation, number, tally)
        if batch.simulation.listed:
            rows.append(row)
    return BatchResult(tally, rows)


def play(simulation: Simulation, number: int, tally: Tally) -> MatchRow:
    """Play one match and count it: its luck and the players' choices follow from the seed and its number."""
    game = registered_game(simulation.game, simulation.rules_version)
    options = game.options_codec.decode(simulation.options)
    secret = derived(simulation, number, "luck")
    choices = SeededChance(derived(simulation, number, "choices"), 0)
    log = None if simulation.folder is None else SimulatedLog(game, options, simulation.seats, secret)
    counted = MatchCount()
    try:
        for step in random_match(game, options, simulation.seats, secret, choices):
            counted.add(step)
            if log is not None:
                log.append(step)
        outcome = game.outcome(counted.state)
    except Exception as error:
        where = f"match {number} of seed {simulation.seed}, move {counted.rows + 1}"
        raise MatchFailed(f"{simulation.game}, {where}: {error!r}") from error
    if outcome is None:
        where = f"match {number} of seed {simulation.seed}"
        raise MatchFailed(f"{simulation.game}, {where}: nobody is to act, yet there is no outcome")
    row = tally.count(number, counted, outcome)
    if log is not None and simulation.folder is not None:
        (simulation.folder / log_name(simulation, number)).write_bytes(log.document(outcome))
    return row


def log_name(simulation: Simulation, number: int) -> str:
    """Return the file name of a match's log."""
    return f"{simulation.game}-{simulation.seed}-{number:06}.json"


def derived(simulation: Simulation, number: int, purpose: str) -> bytes:
    """Return 32 bytes for one purpose of one match."""
    return hashlib.sha256(f"foldtable simulate {simulation.seed} {number} {purpose}".encode()).digest()

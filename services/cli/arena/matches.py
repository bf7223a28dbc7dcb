"""Matches of bots against each other, and their results: the part of `arena` that worker processes run."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from engine.bots.bot import redeals
from engine.bots.budget import Budget, Playouts, Seconds
from engine.bots.levels import LEVELS
from engine.kernel.chance import SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.outcome import Outcome
from engine.kernel.seats import Seat
from engine.match.replay import fold
from engine.registry import game as registered_game
from services.batch.tasks import Task
from services.cli.arena.tally import ArenaRow, ArenaTally
from services.cli.simulate.simulation import MatchFailed, Simulation, derived
from services.cli.simulate.tally import seat_rows


class Arena(msgspec.Struct, frozen=True):
    """Everything that determines a match, except its number."""

    simulation: Simulation
    levels: tuple[str, ...]
    playouts: int
    """Playouts of a searching bot for each move."""
    seconds: float = 0.0
    """Thinking time of each move, if positive; then `playouts` is ignored, and runs are not reproducible."""

    def budget(self) -> Budget:
        return Seconds(self.seconds, time.monotonic) if self.seconds > 0 else Playouts(self.playouts)

    def lineup(self, number: int) -> tuple[str, ...]:
        """Return the level of each seat. In as many matches as there are levels, each level has every seat once."""
        count = len(self.levels)
        return tuple([self.levels[(seat + number) % count] for seat in range(self.simulation.seats)])


class ArenaMatch(msgspec.Struct, frozen=True):
    """One match of an arena."""

    arena: Arena
    number: int


class ArenaResult(msgspec.Struct, frozen=True):
    """What a match came to."""

    tally: ArenaTally
    match: ArenaRow


def matches_of(arena: Arena, matches: int) -> Iterator[Task[ArenaMatch]]:
    """Yield the matches of an arena, in order."""
    for number in range(matches):
        yield Task(f"{arena.simulation.game}-{number}", ArenaMatch(arena, number))


def play(match: ArenaMatch) -> ArenaResult:
    """Play a match to its end. Raises MatchFailed."""
    arena = match.arena
    game = registered_game(arena.simulation.game)
    course = _Course(game, arena, match.number)
    try:
        outcome = course.play()
    except Exception as error:
        where = f"match {match.number} of seed {arena.simulation.seed}, move {course.move}"
        raise MatchFailed(f"{arena.simulation.game}, {where}: {error!r}") from error
    tally = ArenaTally()
    tally.count(course.lineup, course.moves, course.seconds, outcome)
    moves = sum(course.moves.values())
    row = ArenaRow(game.id, match.number, moves, outcome.reason, list(course.lineup), seat_rows(outcome))
    return ArenaResult(tally, row)


@dataclass
class _Course:
    """A match being played. The luck is the same for every rotation of the levels, so no level has better luck."""

    game: AnyGame
    arena: Arena
    number: int
    move: int = 1
    moves: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lineup = self.arena.lineup(self.number)
        self.moves = dict.fromkeys(self.lineup, 0)
        self.seconds = dict.fromkeys(self.lineup, 0.0)

    def play(self) -> Outcome:
        game, simulation = self.game, self.arena.simulation
        secret = derived(simulation, self.number // len(self.arena.levels), "arena luck")
        options = game.options_codec.decode(simulation.options)
        state = fold(game, game.start(options, simulation.seats, SeededChance(secret, self.move)))
        while waited_for := game.to_act(state):
            self.move += 1
            seat = waited_for[0]
            action = self._choice(state, seat)
            state = fold(game, game.decide(state, seat, action, SeededChance(secret, self.move)), state)
        outcome = game.outcome(state)
        if outcome is None:
            raise RuntimeError("nobody is to act, yet there is no outcome")
        return outcome

    def _choice(self, state: Any, seat: Seat) -> Any:
        """Return the action of the seat's bot, which gets determinizations and luck of its own, but no hidden information."""
        level = self.lineup[seat]
        whims = derived(self.arena.simulation, self.number, f"bot {self.move}")
        deals = redeals(self.game, state, seat, hashlib.sha256(whims).digest())
        began = time.process_time()
        action = LEVELS[level].choose(self.game, deals, seat, SeededChance(whims, 0), self.arena.budget())
        self.seconds[level] += time.process_time() - began
        self.moves[level] += 1
        return action

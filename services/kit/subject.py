"""The game that is checked, with whole matches of it that all checks share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Final

from engine.kernel.chance import SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.package import Checks, GamePackage
from engine.match.playout import Step, random_match
from engine.registry import GAMES, REFUSED, checks, newest
from services.kit.returned import watched

CHOICES: Final = 1 << 32
"""The move number under which the players' choices are drawn; no match gets that far."""
MAX_MOVES: Final = 20_000
"""Moves after which a match counts as one that does not end."""
MATCHES: Final = 4
"""Matches for each value of the options, unless more or fewer are asked for."""


class UnplayableError(Exception):
    """The matches that all checks look at cannot be played, because a function of the game raised something."""


@dataclass(frozen=True, kw_only=True)
class Played:
    """A whole match whose players choose at random."""

    number: int
    options: Any
    seats: int
    steps: tuple[Step, ...]
    """The start, then every move with the state after it. The last one ends the match, unless MAX_MOVES were played."""

    def at(self, move: int) -> str:
        """Return the name of a moment for a report; `move` counts from 1, which is the start."""
        return f"match {self.number}, {self.seats} seats, move {move}"


@dataclass(frozen=True, kw_only=True)
class Position:
    """A moment of a match: the state after a move."""

    played: Played
    move: int
    """It counts from 1, which is the start."""

    @property
    def step(self) -> Step:
        """The move that led here."""
        return self.played.steps[self.move - 1]

    @property
    def state(self) -> Any:
        return self.step.state

    @property
    def before(self) -> Any:
        """The state before that move; None for the start."""
        return None if self.move == 1 else self.played.steps[self.move - 2].state

    @property
    def seats(self) -> int:
        return self.played.seats

    @property
    def number(self) -> int:
        """A number for the draws of a check here: the same for the same position."""
        return self.played.number * (MAX_MOVES + 1) + self.move

    def __str__(self) -> str:
        return self.played.at(self.move)


class Subject:
    """One game under its newest rules."""

    def __init__(
        self,
        game_id: str,
        *,
        matches: int = MATCHES,
        seed: int = 0,
        game: AnyGame | None = None,
        golden: Path | None = None,
        share: float = 1,
    ) -> None:
        """Play `matches` matches for each value of the options, with all numbers of seats in turn. Raises as `newest` does.

        `game` is checked instead of the one that the package names. `golden` is the folder of its stored matches, if they are
        not where the package says. `share` is how much of what a check wants to see it gets to see, of positions and moves.
        """
        if game_id in REFUSED:
            raise REFUSED[game_id]
        self.game: AnyGame = watched(game or newest(game_id))
        self.id = game_id
        self.package: GamePackage = GAMES[game_id]
        self.checks: Checks = checks(game_id)
        self.golden = golden
        self.where = ""
        """The moment that a check looks at now, for a report of what was raised there."""
        self.reported_by = ""
        """The check that has reported that matches cannot be played."""
        self.raised: dict[str, str] = {}
        """What functions of the game have raised, with the check that has reported it."""
        self._matches = matches
        self._share = share
        self._seed = seed

    @cached_property
    def options(self) -> tuple[Any, ...]:
        """The options to try."""
        return self.checks.options or (self.game.types.options(),)

    @cached_property
    def matches(self) -> tuple[Played, ...]:
        """Whole random matches, the same for the same seed; after one that does not end, no other is begun.

        Raises UnplayableError from what a function of the game has raised; `where` is the place.
        """
        return tuple(self._played())

    def positions(self, most: int, *, open_only: bool = True) -> Iterator[Position]:
        """Yield at most so many positions, spread evenly over all matches; `open_only`: those in which somebody is to act."""
        yield from self._each(self._open(and_ended=not open_only), most)

    def decisions(self, most: int) -> Iterator[Position]:
        """Yield about so many positions in which somebody is to act, as many of each kind of decision if there are as many."""
        found: dict[str, list[Position]] = {}
        for position in self._open():
            for asked in self.game.pending(position.state)[:1]:
                found.setdefault(asked.decision, []).append(position)
        for kind in found.values():
            yield from self._each(kind, -(-most // len(found)))

    def moves(self, most: int) -> Iterator[Position]:
        """Yield the positions after at most so many moves of seats, spread evenly over all matches."""
        found = [
            Position(played=played, move=move)
            for played in self.matches
            for move in range(2, len(played.steps) + 1)
        ]
        yield from self._each(found, most)

    def _open(self, *, and_ended: bool = False) -> list[Position]:
        return [
            Position(played=played, move=move)
            for played in self.matches
            for move in range(1, len(played.steps) + and_ended)
        ]

    def _each(self, found: Sequence[Position], most: int) -> Iterator[Position]:
        most = min(max(1, round(most * self._share)), len(found))
        for index in range(most):
            position = found[index * len(found) // most]
            self.where = str(position)
            yield position
        self.where = ""

    def _played(self) -> Iterator[Played]:
        counts = self.game.seat_counts
        for place, options in enumerate(self.options):
            for index in range(self._matches):
                number = place * self._matches + index
                seats = counts[number % len(counts)]
                played = Played(
                    number=number,
                    options=options,
                    seats=seats,
                    steps=tuple(self._steps(options, seats, number)),
                )
                yield played
                if len(played.steps) == MAX_MOVES:
                    return

    def _steps(self, options: Any, seats: int, number: int) -> Iterator[Step]:
        steps = random_match(self.game, options, seats, self.secret(number), self.chance(number, CHOICES))
        made = 0
        try:
            for step in islice(steps, MAX_MOVES):
                made += 1
                yield step
        except (Exception, SystemExit) as problem:
            self.where = (
                f"match {number}, {seats} seats, after move {made}" if made else f"setup, {seats} seats"
            )
            raise UnplayableError from problem

    def secret(self, number: int) -> bytes:
        """Return the secret of a match, from which all its draws follow."""
        return (self._seed + number).to_bytes(32, "big")

    def chance(self, number: int, move: int) -> SeededChance:
        """Return the draws of a move of a match: the same for the same numbers."""
        return SeededChance(self.secret(number), move)

"""What is chosen before the first match: the game, its options, the number of seats; and how all of it is numbered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Final

import msgspec

from engine.kernel.action_space import ActionSpace
from engine.kernel.chance import SeededChance
from engine.kernel.features import Features
from engine.kernel.game import AnyGame
from engine.kernel.replay import fold
from engine.kernel.seats import Seat, seat_audience
from engine.registry import GAMES, game

LONGEST: Final = 20
"""A 1 in the numbers of what has been spelled so far; longer words count as this long."""


@dataclass(frozen=True)
class Setup:
    """A game with options and seats. `actions` and `features` never change during a match, nor from match to match."""

    game: AnyGame
    options: Any
    seats: int
    actions: ActionSpace
    features: Features

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each place of an observation means."""
        state = fold(self.game, self.game.start(self.options, self.seats, SeededChance(bytes(32), 1)))
        told = self.features.named(self.game.view(state, seat_audience(Seat(0))))
        parts = [self.actions.names[part] for part in self.actions.parts]
        return (*told, *(f"so far: {part}" for part in parts), *(f"last: {part}" for part in parts))

    @cached_property
    def part_places(self) -> dict[int, int]:
        """Where an observation counts each part of a word."""
        return {part: place for place, part in enumerate(self.actions.parts)}


def set_up(game_id: str, options: Mapping[str, Any] | None = None, seats: int | None = None) -> Setup:
    """Read the options as the game does. By default it is the smallest table, with the game's own defaults.

    KeyError for an unknown game, ValueError for options or a number of seats it has not.
    """
    rules = game(game_id)
    players = rules.seat_counts[0] if seats is None else seats
    if players not in rules.seat_counts:
        counts = ", ".join(map(str, rules.seat_counts))
        raise ValueError(f"{game_id} is for {counts} seats, not for {players}")
    try:
        chosen = msgspec.convert(dict(options or {}), rules.types.options)
    except msgspec.ValidationError as problem:
        raise ValueError(f"{game_id} has no such options: {problem}") from problem
    package = GAMES[game_id].rpartition(".")[0]
    return Setup(
        game=rules,
        options=chosen,
        seats=players,
        actions=import_module(f"{package}.action_space").action_space(chosen, players),
        features=import_module(f"{package}.features").features(chosen, players),
    )

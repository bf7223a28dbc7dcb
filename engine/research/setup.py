"""The choices before the first match: the game, its options and the number of seats; and how actions and views are numbered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import msgspec

from engine.kernel.action_space import ActionSpace
from engine.kernel.chance import SeededChance
from engine.kernel.errors import RuleViolation
from engine.kernel.features import Features
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat, seat_audience
from engine.match.certain_end import must_end
from engine.match.replay import fold
from engine.registry import GAMES, GameUnusable, game, newest, part

LONGEST: Final = 20
"""The length of a word that counts as 1 in an observation; longer words count as this long."""


@dataclass(frozen=True)
class Setup:
    """A game with options and seats. `actions` and `features` are the same in all its matches."""

    game: AnyGame
    options: Any
    seats: int
    actions: ActionSpace
    features: Features

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The meaning of each place of an observation."""
        state = fold(self.game, self.game.start(self.options, self.seats, SeededChance(bytes(32), 1)))
        of_view = self.features.named(self.game.view(state, seat_audience(Seat(0))))
        parts = [self.actions.names[part] for part in self.actions.parts]
        return (*of_view, *(f"so far: {part}" for part in parts), *(f"last: {part}" for part in parts))

    @cached_property
    def part_places(self) -> dict[int, int]:
        """The place of an observation that counts each part of a word."""
        return {part: place for place, part in enumerate(self.actions.parts)}


def has_environments(game_id: str) -> bool:
    """Return whether an installed game can be used in environments: its rules can be loaded, and it numbers actions and views."""
    package = GAMES[game_id]
    if not (package.action_space and package.features):
        return False
    try:
        newest(game_id)
    except GameUnusable:
        return False
    return True


def set_up(game_id: str, options: Mapping[str, Any] | None = None, seats: int | None = None) -> Setup:
    """Read the options as the game does. By default it is the smallest number of seats and the game's default options.

    Raises KeyError if the game is unknown, GameUnusable if its package is refused, ValueError if it does not have these options or this number of seats.
    """
    rules = game(game_id)
    players = rules.seat_counts[0] if seats is None else seats
    if players not in rules.seat_counts:
        counts = ", ".join(map(str, rules.seat_counts))
        raise ValueError(f"{game_id} is for {counts} seats, not for {players}")
    try:
        chosen = msgspec.convert(dict(options or {}), rules.types.options)
        rules.check_options(chosen, players, rules.rules_version)
        must_end(rules, chosen)
    except (msgspec.ValidationError, RuleViolation) as problem:
        raise ValueError(f"{game_id} has no such options: {problem}") from problem
    package = GAMES[game_id]
    if not (package.action_space and package.features):
        raise ValueError(f"{game_id} numbers neither its actions nor its views, so it has no environments")
    return Setup(
        game=rules,
        options=chosen,
        seats=players,
        actions=part(game_id, "action_space")(chosen, players),
        features=part(game_id, "features")(chosen, players),
    )

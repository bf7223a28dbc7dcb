"""§1 The setup. What is drawn becomes part of the first event, so that a replay draws nothing."""

from __future__ import annotations

from engine.interface import Chance, Seat, recorded

from example_game.box import FAVOURS
from example_game.events import GameEvent, MatchStarted, RoundStarted, SeatFavour
from example_game.options import GameOptions


def start(options: GameOptions, seats: int, chance: Chance, rules_version: str) -> tuple[GameEvent, ...]:
    """§1 Deal a favour card to every seat, and begin the first round."""
    dealt = chance.shuffled(FAVOURS)[:seats]
    started = MatchStarted(
        seats=seats,
        rounds=options.rounds,
        favours=tuple(SeatFavour(seat=Seat(seat), bowl=bowl) for seat, bowl in enumerate(dealt)),
        rules_version=recorded(rules_version),
    )
    return (started, RoundStarted(round=1))

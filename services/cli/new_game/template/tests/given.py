"""Examples as events: given what has happened, when a seat acts, then this happens, or it is refused."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from engine.interface import RuleViolation, ScriptedChance, Seat, fold

from example_game.actions import GameAction
from example_game.box import Bowl, Pebbles
from example_game.errors import Code
from example_game.events import GameEvent, MatchStarted, RoundStarted, SeatFavour
from example_game.game import GAME
from example_game.state import State

RED, BLUE, GREEN = Seat(0), Seat(1), Seat(2)


def a_match(*favours: Bowl, rounds: int = 3) -> tuple[GameEvent, ...]:
    """Return the beginning of a match in which these favour cards are dealt."""
    dealt = tuple(SeatFavour(seat=Seat(seat), bowl=bowl) for seat, bowl in enumerate(favours))
    return (MatchStarted(seats=len(favours), rounds=rounds, favours=dealt), RoundStarted(round=1))


def pebbles(left: int = 0, middle: int = 0, right: int = 0) -> Pebbles:
    """Return pebbles for each bowl."""
    return Pebbles(left=left, middle=middle, right=right)


class Given:
    """A match after some events."""

    def __init__(self, *events: GameEvent) -> None:
        self.state: State = fold(GAME, events)
        self.events: tuple[GameEvent, ...] = ()

    def when(self, seat: Seat, action: GameAction, *, draws: Sequence[int] = ()) -> Given:
        """Let a seat act; `draws` is the luck it has, counted from 0."""
        return self._after(GAME.decide(self.state, seat, action, ScriptedChance(draws)))

    def when_leaving(self, seat: Seat, *, draws: Sequence[int] = ()) -> Given:
        """Let a seat leave."""
        return self._after(GAME.leave(self.state, seat, ScriptedChance(draws)))

    def _after(self, events: tuple[GameEvent, ...]) -> Given:
        self.events = events
        self.state = fold(GAME, events, self.state)
        return self

    def then(self, *events: GameEvent) -> Given:
        """Compare what the last move has caused."""
        assert self.events == events
        return self

    def then_refused(self, seat: Seat, action: GameAction, code: Code, /, **facts: object) -> None:
        """Expect a refusal, with its facts."""
        with pytest.raises(RuleViolation) as refused:
            GAME.decide(self.state, seat, action, ScriptedChance())
        assert (refused.value.code, refused.value.facts) == (code, facts)

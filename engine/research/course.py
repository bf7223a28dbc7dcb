"""A match played by indices, with draws from a secret: the common part of both kinds of environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernel.action_space import NOTHING_YET, Word
from engine.kernel.chance import SeededChance
from engine.kernel.outcome import Outcome
from engine.kernel.seats import Seat
from engine.match.replay import fold
from engine.research.position import Position, observation
from engine.research.setup import Setup

Observation = dict[str, NDArray[Any]]


class Course:
    """One match. It draws as the engine does, so the same secret and moves give the same match anywhere."""

    def __init__(self, setup: Setup, secret: bytes) -> None:
        self.setup = setup
        self._secret = secret
        self.moves: list[tuple[Seat, Any]] = []
        """Complete actions with the seats that made them, in order."""
        self._state = fold(setup.game, setup.game.start(setup.options, setup.seats, self._luck(1)))
        self._begun: dict[Seat, Word] = {}
        self._positions: dict[Seat, Position] = {}
        self.waited_for = setup.game.to_act(self._state)
        """The seats that must act, in order; several only if they decide in secret at once."""

    def _luck(self, move: int) -> SeededChance:
        return SeededChance(self._secret, move)

    @property
    def state(self) -> Any:
        """The complete state."""
        return self._state

    @property
    def outcome(self) -> Outcome | None:
        return self.setup.game.outcome(self._state)

    def position(self, seat: Seat) -> Position:
        """Return the position of a seat that must act."""
        found = self._positions.get(seat)
        if found is None:
            found = Position(self.setup, self._state, seat, self._begun.get(seat, NOTHING_YET))
            self._positions[seat] = found
        return found

    def choose(self, seat: Seat, index: int) -> None:
        """Choose for a seat. Raises ValueError if the index is not offered."""
        following = self.position(seat).after(index)
        if isinstance(following, Position):
            self._begun[seat] = following.begun
            self._positions[seat] = following
            return
        self.moves.append((seat, following))
        events = self.setup.game.decide(self._state, seat, following, self._luck(len(self.moves) + 1))
        self._state = fold(self.setup.game, events, self._state)
        self._begun.pop(seat, None)
        self._positions = {}
        self.waited_for = self.setup.game.to_act(self._state)

    def observe(self, seat: Seat, waits: int = 0) -> Observation:
        """Return what a seat sees, and what it may choose: nothing unless it must act.

        `waits` adds that many places to the mask; they are allowed exactly when nothing else is.
        """
        mask = np.zeros(len(self.setup.actions.names) + waits, dtype=np.int8)
        if seat in self.waited_for:
            position = self.position(seat)
            mask[position.offered] = 1
            row = observation(self.setup, self._state, seat, position.begun, position.view)
        else:
            mask[len(self.setup.actions.names) :] = 1
            row = observation(self.setup, self._state, seat)
        return {"observation": np.array(row, dtype=np.float32), "action_mask": mask}

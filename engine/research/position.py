"""A state with an open decision of one seat, in numbers: what the seat sees, and which indices it may choose."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from engine.kernel.action_space import NOTHING_YET, Choices, Word
from engine.kernel.seats import Seat, seat_audience
from engine.research.setup import LONGEST, Setup


class Position:
    """A point at which one seat has to choose an index. Immutable; derived values are computed on first use."""

    def __init__(self, setup: Setup, state: Any, seat: Seat, begun: Word = NOTHING_YET) -> None:
        self.setup = setup
        self.state = state
        self.seat = seat
        self.begun = begun
        """The parts chosen so far of a spelled action."""

    @cached_property
    def view(self) -> Any:
        return self.setup.game.view(self.state, seat_audience(self.seat))

    @cached_property
    def _choices(self) -> Choices:
        legal = self.setup.game.legal_actions(self.state, self.seat)
        return self.setup.actions.choices(legal, self.view)

    @cached_property
    def offered(self) -> Sequence[int]:
        """The legal indices, in ascending order."""
        return self._choices.following(self.begun)

    def after(self, index: int) -> Position | Any:
        """Choose an index. Return the action if it is complete, else the position where its next part is chosen.

        A part that is the only one possible is not asked for. Raises ValueError if the index is not offered.
        """
        if index not in self.offered:
            raise ValueError(f"index {index} is not legal here")
        word = (*self.begun, index)
        while True:
            action = self._choices.action(word)
            if action is not None:
                return action
            parts = self._choices.following(word)
            if len(parts) > 1:
                return self._spelling(word)
            word = (*word, *parts)

    def _spelling(self, word: Word) -> Position:
        following = Position(self.setup, self.state, self.seat, word)
        following.__dict__.update(view=self.view, _choices=self._choices)
        return following


def observation(
    setup: Setup, state: Any, seat: Seat, begun: Word = NOTHING_YET, view: Any = None
) -> list[float]:
    """Return what a seat sees as numbers from 0 to 1: its view, then how often each part has been chosen, and when last."""
    seen = setup.game.view(state, seat_audience(seat)) if view is None else view
    row = setup.features.row(seen, seat)
    places = setup.part_places
    often, last = [0.0] * len(places), [0.0] * len(places)
    for place, part in enumerate(begun, start=1):
        at = places[part]
        often[at] = min(often[at] + 1 / LONGEST, 1.0)
        last[at] = min(place / LONGEST, 1.0)
    return [*row, *often, *last]

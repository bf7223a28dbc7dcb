"""Deciding a move step by step: each event is applied at once, so that later steps see the effects of earlier ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

S = TypeVar("S")
E = TypeVar("E")


class Recorder(Generic[S, E]):
    """The working state of a move and the events so far."""

    __slots__ = ("_events", "_evolve", "state")

    def __init__(self, state: S, evolve: Callable[[S, E], S]) -> None:
        self.state = state
        self._evolve = evolve
        self._events: list[E] = []

    def record(self, event: E) -> S:
        """Append the event and return the state after it."""
        self._events.append(event)
        self.state = self._evolve(self.state, event)
        return self.state

    @property
    def events(self) -> tuple[E, ...]:
        return tuple(self._events)

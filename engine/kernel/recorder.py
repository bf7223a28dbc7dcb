"""Deciding a move step by step: each event is applied at once, so that later steps see the effects of earlier ones.

Who decides a move needs the state after it, which the recorder has already computed. So the state after the latest move is
kept until the next one, for whoever folds those very events onto that very state: the same functions have been called with
the same values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

S = TypeVar("S")
E = TypeVar("E")


_latest: tuple[object, object, object, Any] = ((), None, None, None)
"""The events of the latest recorded move, what applied them, and the states before and after them."""


def state_after(events: object, evolve: object, before: object) -> Any:
    """Return the state after the events if they are those of the latest recorded move, on its state; None otherwise."""
    latest = _latest
    if latest[0] is events and latest[1] is evolve and latest[2] is before:
        return latest[3]
    return None


class Recorder(Generic[S, E]):
    """The working state of a move and the events so far."""

    __slots__ = ("_before", "_events", "_evolve", "state")

    def __init__(self, state: S, evolve: Callable[[S, E], S]) -> None:
        self.state = state
        self._before = state
        self._evolve = evolve
        self._events: list[E] = []

    def record(self, event: E) -> S:
        """Append the event and return the state after it."""
        self._events.append(event)
        self.state = self._evolve(self.state, event)
        return self.state

    @property
    def events(self) -> tuple[E, ...]:
        global _latest  # noqa: PLW0603 - one value is replaced by another at once, so threads may share it
        events = tuple(self._events)
        _latest = (events, self._evolve, self._before, self.state)
        return events

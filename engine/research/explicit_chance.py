"""Random draws as moves of a player: a match stops where the rules draw, and continues when the number is known.

The rules draw in the middle of a move. So a move is decided again with all numbers known so far, until none is missing. This
works because the rules are pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.kernel.action_space import NOTHING_YET
from engine.kernel.chance import shuffle_by
from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat, seat_audience
from engine.match.replay import fold
from engine.research.position import Position
from engine.research.setup import Setup

T = TypeVar("T")


class Missing(Exception):  # noqa: N818 - not an error: the rules have come to a draw that is not made yet
    """The next draw is not known; it has this many outcomes."""

    def __init__(self, bound: int) -> None:
        super().__init__(f"a draw below {bound} is missing")
        self.bound = bound


class History:
    """The history of events, as each seat saw them. It is immutable: new objects extend it. Texts are made on demand."""

    def __init__(self, game: AnyGame, events: tuple[Any, ...], before: History | None = None) -> None:
        self.game = game
        self.events = events
        self.before = before
        self.texts: dict[int, str] = {}
        """By seat, once asked for."""

    def text(self, seat: int) -> str:
        """Return the events as the seat saw them, one line of JSON each."""
        missing: list[History] = []
        found: History | None = self
        while found is not None and seat not in found.texts:
            missing.append(found)
            found = found.before
        text = "" if found is None else found.texts[seat]
        audience = seat_audience(Seat(seat))
        for each in reversed(missing):
            redacted = (self.game.redact(event, audience) for event in each.events)
            text += "".join(f"{encode(event).decode()}\n" for event in redacted)
            each.texts[seat] = text
        return text


class ResampledHistory(History):
    """The history of one seat, as it was; of the others only what they see now, since other hidden cards had other moves."""

    def __init__(self, game: AnyGame, before: History, seat: int, views: tuple[Any, ...]) -> None:
        super().__init__(game, ())
        self.texts = {
            other: before.text(seat) if other == seat else f"{encode(view).decode()}\n"
            for other, view in enumerate(views)
        }


class SampledLuck:
    """A chance that draws from a sampler of numbers from 0 to 1, as OpenSpiel has them."""

    def __init__(self, sampler: Callable[[], float]) -> None:
        self._sampler = sampler

    def below(self, bound: int) -> int:
        return min(int(self._sampler() * bound), bound - 1)

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        return shuffle_by(self, items)


class KnownDraws:
    """A chance that gives the known numbers in order, then raises `Missing`."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self._rest = list(numbers)

    def below(self, bound: int) -> int:
        if bound == 1:
            return 0
        if not self._rest:
            raise Missing(bound)
        return self._rest.pop(0)

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        return shuffle_by(self, items)


@dataclass(frozen=True, eq=False)
class Node:
    """A point in a match. It is immutable, so copies of states share it."""

    state: Any
    history: History | None
    position: Position | None = None
    """None at a chance node, and at the end."""
    action: Any = None
    """What is being decided at a chance node; None for the start."""
    seat: Seat | None = None
    draws: tuple[int, ...] = ()
    """The numbers drawn for it so far."""
    outcomes: int = 0
    """The number of outcomes of the missing draw; 0 if none is missing."""

    def __deepcopy__(self, _memory: object) -> Node:
        return self


def resampled(setup: Setup, node: Node, seat: Seat, sampler: Callable[[], float]) -> Node:
    """Return a decision that the seat cannot tell apart from this one: what is hidden from it is dealt again.

    Parts that another seat has begun to spell are hidden from it too, so that seat begins anew. Raises ValueError at a chance node,
    whose draw may be of cards that the seat does not see, and before the start.
    """
    if node.outcomes or node.history is None:
        raise ValueError("only a decision can be resampled, not a draw")
    game, position = setup.game, node.position
    state = game.redeal(node.state, seat_audience(seat), SampledLuck(sampler))
    views = tuple(game.view(state, seat_audience(Seat(other))) for other in range(setup.seats))
    history = ResampledHistory(game, node.history, seat, views)
    if position is None:
        return Node(state, history)
    begun = position.begun if position.seat == seat else NOTHING_YET
    return Node(state, history, Position(setup, state, position.seat, begun))


def settled(setup: Setup, before: Node, seat: Seat | None, action: Any, draws: tuple[int, ...]) -> Node:
    """Decide an action, or the start, with the known numbers. Return the node of the next decision or draw, or of the end."""
    game, luck = setup.game, KnownDraws(draws)
    try:
        if seat is None:
            events = game.start(setup.options, setup.seats, luck)
        else:
            events = game.decide(before.state, seat, action, luck)
    except Missing as missing:
        return Node(before.state, before.history, None, action, seat, draws, missing.bound)
    state = fold(game, events, before.state)
    history = History(game, events, before.history)
    waited_for = game.to_act(state)
    position = Position(setup, state, waited_for[0]) if waited_for else None
    return Node(state, history, position)

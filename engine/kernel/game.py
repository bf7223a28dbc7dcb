"""What a game is: pure functions, a view, and the types they speak, gathered in one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from engine.kernel.chance import Chance
from engine.kernel.codec import Codec, Upcaster
from engine.kernel.errors import RefusalCode
from engine.kernel.legal import LegalActions
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.records import Action, Event, Options, View
from engine.kernel.seats import Audience, Seat

O = TypeVar("O", bound=Options)  # noqa: E741 - one letter per type of a game
S = TypeVar("S")
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)
V = TypeVar("V", bound=View)


class Notation(Protocol):
    """One-line English for logs and replays, and a drawing for the terminal. Shown to whoever may see the argument."""

    def action(self, action: Any, /) -> str: ...

    def event(self, event: Any, /) -> str: ...

    def view(self, view: Any, /) -> str:
        """Several lines: the table as this view shows it."""
        ...


@dataclass(frozen=True)
class Types:
    """The shapes of a game, as msgspec understands them. `event`, `action` and `template` are tagged unions."""

    options: Any
    state: Any
    action: Any
    event: Any
    template: Any
    view: Any
    components: Any


@dataclass(frozen=True, eq=False)
class Game(Generic[O, S, A, E, V]):
    """One game. All functions are pure; luck comes in as an argument, time and storage not at all."""

    id: str
    """Stable name in URLs and packages, such as `river_dragons`."""
    title: str
    edition: str
    """Which printed rulebook this follows."""
    rules_version: str
    """Raised with every change of a ruling; a match keeps the version it began with."""
    seat_counts: tuple[int, ...]
    types: Types
    components: Any
    """What is in the box and on the board, for front ends: static, public."""
    notation: Notation
    codes: type[RefusalCode]
    """What its rulebook refuses, beside what every game knows (`TableCode`)."""

    start: Callable[[O, int, Chance], tuple[E, ...]]
    """(options, number of seats, chance) -> the events of the setup."""
    decide: Callable[[S, Seat, A, Chance], tuple[E, ...]]
    """Judges: the events the action causes, or RuleViolation. Draws only after everything is judged."""
    evolve: Callable[[S | None, E], S]
    """Records: never refuses, never draws. The first event finds no state."""
    leave: Callable[[S, Seat, Chance], tuple[E, ...]]
    """A seat leaves for good, whoever's turn it is: the events, or RuleViolation."""
    pending: Callable[[S], tuple[Pending, ...]]
    """Every open decision, in order of seats."""
    legal_actions: Callable[[S, Seat], LegalActions[A, Any]]
    """Complete for the seat's open decision; empty when it has none."""
    sample: Callable[[S, Seat, Chance], A]
    """Any legal action of a seat that has an open decision, from `legal_actions`, templates included."""
    view: Callable[[S, Audience], V]
    redact: Callable[[E, Audience], E]
    """The event as this audience may see it; its hidden parts are absent."""
    outcome: Callable[[S], Outcome | None]
    """None while the match goes on."""
    hidden: Callable[[S, Audience], tuple[str, ...]]
    """Names of the facts on the table that this audience does not know, nor can work out because only one possibility is left.

    Follows from what the audience knows, never from what it does not; none for a referee. Luck not yet drawn is no fact.
    A name goes when the fact becomes known, and only then: what leaves the game unseen stays hidden."""
    redeal: Callable[[S, Audience, Chance], S]
    """A whole state that this audience cannot tell from the true one: what is hidden from it is dealt again, uniformly over
    the deals that agree with what it sees, never copied from the truth. The same state for a referee.

    Forks and playouts of bots begin here, with luck of their own."""
    upcasters: dict[str, Upcaster] = field(default_factory=dict)
    """Lift events of an old shape, by tag."""

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Who is waited for, in order of seats."""
        return tuple(pending.seat for pending in self.pending(state))

    @cached_property
    def options_codec(self) -> Codec[O]:
        return Codec(self.types.options)

    @cached_property
    def state_codec(self) -> Codec[S]:
        return Codec(self.types.state)

    @cached_property
    def action_codec(self) -> Codec[A]:
        return Codec(self.types.action)

    @cached_property
    def event_codec(self) -> Codec[E]:
        return Codec(self.types.event, upcasters=self.upcasters)


AnyGame = Game[Any, Any, Any, Any, Any]
"""A game whose types are known only to itself: what registries, services and replays hold."""

"""What a game is: pure functions, a view, and the types they speak, gathered in one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, Protocol, Self, TypeVar

from engine.kernel.chance import Chance
from engine.kernel.codec import Codec, Upcaster
from engine.kernel.errors import RefusalCode
from engine.kernel.legal import LegalActions
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.records import Action, Event, Options, View
from engine.kernel.rules_versions import AnyRulesVersion
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
    """One game under one version of its rules. All functions are pure; luck comes in as an argument, time and storage not at all."""

    id: str
    """Stable name in URLs and packages, such as `river_dragons`."""
    title: str
    edition: str
    """Which printed rulebook this follows."""
    versions: tuple[AnyRulesVersion, ...]
    """Every version of its rules that can be played, newest first."""
    rules_version: str
    """The one that matches begun by this value are played by, and keep. Every other function serves a match of any version."""
    seat_counts: tuple[int, ...]
    types: Types
    components: Any
    """What is in the box and on the board, for front ends: static, public."""
    notation: Notation
    codes: type[RefusalCode]
    """What its rulebook refuses, beside what every game knows (`TableCode`)."""

    set_up: Callable[[O, int, Chance, str], tuple[E, ...]]
    """(options, number of seats, chance, rules version) -> the events of the setup; the first one tells the version."""
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
    policy: Callable[[S, Seat], A]
    """The legal action that stands in for an absent player, for any open decision of the seat; LookupError without one.

    Draws nothing and reads nothing the seat cannot know: the same action at all tables the seat cannot tell apart. It spares
    the others, and a match in which any seats are played so comes to its end."""
    evaluate: Callable[[S, Seat], float]
    """What the seat's standing is worth in its own eyes while the match goes on: between -1 and 1, higher is better.

    Reads nothing the seat cannot know; the game's `evaluation.py` gives the formula."""
    rules_of: Callable[[S], str]
    """The version of the rules a match is played by; it need not be one there is, if the state came from outside."""
    upcasters: dict[str, Upcaster] = field(default_factory=dict)
    """Lift events of an old shape, by tag."""

    def start(self, options: O, seats: int, chance: Chance) -> tuple[E, ...]:
        """Give the events of the setup of a match under this version of the rules."""
        return self.set_up(options, seats, chance, self.rules_version)

    def by(self, version: str) -> Self:
        """Give the same game under another version of its rules; KeyError names what there is."""
        try:
            return self._by_version[version]
        except KeyError:
            there_are = ", ".join(one.version for one in self.versions)
            raise KeyError(f"no rules {version!r} of {self.id}; there are: {there_are}") from None

    @property
    def newest(self) -> Self:
        """The same game under its newest rules: what a new match begins with."""
        return self.by(self.versions[0].version)

    @cached_property
    def _by_version(self) -> dict[str, Self]:
        """One value per version, so that what is kept by game is made once."""
        return {
            one.version: self
            if one.version == self.rules_version
            else replace(self, rules_version=one.version)
            for one in self.versions
        }

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

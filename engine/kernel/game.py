"""The type of a game: its pure functions, its view and its data types in one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

from engine.kernel.chance import Chance
from engine.kernel.codec import Codec, Upcaster
from engine.kernel.errors import RefusalCode
from engine.kernel.hints import Hint, TemplateHint
from engine.kernel.layout import Layout, Piece
from engine.kernel.legal import LegalActions
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.records import Action, Event, Options, View
from engine.kernel.rules_versions import AnyRulesVersion
from engine.kernel.seats import Audience, Seat
from engine.kernel.text.texts import Texts

O = TypeVar("O", bound=Options)  # noqa: E741 - one letter per type of a game
S = TypeVar("S")
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)
V = TypeVar("V", bound=View)


def _no_contradiction(_options: Any, _seats: int, _rules_version: str, /) -> None:
    """Accept any options with any number of seats."""


def _never_endless(_options: Any, /) -> str | None:
    """Return None: every match ends by its rules."""
    return None


@dataclass(frozen=True)
class Types:
    """The data types of a game, for msgspec. `event`, `action` and `template` are tagged unions."""

    options: Any
    state: Any
    action: Any
    event: Any
    template: Any
    view: Any
    components: Any


@dataclass(frozen=True, eq=False)
class Game(Generic[O, S, A, E, V]):
    """One game under one version of its rules. All functions are pure: chance is an argument; time and storage are not used."""

    id: str
    """Stable name in URLs and packages, such as `river_dragons`."""
    title: str
    edition: str
    """The printed rulebook that it follows."""
    versions: tuple[AnyRulesVersion, ...]
    """Every version of its rules that can be played, newest first."""
    rules_version: str
    """The version for matches started with this value; they keep it. All other functions work for matches of any version."""
    seat_counts: tuple[int, ...]
    types: Types
    components: Any
    """The content of the box and the board, for front ends: static and public."""
    texts: Texts
    """Its words: what each record says, in four languages."""
    layout: Layout
    """Where its boards, mats and places are: static and public."""
    codes: type[RefusalCode]
    """The codes of its own refusals; those that all games share are in `TableCode`."""

    set_up: Callable[[O, int, Chance, str], tuple[E, ...]]
    """(options, number of seats, chance, rules version) -> the events of the setup; the first one names the version."""
    decide: Callable[[S, Seat, A, Chance], tuple[E, ...]]
    """Return the events that the action causes, or raise RuleViolation. Draws only after everything is checked."""
    evolve: Callable[[S | None, E], S]
    """Return the state after an event. It never refuses and never draws. The state before the first event is None."""
    leave: Callable[[S, Seat, Chance], tuple[E, ...]]
    """Return the events of a seat that leaves for good, at any time, or raise RuleViolation."""
    pending: Callable[[S], tuple[Pending, ...]]
    """Return every open decision, in order of seats."""
    legal_actions: Callable[[S, Seat], LegalActions[A, Any]]
    """Return all legal actions for the seat's open decision; empty if it has none."""
    sample: Callable[[S, Seat, Chance], A]
    """Return a random legal action of a seat with an open decision, from `legal_actions` including templates."""
    view: Callable[[S, Audience], V]
    pieces: Callable[[V], tuple[Piece, ...]]
    """Return what lies at the places of the layout, as far as a view shows it."""
    hint: Callable[[V, A], Hint]
    """Return how a legal action is presented to the seat whose view it is."""
    template_hint: Callable[[V, Any], TemplateHint]
    """Return how a template is presented to the seat whose view it is, and how it is filled in."""
    draw: Callable[[V], str]
    """Return several lines that show a view in a terminal, with the ids of the API: the same in every language."""
    redact: Callable[[E, Audience], E]
    """Return the event as this audience may see it; the hidden parts are absent."""
    outcome: Callable[[S], Outcome | None]
    """Return the outcome; None while the match is running."""
    hidden: Callable[[S, Audience], tuple[str, ...]]
    """Return the names of the facts in the state that this audience neither knows nor can infer by elimination; none for a
    referee. The names depend only on what the audience knows. Draws that were not made yet are not facts. A name disappears
    only when the fact becomes known: what leaves the game unseen stays hidden."""
    redeal: Callable[[S, Audience, Chance], S]
    """Return a complete state that this audience cannot distinguish from the true one. Everything hidden from it is dealt
    again, uniformly over the deals that agree with what it sees, and never copied from the true state. For a referee it is
    the same state. Forks and playouts of bots begin with it, with their own chance."""
    policy: Callable[[S, Seat], A]
    """Return the legal action for an absent player, for any open decision of the seat; LookupError without one. It draws
    nothing and reads nothing that the seat cannot know, so it is the same in all states that the seat cannot distinguish. It
    avoids affecting other players, and a match in which any seats are played by it reaches its end."""
    evaluate: Callable[[S, Seat], float]
    """Return the value of a running match for the seat, as far as the seat can know: between -1 and 1, higher is better.
    It reads nothing that the seat cannot know. The formula is in the game's `evaluation.py`."""
    rules_of: Callable[[S], str]
    """Return the version of the rules of a match. If the state came from outside, the version may be unknown here."""
    check_options: Callable[[O, int, str], None] = field(default=_no_contradiction)
    """(options, number of seats, rules version) Raises RuleViolation for options that contradict themselves, the number of
    seats or the rules. `set_up` refuses them too; this check runs before anybody waits for the match."""
    endless: Callable[[O], str | None] = field(default=_never_endless)
    """Return the option, if any, with which a match may never end although everybody plays; see `certain_end.py`."""
    upcasters: dict[str, Upcaster] = field(default_factory=dict)
    """Converters of old shapes of events, by tag."""

    def start(self, options: O, seats: int, chance: Chance) -> tuple[E, ...]:
        """Return the events of the setup of a match under this version of the rules."""
        return self.set_up(options, seats, chance, self.rules_version)

    def by(self, version: str) -> Self:
        """Return the same game under another version of its rules. Raises KeyError, which lists the versions."""
        try:
            return self._by_version[version]
        except KeyError:
            there_are = ", ".join(one.version for one in self.versions)
            raise KeyError(f"no rules {version!r} of {self.id}; there are: {there_are}") from None

    @property
    def newest(self) -> Self:
        """Return the same game under its newest rules, with which new matches begin."""
        return self.by(self.versions[0].version)

    @cached_property
    def _by_version(self) -> dict[str, Self]:
        """One value per version, so that caches keyed by game are filled once."""
        return {
            one.version: self
            if one.version == self.rules_version
            else replace(self, rules_version=one.version)
            for one in self.versions
        }

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that must act, in order."""
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
"""A game without its specific types, as registries, services and replays hold it."""

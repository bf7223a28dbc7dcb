"""The texts of a game: which message describes a record, with which arguments, in which languages.

The arguments of a record's message are its fields, written according to their types. So a text contains no more than its
record, and what an audience may not see is absent from both.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from engine.kernel.errors import RuleViolation
from engine.kernel.outcome import Outcome, ScoreLine
from engine.kernel.pending import Pending
from engine.kernel.records import Event, Template
from engine.kernel.seats import Seat
from engine.kernel.text.paragraphs import Paragraph, paragraphs
from engine.kernel.text.text import NONE, Text
from engine.kernel.text.words import SEAT, Arg, Word, named, several

LANGUAGES: Final = ("en", "it", "fr", "pl")
"""The languages of every catalogue, as BCP 47 tags."""
SHARED: Final = "engine.kernel.text"
"""The package of the messages that all games share."""

FACT: Final = re.compile(r"`([a-z_]+)`")
"""Matches the names of facts in the meaning of a refusal's code."""
_NUMBER: Final = Word(int)
_WORD: Final = Word(str)
_YES_OR_NO: Final = Word(lambda value: "yes" if value else "no")

Catalogue = Mapping[str, str]
"""Messages in ICU MessageFormat by key, in one language."""


@dataclass(frozen=True, eq=False)
class Texts:
    """How the records of one game become texts."""

    package: str
    """Where its catalogues are, `en.json` and so on, and `texts.TEXTS`, this value: such as `engine.river_dragons.text`."""
    words: Mapping[Any, Word] = field(default_factory=dict)
    """How fields are written, by their type. Other types are written by kind: numbers, seats, `component.<id>` for enums, `part.<name>`
    for structs."""
    more: Mapping[type, Mapping[str, Callable[[Any], Arg]]] = field(default_factory=dict)
    """Arguments of records that are not fields, or that replace the field of that name."""
    facts: Mapping[str, Word] = field(default_factory=dict)
    """How facts of a refusal are written, by their name. Other facts are written unchanged."""
    decisions: tuple[str, ...] = ()
    """Every kind of decision."""
    scores: tuple[str, ...] = ()
    """Every reason of a score line."""
    ends: tuple[str, ...] = ()
    """Every way a match ends by the rules."""
    groups: tuple[str, ...] = ()
    """Every group of actions, `group.<group>` (engine/kernel/hints.py)."""
    components: tuple[str, ...] = ()
    """Every part of the box and of the board that has a name."""
    described: tuple[str, ...] = ()
    """Those of them that have a short description, `component.<id>.text`."""

    def __reduce__(self) -> tuple[Callable[[str], Texts], tuple[str]]:
        """Pickle the name of the package: functions cannot be pickled, and games are sent to other processes."""
        return _texts_of, (self.package,)

    def event(self, event: Event) -> Text:
        """Return the log line of an event, with no more information than the event contains."""
        return self._record("event", event)

    def action(self, action: msgspec.Struct) -> Text:
        """Return the button label of an action."""
        return self._record("action", action)

    def chosen(self, seat: Seat, action: msgspec.Struct) -> Text:
        """Return the log line of a seat's action; its key is that of the button label with `.log` appended."""
        button = self._record("action", action)
        return Text(f"{button.key}.log", {"seat": SEAT.arg(seat), **button.args})

    def template(self, template: Template) -> Text:
        """Return the label of the button that begins an action of a template."""
        return self._record("template", template)

    def decision(self, pending: Pending) -> Text:
        """Return the prompt of an open decision, for the seat that decides."""
        return Text(f"decision.{pending.decision}")

    def refusal(self, violation: RuleViolation) -> Text:
        """Return the explanation of a refusal for the player. Facts that the violation does not have are NONE."""
        args: dict[str, Arg] = dict.fromkeys(FACT.findall(violation.code.meaning), NONE)
        for name, value in violation.facts.items():
            word = self.facts.get(name)
            if isinstance(value, tuple):
                args[name] = several(
                    value, word or (_NUMBER if value and isinstance(value[0], int) else _WORD)
                )
            else:
                args[name] = value if word is None else word.arg(value)
        return Text(f"refusal.{violation.code}", args)

    def score_line(self, line: ScoreLine) -> Text:
        """Return the text that says what the points of a score line are for."""
        return Text(f"score.{line.reason}", {"points": line.points})

    def end(self, outcome: Outcome) -> Text:
        """Return the text that says how a match ended."""
        return Text(f"end.{outcome.reason}", {"winners": several(outcome.winners, SEAT)})

    @cached_property
    def catalogues(self) -> Mapping[str, Catalogue]:
        """Return every message of the game, and those that all games share, by language."""
        return {
            language: {**_messages(SHARED, language), **_messages(self.package, language)}
            for language in LANGUAGES
        }

    @cached_property
    def paragraphs(self) -> Mapping[str, Paragraph]:
        """Return every paragraph that `rule` fields may name, in English."""
        return paragraphs(self.package)

    def arguments(self, record: type[msgspec.Struct]) -> Mapping[str, tuple[str, ...]]:
        """Return the names of the arguments of a type of records, each with the keys of the texts in it."""
        return {name: keys for name, _, keys in self._readers(record)}

    def _record(self, prefix: str, record: msgspec.Struct) -> Text:
        return Text(f"{prefix}.{record.__struct_config__.tag}", self._args(record))

    def _args(self, record: msgspec.Struct) -> dict[str, Arg]:
        return {name: read(record) for name, read, _ in self._readers(type(record))}

    def _readers(self, record: type[msgspec.Struct]) -> tuple[_Reader, ...]:
        readers = self._by_type.get(record)
        if readers is None:
            readers = self._by_type[record] = tuple(self._compiled(record))
        return readers

    @cached_property
    def _by_type(self) -> dict[type[msgspec.Struct], tuple[_Reader, ...]]:
        return {}

    def _compiled(self, record: type[msgspec.Struct]) -> Iterable[_Reader]:
        more = self.more.get(record, {})
        for name, annotation in get_type_hints(record, include_extras=True).items():
            if name in record.__struct_fields__ and name not in more:
                word = self._word(annotation)
                yield name, _field(name, word), word.keys
        for name, read in more.items():
            yield name, read, ()

    def _word(self, annotation: Any) -> Word:
        """Return how values of a type are written. Raises TypeError for a type that cannot be written."""
        if (known := self._known(annotation)) is not None:
            return known
        origin, args = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return self._word(args[0])
        if origin in (Union, types.UnionType):
            return self._optional(args)
        if origin is tuple:
            return _list(self._word(args[0]))
        if origin is Literal:
            return _WORD
        if isinstance(annotation, type):
            return self._plain(annotation)
        if hasattr(annotation, "__supertype__"):
            return self._word(annotation.__supertype__)
        raise TypeError(f"no words for {annotation}")

    def _known(self, annotation: Any) -> Word | None:
        try:
            return SEAT if annotation is Seat else self.words.get(annotation)
        except TypeError:  # annotations with limits cannot be hashed
            return None

    def _optional(self, args: tuple[Any, ...]) -> Word:
        (inner,) = [arg for arg in args if arg is not type(None)]
        word = self._word(inner)
        return Word(lambda value: NONE if value is None else word.arg(value), word.keys)

    def _plain(self, kind: type) -> Word:
        if issubclass(kind, bool):
            return _YES_OR_NO
        if issubclass(kind, Enum):
            return named("component", (str(member.value) for member in kind))
        if issubclass(kind, msgspec.Struct):
            key = f"part.{_snake(kind.__name__)}"
            inner = tuple(one for keys in self.arguments(kind).values() for one in keys)
            return Word(lambda value: Text(key, self._args(value)), (key, *inner))
        if issubclass(kind, int):
            return _NUMBER
        if issubclass(kind, str):
            return _WORD
        raise TypeError(f"no words for {kind}")


_Reader = tuple[str, Callable[[Any], Arg], tuple[str, ...]]
"""The name of an argument, how it is read from a record, and the keys of the texts in it."""


def _texts_of(package: str) -> Texts:
    texts: Texts = import_module(f"{package}.texts").TEXTS
    return texts


def _field(name: str, word: Word) -> Callable[[Any], Arg]:
    return lambda record: word.arg(getattr(record, name))


def _list(word: Word) -> Word:
    return Word(lambda values: several(values, word), word.keys)


def _messages(package: str, language: str) -> dict[str, str]:
    """Return the messages of one file, which never changes and is read once. Raises ValueError if they cannot be read."""
    try:
        return msgspec.json.decode(
            files(package).joinpath(f"{language}.json").read_bytes(), type=dict[str, str]
        )
    except (OSError, msgspec.DecodeError) as problem:
        raise ValueError(f"{language}.json of {package} cannot be read: {problem}") from problem


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()

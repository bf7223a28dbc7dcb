"""A check of the kit: a question about a game, and what it finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel.codec import encode
from services.kit.subject import Subject

MAX_FAULTS: Final = 5
"""Faults of one check that are reported; more of a kind say nothing new."""

_LONG: Final = 300


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Something that is wrong with a game."""

    what: str
    """What is wrong, in a sentence with the names of the game's own records."""
    do: str
    """What its author can do about it, in a sentence in the imperative."""
    where: str = ""
    """The match and the move in which it was seen, as `Played.at` names them, or a file; empty: everywhere."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a check has found."""

    checked: str
    """How much was looked at, such as `1,204 actions in 12 matches`."""
    faults: tuple[Fault, ...] = ()
    """At most MAX_FAULTS; empty: the game passes."""
    skipped: str = ""
    """Why the check could not look, although nothing is wrong that it asks for; empty: it has looked."""


class Findings:
    """The faults that a check has found so far, each kind of them once."""

    def __init__(self) -> None:
        self._faults: dict[str, Fault] = {}

    def add(self, what: str, *, do: str, where: str = "", kind: str = "") -> None:
        """Keep a fault unless there are enough, or one of its kind; the default kind is the text itself."""
        if not self.enough:
            self._faults.setdefault(kind or what, Fault(what=what, do=do, where=where))

    def __bool__(self) -> bool:
        return bool(self._faults)

    @property
    def enough(self) -> bool:
        """Whether more faults would not be reported, so that a check may stop."""
        return len(self._faults) >= MAX_FAULTS

    def result(self, checked: str) -> Result:
        return Result(checked=checked, faults=tuple(self._faults.values()))


@dataclass(frozen=True, kw_only=True)
class Check:
    """A question about a game."""

    name: str
    """Its name on the command line, such as `listed-actions`."""
    asks: str
    """What must hold, in one sentence that says it of a game that passes."""
    run: Callable[[Subject], Result]
    """Look. What a function of the game raises unexpectedly may pass: `running.run` makes a fault of it, with its place."""


def record_text(record: Any) -> str:
    """Return an action, an event or another record as a report names it; a long one is cut."""
    text = encode(record).decode()
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"

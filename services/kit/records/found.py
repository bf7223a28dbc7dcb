"""What a check has found so far, and how a function that looks becomes a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from services.kit.check import Check, Findings, Result
from services.kit.subject import Subject


class Enough(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """There are as many faults as a report names, so the check ends."""


class Found:
    """The faults that a check has found, and how much it has looked at."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._findings = Findings()
        self._looked: Counter[str] = Counter()
        self.skipped = ""
        """Why the check could not look; see `Result.skipped`."""

    @property
    def here(self) -> str:
        """Where the check is looking: every fault was seen here, and so is what a function of the game raises."""
        return self._subject.where

    @here.setter
    def here(self, where: str) -> None:
        self._subject.where = where

    def __bool__(self) -> bool:
        """Return whether there are any faults."""
        return bool(self._findings)

    def add(self, what: str, do: str, kind: str = "") -> None:
        """Add a fault, unless one of its kind was found before; the default kind is the text itself. Raises Enough after
        the last one that is reported.
        """
        self._findings.add(what, do=do, where=self.here, kind=kind)
        if self._findings.enough:
            raise Enough

    def looked(self, at: str, number: int = 1) -> None:
        """Count what was looked at; `at` is a plural such as `actions`."""
        self._looked[at] += number

    def result(self) -> Result:
        """Return the faults, and how much was looked at, such as `1,204 actions, 12 views`."""
        checked = ", ".join(f"{number:,} {at}" for at, number in self._looked.items())
        found = self._findings.result(checked or "nothing")
        return Result(checked=found.checked, faults=found.faults, skipped=self.skipped)


def check(name: str, asks: str, look: Callable[[Subject, Found], None]) -> Check:
    """Return the check that looks with a function until it has seen everything, or enough faults."""

    def run(subject: Subject) -> Result:
        found = Found(subject)
        with suppress(Enough):
            look(subject, found)
        return found.result()

    return Check(name=name, asks=asks, run=run)


def loaded(place: str) -> Any:
    """Return the object that a package names as `module:attribute`."""
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


def audiences(seats: int) -> tuple[Audience, ...]:
    """Return the public, the referee and every seat."""
    return (PUBLIC, REFEREE, *(seat_audience(Seat(seat)) for seat in range(seats)))


def tag_of(record: Any) -> str:
    """Return the tag of an action, an event or a template."""
    return str(record.__struct_config__.tag)

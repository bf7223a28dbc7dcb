"""The legal actions of a seat: a complete list, or templates where a list would be too long."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from engine.kernel.records import Action, Template

A = TypeVar("A", bound=Action)
T = TypeVar("T", bound=Template)


class LegalActions(msgspec.Struct, Generic[A, T], frozen=True):
    """The legal actions. Every action in `actions` and in the domain of a template is accepted; every other is refused."""

    actions: tuple[A, ...] = ()
    templates: tuple[T, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.actions or self.templates)

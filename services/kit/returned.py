"""A game whose functions say so when what they return is of another type than they owe: before it does harm elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import NoneType
from typing import Any, Final, get_args

from engine.kernel.game import AnyGame
from engine.kernel.hints import Hint, TemplateHint
from engine.kernel.layout import Piece
from engine.kernel.legal import LegalActions
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending

MAX_NAMED: Final = 3
"""Types of a union that a report names."""


class WrongReturn(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A function of a game returns a value of another type than it owes."""

    def __init__(self, function: str, what: str, owed: str) -> None:
        """`what` is what it returns, and `owed` what it should return, such as `a tuple of Pending`."""
        super().__init__(f"`{function}` returns {what}, and owes {owed}")
        self.function = function
        self.owed = owed


def watched(game: AnyGame) -> AnyGame:
    """Return the same game, whose functions raise WrongReturn for a value of another type than they owe."""
    types = game.types
    events = _classes(types.event)
    one = {
        "evolve": _classes(types.state),
        "legal_actions": (LegalActions,),
        "sample": _classes(types.action),
        "view": _classes(types.view),
        "hint": (Hint,),
        "template_hint": (TemplateHint,),
        "draw": (str,),
        "redact": events,
        "outcome": (Outcome, NoneType),
        "redeal": _classes(types.state),
        "policy": _classes(types.action),
        "evaluate": (float, int),
        "rules_of": (str,),
    }
    several = {
        "set_up": events,
        "decide": events,
        "leave": events,
        "pending": (Pending,),
        "pieces": (Piece,),
        "hidden": (str,),
    }
    changed: dict[str, Any] = {name: _one(name, getattr(game, name), owed) for name, owed in one.items()}
    changed |= {name: _several(name, getattr(game, name), owed) for name, owed in several.items()}
    return replace(game, **changed)


def _classes(shape: Any) -> tuple[type, ...]:
    """Return the classes of a type, or of a union of types."""
    if isinstance(shape, type):
        return (shape,)
    return tuple(one for part in get_args(shape) for one in _classes(part))


def _one(name: str, function: Callable[..., Any], owed: tuple[type, ...]) -> Callable[..., Any]:
    def watching(*args: Any) -> Any:
        value = function(*args)
        if not isinstance(value, owed):
            raise WrongReturn(name, _kind(value), _names(owed))
        return value

    return watching


def _several(name: str, function: Callable[..., Any], owed: tuple[type, ...]) -> Callable[..., Any]:
    def watching(*args: Any) -> Any:
        values = function(*args)
        if not isinstance(values, tuple):
            raise WrongReturn(name, _kind(values), f"a tuple of {_names(owed)}")
        for value in values:
            if not isinstance(value, owed):
                raise WrongReturn(name, f"a tuple with {_kind(value)}", f"a tuple of {_names(owed)}")
        return values

    return watching


def _kind(value: Any) -> str:
    return "None" if value is None else f"a value of the type {type(value).__name__}"


def _names(owed: tuple[type, ...]) -> str:
    if len(owed) > MAX_NAMED:
        return f"{owed[0].__name__}, or another of the types in `Game.types`"
    return " or ".join("None" if one is NoneType else one.__name__ for one in owed)

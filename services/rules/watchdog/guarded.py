"""A game whose functions leave a mark while they compute, and refuse to compute what did not return before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, Final

from engine.kernel.codec import encode
from engine.kernel.game import AnyGame, Game
from services.rules.marks import NOTHING, Marks, Work, current, of_request
from services.rules.watchdog.stuck_calls import StuckCalls

WATCHED: Final = (
    "set_up",
    "decide",
    "evolve",
    "leave",
    "pending",
    "legal_actions",
    "sample",
    "view",
    "pieces",
    "hint",
    "template_hint",
    "draw",
    "redact",
    "outcome",
    "hidden",
    "redeal",
    "policy",
    "evaluate",
    "rules_of",
    "check_options",
    "endless",
)
"""The functions of a game."""
_BEFORE_A_MATCH: Final = frozenset({"check_options", "endless"})
"""They are called with options, before there is a match that the call could be known by."""

_IS_WATCHED: Final = "is_watched"


class RulesRaised(Exception):  # noqa: N818 - the name says what happened
    """The rules have raised what is no error, such as SystemExit."""


class Watched:
    """The functions of games that are watched, each with its number in the marks."""

    def __init__(self) -> None:
        self.marks: Final = Marks()
        self.functions: Final[list[tuple[str, str]]] = []
        """Game and function, by number."""
        self.stuck: StuckCalls | None = None
        """What is refused; None: nothing."""

    def guarded(self, game: AnyGame) -> AnyGame:
        """Return the same game with its functions watched; the game itself if they are already."""
        if getattr(game.decide, _IS_WATCHED, False):
            return game
        functions: dict[str, Any] = {
            name: self._guard(game.id, name, getattr(game, name)) for name in WATCHED
        }
        upcasters = {
            tag: self._guard(game.id, f"upcaster of {tag}", function)
            for tag, function in game.upcasters.items()
        }
        return WatchedGame(**{**_fields(game), **functions, "upcasters": upcasters})

    def _guard(self, game_id: str, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        number = len(self.functions)
        self.functions.append((game_id, name))
        marks = self.marks
        begin, end = marks.begin, marks.end
        before_a_match = name in _BEFORE_A_MATCH

        @wraps(function)
        def guarded(*given: Any) -> Any:
            slot = marks.slot
            if slot.busy:
                return function(*given)
            work = current()
            if before_a_match and work == NOTHING:
                work = _of_options(game_id, name, given)
            if (stuck := self.stuck) is not None and stuck.any:
                stuck.refuse(game_id, work)
            begin(slot, number, work)
            try:
                return function(*given)
            except Exception:
                raise
            except (
                BaseException
            ) as problem:  # in an event loop, it would end the process, or cancel whoever waits
                raise RulesRaised(f"{name} of {game_id} raised {type(problem).__name__}") from problem
            finally:
                end(slot)

        setattr(guarded, _IS_WATCHED, True)
        return guarded


class WatchedGame(Game[Any, Any, Any, Any, Any]):
    """A game whose functions are watched. Pickled, it is the game that it was: the marks are those of this process."""

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], AnyGame], tuple[dict[str, Any]]]:
        functions = {name: getattr(self, name).__wrapped__ for name in WATCHED}
        upcasters = {tag: vars(function)["__wrapped__"] for tag, function in self.upcasters.items()}
        return _game, ({**_fields(self), **functions, "upcasters": upcasters},)


def _fields(game: AnyGame) -> dict[str, Any]:
    return {field.name: getattr(game, field.name) for field in fields(game)}


def _game(values: dict[str, Any]) -> AnyGame:
    return Game(**values)


WATCHED_HERE: Final = Watched()
"""Those of this process."""


def _of_options(game_id: str, name: str, given: tuple[Any, ...]) -> Work:
    options, *rest = given
    return of_request(f"{name} {game_id}", encode((options, *rest)))

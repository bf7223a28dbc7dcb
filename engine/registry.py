"""The games that are installed, found by their entry points. A game's rules are imported on first use.

Each game is a distribution that names itself in the group `foldtable.games`; so do the three that come with Foldtable. What
cannot be used is refused with a reason, and does not affect other games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

import msgspec

from engine.kernel.errors import in_one_line
from engine.kernel.game import AnyGame, Game
from engine.kernel.package import ENTRY_POINTS, Checks, GamePackage
from engine.kernel.rules_versions import AnyRulesVersion
from engine.trial import is_on_trial, quiet, tried

OWN: Final = "foldtable"
"""The distribution whose games take precedence over others of the same id."""


class GameUnusable(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A game package cannot be used. The error is one sentence: which package, and why."""

    def __init__(self, game_id: str, distribution: str, why: str) -> None:
        """`distribution` is its name and version, such as `ladders 0.3.0`."""
        super().__init__(f"the game {game_id} of {distribution} cannot be used: {why}")
        self.game_id = game_id


class _Found(msgspec.Struct, frozen=True):
    """An entry point that names a package this server can use."""

    package: GamePackage
    distribution: str


def find(entries: Iterable[EntryPoint]) -> tuple[dict[str, _Found], dict[str, GameUnusable]]:
    """Return the usable packages of some entry points in order of their ids, and those that are refused.

    Those of others are imported in another process first (trial.py).
    """
    by_id: dict[str, list[EntryPoint]] = {}
    for entry in entries:
        if _is_own(entry) or not is_on_trial():
            by_id.setdefault(entry.name, []).append(entry)
    alone = [one for (one, *others) in by_id.values() if not others and not _is_own(one)]
    harmful = tried(alone)
    found: dict[str, _Found] = {}
    refused: dict[str, GameUnusable] = {}
    for game_id, offered in sorted(by_id.items()):
        if game_id in harmful:
            refused[game_id] = GameUnusable(game_id, _distribution(offered[0]), harmful[game_id])
            continue
        try:
            found[game_id] = _read(game_id, offered)
        except GameUnusable as problem:
            refused[game_id] = problem
    return found, refused


def _read(game_id: str, offered: list[EntryPoint]) -> _Found:
    """Return the package of an entry point. Raises GameUnusable if there is none that this server can use."""
    own = [entry for entry in offered if _is_own(entry)]
    if len(offered) > 1 and not own:
        names = " and ".join(sorted(map(_distribution, offered)))
        raise GameUnusable(
            game_id, names, "both offer a game of this name, so one of them must be uninstalled"
        )
    entry = (own or offered)[0]
    try:
        with quiet():
            package = entry.load()
    except KeyboardInterrupt:  # a user's: a package that raises it was refused before
        raise
    except BaseException as problem:
        raise GameUnusable(
            game_id, _distribution(entry), f"{entry.value} cannot be loaded: {in_one_line(problem)}"
        ) from problem
    if not isinstance(package, GamePackage):
        raise GameUnusable(
            game_id, _distribution(entry), f"{entry.value} is {_kind(package)}, not a GamePackage"
        )
    if package.id != game_id:
        raise GameUnusable(
            game_id,
            _distribution(entry),
            f"its entry point is called {game_id}, and its package says {package.id}; the two must be the same",
        )
    why = package.incompatible()
    if why is not None:
        raise GameUnusable(game_id, _distribution(entry), why)
    return _Found(package, _distribution(entry))


def shadowed(entries: Iterable[EntryPoint]) -> tuple[GameUnusable, ...]:
    """Return the packages of others that are not used because we bring a game of the same id, in order of the ids."""
    offered = sorted(entries, key=lambda entry: (entry.name, _distribution(entry)))
    ours = {entry.name for entry in offered if _is_own(entry)}
    return tuple(
        GameUnusable(
            entry.name,
            _distribution(entry),
            f"{OWN} itself brings a game of this name, which is used; the other one needs another name",
        )
        for entry in offered
        if entry.name in ours and not _is_own(entry)
    )


def _is_own(entry: EntryPoint) -> bool:
    return entry.dist is not None and entry.dist.name == OWN


def _distribution(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else "an unnamed distribution"


def _kind(value: object) -> str:
    """Return what a value is, such as `an int`, for a reader who expects something else."""
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


_ENTRIES: Final = entry_points(group=ENTRY_POINTS)
_FOUND, _REFUSED = find(_ENTRIES)

GAMES: Final[Mapping[str, GamePackage]] = {game_id: found.package for game_id, found in _FOUND.items()}
"""The usable packages by the id of their game, in order of the ids."""
REFUSED: Final[Mapping[str, GameUnusable]] = _REFUSED
"""Why other packages are not used, by the name of their entry point."""
_STAND_INS: Final[dict[str, AnyGame]] = {}
SHADOWED: Final = shadowed(_ENTRIES)
"""Why packages that claim the id of a game of ours are not used."""


def distribution(game_id: str) -> str:
    """Return name and version of the distribution that brings a game, such as `foldtable 0.1.0`."""
    return _FOUND[game_id].distribution


def is_own(game_id: str) -> bool:
    """Return whether a game comes with Foldtable."""
    return distribution(game_id).partition(" ")[0] == OWN


def game(game_id: str, version: str | None = None) -> AnyGame:
    """Return a game by its id, under its newest rules or those of a version. Raises KeyError, which lists the known ones,
    and GameUnusable if its rules cannot be loaded.
    """
    return newest(game_id) if version is None else newest(game_id).by(version)


def versions(game_id: str) -> tuple[AnyRulesVersion, ...]:
    """Return every version of a game's rules, newest first. Raises as `game` does."""
    return newest(game_id).versions


def has(game_id: str, version: str) -> bool:
    """Return whether this game can be played under this version of its rules."""
    try:
        return game_id in GAMES and any(one.version == version for one in versions(game_id))
    except GameUnusable:
        return False


def newest(game_id: str) -> AnyGame:
    """Return a game under its newest rules. Raises as `game` does."""
    return _STAND_INS.get(game_id) or _loaded(game_id)


def stand_in(game: AnyGame) -> AnyGame:
    """Have a value used for its game in this process from now on, such as one whose functions are watched; return it."""
    _STAND_INS[game.id] = game
    return game


@cache
def _loaded(game_id: str) -> AnyGame:
    if game_id in REFUSED:
        raise REFUSED[game_id]
    if game_id not in GAMES:
        raise KeyError(f"no game {game_id!r}; there are: {', '.join(GAMES)}")
    found = part(game_id, "game")
    if not isinstance(found, Game):
        raise GameUnusable(
            game_id, distribution(game_id), f"{GAMES[game_id].game} is {_kind(found)}, not a Game"
        )
    if found.id != game_id:
        raise GameUnusable(game_id, distribution(game_id), f"its Game says that it is {found.id}")
    return found


def checks(game_id: str) -> Checks:
    """Return what a game says of itself for `foldtable check-game`. Raises GameUnusable if that cannot be loaded."""
    found = part(game_id, "checks") if GAMES[game_id].checks else Checks()
    if not isinstance(found, Checks):
        raise GameUnusable(
            game_id, distribution(game_id), f"{GAMES[game_id].checks} is {_kind(found)}, not a Checks"
        )
    return found


def part(game_id: str, name: str) -> Any:
    """Return an object that a package names in one of its fields. Raises GameUnusable if it cannot be loaded."""
    place = getattr(GAMES[game_id], name)
    module, _, attribute = place.partition(":")
    try:
        with quiet():
            return getattr(import_module(module), attribute)
    except KeyboardInterrupt:
        raise
    except BaseException as problem:  # whatever a package does must not harm the others
        raise GameUnusable(
            game_id, distribution(game_id), f"{place} cannot be loaded: {in_one_line(problem)}"
        ) from problem

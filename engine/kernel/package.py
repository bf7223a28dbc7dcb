"""What a game brings: where its parts are, and for which version of the interface it was written.

A game is a Python distribution with an entry point in the group `foldtable.games` that names a `GamePackage`. The registry
reads it without importing the rules, which are loaded when the game is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

ENTRY_POINTS: Final = "foldtable.games"
"""The group of entry points in which games name themselves."""
INTERFACE: Final = "1.1"
"""The version of the interface between games and the server: major, then minor. docs/build/versions.md says what changes which."""

_ID: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_INTERFACE: Final = re.compile(r"(\d{1,4})\.(\d{1,4})")
_CONTRACT: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*\.v[1-9][0-9]*")
_OBJECT: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_RESOURCE: Final = re.compile(r"[A-Za-z_][\w.]*:\w[\w-]*(?:[./]\w[\w-]*)*")


@dataclass(frozen=True, kw_only=True)
class GamePackage:
    """Where the parts of a game are. Objects are named `module:attribute`, files `package:path/in/it`."""

    id: str
    """The game's id in URLs: lower case letters, digits and `_`. It is also the name of the entry point."""
    interface: str
    """The version of the interface that the game was written for, such as "1.0"."""
    game: str
    """Its `Game`, under the newest rules: `ladders.game:GAME`."""
    contract: str
    """The protobuf package of its messages: `ladders.v1`."""
    descriptors: str
    """The file with the descriptors of that package, a `google.protobuf.FileDescriptorSet` with comments: `ladders:contract.binpb`."""
    action_space: str = ""
    """Its numbering of actions, (options, seats) -> ActionSpace; empty: it cannot be used in research environments."""
    features: str = ""
    """Its numbering of views, (options, seats) -> Features; empty: it cannot be used in research environments."""
    checks: str = ""
    """Its `Checks`, for `foldtable check-game`; empty: the default options are tried, and nothing is declared as conserved."""
    golden: str = ""
    """The folder of its stored matches, one subfolder for each version of its rules: `ladders:golden`; empty: it ships none."""

    def __post_init__(self) -> None:
        """Raises ValueError for a field that is not of its form."""
        wanted = (
            ("id", self.id, _ID, "such as ladders"),
            ("interface", self.interface, _INTERFACE, 'such as "1.0"'),
            ("game", self.game, _OBJECT, "such as ladders.game:GAME"),
            ("contract", self.contract, _CONTRACT, "such as ladders.v1"),
            ("descriptors", self.descriptors, _RESOURCE, "such as ladders:contract.binpb"),
            ("action_space", self.action_space, _OBJECT, "such as ladders.numbers:action_space, or empty"),
            ("features", self.features, _OBJECT, "such as ladders.numbers:features, or empty"),
            ("checks", self.checks, _OBJECT, "such as ladders.checks:CHECKS, or empty"),
            ("golden", self.golden, _RESOURCE, "such as ladders:golden, or empty"),
        )
        for name, value, form, example in wanted:
            optional = "or empty" in example
            if not (isinstance(value, str) and (form.fullmatch(value) or (optional and not value))):
                raise ValueError(f"`{name}` must be {example}; it is {value!r}")

    @property
    def python_package(self) -> str:
        """The Python package that contains the rules: `ladders`."""
        return self.game.partition(":")[0].rpartition(".")[0]

    def incompatible(self) -> str | None:
        """Return why this server cannot use the package, by the version of its interface; None if it can."""
        theirs, ours = _version(self.interface), _version(INTERFACE)
        if theirs[0] == ours[0] and theirs[1] <= ours[1]:
            return None
        newer = theirs > ours
        wanted = (
            "a newer Foldtable, or an older version of the game" if newer else "a newer version of the game"
        )
        return (
            f"it was written for version {self.interface} of the interface, and this server has {INTERFACE}: "
            f"install {wanted}"
        )


@dataclass(frozen=True, kw_only=True)
class Checks:
    """What a game says of itself for `foldtable check-game`."""

    options: tuple[Any, ...] = ()
    """The options to try: one value for each that changes what happens, what is shown or what is on the table. Empty: the defaults."""
    conserved: Callable[[Any], Any] | None = None
    """(state) -> what is the same in every state of a match, such as the count of every kind of piece wherever it is."""


def _version(interface: str) -> tuple[int, int]:
    major, _, minor = interface.partition(".")
    return int(major), int(minor)

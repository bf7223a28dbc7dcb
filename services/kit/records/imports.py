"""Check what the Python files of a game import and call: the interface, msgspec and pure parts of the standard library."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from services.kit.records.found import Found, check
from services.kit.records.sources import Source, sources
from services.kit.subject import Subject

INTERFACE: Final = "engine.interface"
"""All that a game may import of Foldtable."""
OURS: Final = "engine."
"""Packages of the games that come with Foldtable, which name the modules behind the interface."""
LIBRARIES: Final = frozenset({"msgspec"})
"""What rules may use beside the standard library."""

NOT_IN_THE_RULES: Final[Mapping[str, str]] = {
    "random": "luck comes through Chance",
    "secrets": "luck comes through Chance",
    "uuid": "ids come from outside",
    "time": "the rules know no clock",
    "datetime": "the rules know no clock",
    "os": "no environment, no files",
    "pathlib": "no files",
    "io": "no files",
    "tempfile": "no files",
    "shutil": "no files",
    "sqlite3": "no files",
    "socket": "no network",
    "ssl": "no network",
    "http": "no network",
    "urllib": "no network",
    "logging": "events say what happened",
    "asyncio": "pure functions wait for nothing",
    "threading": "pure functions share nothing",
    "concurrent": "pure functions share nothing",
    "multiprocessing": "pure functions share nothing",
    "subprocess": "pure functions start nothing",
    "ctypes": "pure functions leave memory alone",
    "pickle": "stored data names no class",
}
"""Modules of the standard library that rules do without, and why."""
NOT_IN_A_GAME: Final[Mapping[str, str]] = {
    **NOT_IN_THE_RULES,
    "importlib": "what a game consists of is written in its imports",
    "builtins": "what a game calls is written in its files",
}
"""The same for the files of one game; the engine itself finds games by their names."""
NOT_CALLED: Final = frozenset({"open", "print", "input", "eval", "exec", "compile", "__import__"})
"""Functions that rules do without: they read, print or run what is not written in the rules."""


def look(subject: Subject, found: Found) -> None:
    """Read every file below the package's Python package; nothing is imported."""
    package = subject.package.python_package
    for source in sources(package):
        found.looked("files")
        for line, name in imported(source):
            found.here = f"{source.name}:{line}"
            found.looked("imports")
            if why := unwelcome(package, name):
                found.add(
                    f"it imports {name}: {why}",
                    f"import from {INTERFACE} what the rules need, and nothing else",
                )
        for line, called in calls(source):
            found.here = f"{source.name}:{line}"
            found.add(
                f"it calls {called}()",
                "take what the function needs as an argument, and return what it finds",
            )
    found.here = ""


def imported(source: Source) -> Iterator[tuple[int, str]]:
    """Yield line and full name of everything that a file imports: `module` or `module.name`."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(source, node)
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}".removeprefix(".")


def _absolute(source: Source, node: ast.ImportFrom) -> str:
    """Return the full name of the module of a `from … import`."""
    if node.level == 0:
        return node.module or ""
    above = node.level - 1 if source.is_package else node.level
    folder = source.module.split(".")
    base = folder[: len(folder) - above]
    return ".".join((*base, node.module)) if node.module else ".".join(base)


def calls(source: Source) -> Iterator[tuple[int, str]]:
    """Yield line and name of every call of a function that rules do without."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NOT_CALLED:
            yield node.lineno, node.func.id


def unwelcome(package: str, name: str) -> str:
    """Return why a game in a package may not import a name; empty if it may."""
    top = name.split(".", maxsplit=1)[0]
    if name == package or name.startswith(f"{package}."):
        return ""
    if top in NOT_IN_A_GAME:
        return NOT_IN_A_GAME[top]
    if top in sys.stdlib_module_names or top in LIBRARIES:
        return ""
    if package.startswith(OURS) and name.rpartition(".")[0] != INTERFACE:
        return "" if name in offered().values() else "the interface does not offer it"
    return _of_interface(name)


def _of_interface(name: str) -> str:
    if name == INTERFACE:
        return ""
    module, _, attribute = name.rpartition(".")
    if module != INTERFACE:
        return f"a game imports the standard library, msgspec, {INTERFACE} and itself"
    return "" if attribute in offered() else f"{INTERFACE} does not offer it"


@cache
def offered() -> Mapping[str, str]:
    """Return what the interface offers: each name, with the full name of what is behind it."""
    spec = find_spec(INTERFACE)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"there is no module {INTERFACE}")
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        for alias in node.names
    }


IMPORTS: Final = check(
    "imports",
    f"rules import only {INTERFACE}, msgspec; no clock, no file",
    look,
)

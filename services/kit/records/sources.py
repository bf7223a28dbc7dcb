"""The Python files of a game, read as syntax trees: nothing is imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path


@dataclass(frozen=True)
class Source:
    """One Python file of a game."""

    module: str
    """The name under which it is imported."""
    path: Path
    name: str
    """Its path from the game's folder, for reports."""
    is_package: bool
    """Whether it is the `__init__.py` of a folder."""
    tree: ast.Module


def sources(package: str) -> Iterator[Source]:
    """Yield every file of a Python package and of the packages in it. Raises ModuleNotFoundError if there is no such package."""
    spec = find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"there is no Python package {package}")
    for folder in map(Path, spec.submodule_search_locations):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            inner = parts[:-1] if is_package else parts
            yield Source(
                module=".".join((package, *inner)),
                path=path,
                name=str(path.relative_to(folder)),
                is_package=is_package,
                tree=ast.parse(path.read_text(encoding="utf-8"), str(path)),
            )


@dataclass(frozen=True)
class Raised:
    """A place that makes a refusal with a code that is written out: `RuleViolation(Code.NAME, rule=…, fact=…)`."""

    where: str
    code: str
    rule: str | None
    """The paragraph, if it is written out."""
    facts: frozenset[str]
    whole: bool
    """Whether these are all facts; false if some are passed as a mapping."""


def refusals(package: str) -> Iterator[Raised]:
    """Yield every place in a package that makes a refusal with a code that is written out."""
    for source in sources(package):
        for node in ast.walk(source.tree):
            match node:
                case ast.Call(func=ast.Name(id="RuleViolation"), args=[ast.Attribute(attr=code), *_]):
                    words = {word.arg: word.value for word in node.keywords}
                    rule = words.get("rule")
                    yield Raised(
                        where=f"{source.name}:{node.lineno}",
                        code=code,
                        rule=rule.value
                        if isinstance(rule, ast.Constant) and isinstance(rule.value, str)
                        else None,
                        facts=frozenset(name for name in words if name is not None) - {"rule", "field"},
                        whole=None not in words,
                    )

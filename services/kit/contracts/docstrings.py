"""What the types of a game say of themselves: the docstrings of classes, and the texts below their fields and members."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from functools import cache
from pathlib import Path


def said_of_class(cls: type) -> str:
    """Return the docstring of a class on one line; empty if it has none of its own."""
    return " ".join((cls.__dict__.get("__doc__") or "").split())


def said_of_members(cls: type) -> Mapping[str, str]:
    """Return the text below each field of a struct or member of an enum, on one line; inherited ones are among them."""
    found: dict[str, str] = {}
    for one in reversed(cls.__mro__):
        found |= _in_source(one)
    return found


def _in_source(cls: type) -> Mapping[str, str]:
    try:
        file = inspect.getsourcefile(cls)
    except TypeError:  # a class of the interpreter or of an extension module
        return {}
    return _in_file(Path(file)).get(cls.__qualname__, {}) if file is not None else {}


@cache
def _in_file(file: Path) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of every class at the top of a module. It is a file of Python: who imported it could read it."""
    module = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name: dict(_below(node)) for node in module.body if isinstance(node, ast.ClassDef)}


def _below(node: ast.ClassDef) -> list[tuple[str, str]]:
    """Return each field or member with the text that follows it."""
    found = []
    for one, after in zip(node.body, node.body[1:], strict=False):
        targets = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
        if not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)):
            continue
        found += [
            (target.id, " ".join(str(after.value.value).split()))
            for target in targets
            if isinstance(target, ast.Name)
        ]
    return found

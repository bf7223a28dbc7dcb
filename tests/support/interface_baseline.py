"""Writes what `engine.interface` offers to games: `python -m tests.support.interface_baseline`.

Each name with its kind; types with fields and methods, functions with their signatures. Docstrings are no promise.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from enum import Enum
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import msgspec

from engine import interface
from engine.kernel.package import INTERFACE

STORED: Final = Path(__file__).parents[2] / "docs" / "api" / "interface.json"
_MODULES: Final = re.compile(r"\bengine(?:\.[a-z_]+)*\.")


def offered() -> dict[str, Any]:
    """Return the version of the interface, and each of its names."""
    return {
        "version": INTERFACE,
        "names": {name: described(getattr(interface, name)) for name in sorted(interface.__all__)},
    }


def described(value: Any) -> dict[str, Any]:
    """Return what a game can rely on of a name."""
    if isinstance(value, type):
        return _class(value)
    if isinstance(value, FunctionType):
        return {"kind": "function", "signature": _signature(value)}
    if type(value) in {str, int, tuple, float} or isinstance(value, msgspec.Struct | Enum):
        return {"kind": "value", "type": type(value).__name__, "value": repr(value)}
    if dataclasses.is_dataclass(value):
        return {"kind": "value", "type": type(value).__name__}
    return {"kind": "type", "value": _written(inspect.formatannotation(value))}


def _class(kind: type) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": "class", "bases": [base.__name__ for base in kind.__bases__]}
    if fields := _fields(kind):
        told["fields"] = fields
    if issubclass(kind, Enum):
        told["members"] = {member.name: member.value for member in kind}
    elif not dataclasses.is_dataclass(kind) and isinstance(kind.__init__, FunctionType):
        told["signature"] = _signature(kind.__init__)
    if methods := _methods(kind):
        told["methods"] = methods
    return told


def _fields(kind: type) -> dict[str, str]:
    """Return the fields of a data type, with types and defaults as they are written."""
    if dataclasses.is_dataclass(kind):
        return {
            field.name: _field(field.type, field.default, field.default_factory, dataclasses.MISSING)
            for field in dataclasses.fields(kind)
        }
    if issubclass(kind, msgspec.Struct):
        return {
            field.name: _field(field.type, field.default, field.default_factory, msgspec.NODEFAULT)
            for field in msgspec.structs.fields(kind)
        }
    return {}


def _field(annotation: Any, default: Any, factory: Any, nothing: Any) -> str:
    written = _written(annotation if isinstance(annotation, str) else inspect.formatannotation(annotation))
    if default is not nothing:
        return f"{written} = {_named(default)}"
    return written if factory is nothing else f"{written} = {_named(factory)}()"


def _named(value: Any) -> str:
    return value.__name__ if callable(value) else repr(value)


def _methods(kind: type) -> dict[str, str]:
    """Return the methods and properties of a class that games may use."""
    told = {}
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(member, FunctionType):
            told[name] = _signature(member)
        elif isinstance(member, property):
            told[name] = "property"
        elif hasattr(member, "func") and isinstance(member.func, FunctionType):
            told[name] = "cached property"
    return dict(sorted(told.items()))


def _signature(function: Any) -> str:
    return _written(str(inspect.signature(function)))


def _written(text: str) -> str:
    """Return a type or a signature without the modules behind the interface, which may move."""
    if " at 0x" in text:
        raise ValueError(f"an address differs from run to run: {text}")
    return _MODULES.sub("", text)


def complaint(stored: dict[str, Any], now: dict[str, Any]) -> str:
    """Return what must be done because the interface is not what was stored; empty if it is."""
    if stored == now:
        return ""
    was, is_ = _flat(stored["names"]), _flat(now["names"])
    broken = sorted(name for name, value in was.items() if is_.get(name) != value and name != _VERSION)
    added = sorted(is_.keys() - was.keys())
    store = "store it with `python -m tests.support.interface_baseline`"
    if broken:
        return f"removed or changed: {', '.join(broken)}; raise the major version of INTERFACE, and {store}"
    if added:
        return f"added: {', '.join(added)}; raise the minor version of INTERFACE, and {store}"
    return f"the version is {now['version']}, and was {stored['version']}: {store}"


_VERSION: Final = "INTERFACE.value"


def _flat(names: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Return every value of nested mappings by its path, such as `Box.fields.width`."""
    flat: dict[str, Any] = {}
    for name, value in names.items():
        path = f"{before}{name}"
        flat |= _flat(value, f"{path}.") if isinstance(value, dict) and value else {path: value}
    return flat


def main() -> None:
    """Write the file."""
    STORED.write_text(json.dumps(offered(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

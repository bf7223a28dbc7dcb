"""JSON Schemas of the OpenAPI document as types of Python: what the document calls a component becomes a TypedDict or an alias."""

from __future__ import annotations

import keyword
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, Final

Schema = dict[str, Any]
Naming = Callable[[str], str]
"""Gives the Python name of a component."""

_SIMPLE: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_WIDTH: Final = 110
_TYPING: Final = ("Any", "Literal", "NotRequired", "TypedDict", "TypeGuard", "overload")


def module(
    said: str, components: Mapping[str, Schema], naming: Naming, *, imports: str = "", more: str = ""
) -> str:
    """Return a module with a type for each component, then `more`. `said`: its docstring; `imports`: of our own modules."""
    classes = [name for name in sorted(components) if "properties" in components[name]]
    aliases = _ordered({name: schema for name, schema in components.items() if name not in classes})
    written = [_class(naming(name), components[name], naming) for name in classes]
    written += [_alias(naming(name), components[name], naming) for name in aliases]
    body = "\n\n".join([*written, more])
    used = [name for name in _TYPING if re.search(rf"\b{name}\b", body)]
    typing = f"from typing import {', '.join(used)}\n" if used else ""
    return f'"""{said}"""\n\nfrom __future__ import annotations\n\n{typing}\n{imports}\n{body}'


def references(schema: Any) -> list[str]:
    """Return the names of the components that a schema refers to."""
    if isinstance(schema, list):
        return [name for part in schema for name in references(part)]
    if not isinstance(schema, dict):
        return []
    here = [schema["$ref"].rpartition("/")[2]] if "$ref" in schema else []
    parts = (part for key, part in schema.items() if key not in {"discriminator", "examples", "example"})
    return here + [name for part in parts for name in references(part)]


def joined(name: str) -> str:
    """Return the name of a component as one word: `MatchCommand.answer_undo` is MatchCommandAnswerUndo."""
    first, *rest = re.split(r"[._]", name)
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def formatted(source: str, path: Path) -> str:
    """Return source as the formatter leaves it."""
    ruff = Path(sys.executable).with_name("ruff")
    done = subprocess.run(
        [ruff, "format", "--stdin-filename", path, "-"],
        input=source,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def _ordered(aliases: Mapping[str, Schema]) -> Iterable[str]:
    """Return the names of aliases, each after those that it is made of: unlike annotations, they are evaluated."""
    sorter = TopologicalSorter[str]()
    for name in sorted(aliases):
        sorter.add(name, *(used for used in references(aliases[name]) if used in aliases))
    return sorter.static_order()


def _alias(name: str, schema: Schema, naming: Naming) -> str:
    said = _text(schema["description"], "") if schema.get("description") else ""
    return f"{name} = {_type(schema, naming)}\n{said}"


def _class(name: str, schema: Schema, naming: Naming) -> str:
    return "".join(_lines(name, schema, naming))


def _lines(name: str, schema: Schema, naming: Naming) -> Iterator[str]:
    yield f"class {name}(TypedDict):\n"
    yield _text(schema.get("description") or f"{name}.")
    required = set(schema.get("required", ()))
    for position, (field, its) in enumerate(schema["properties"].items()):
        if keyword.iskeyword(field):
            raise ValueError(f"{name}.{field} cannot be written as an attribute")
        kind = _type(its, naming)
        yield "" if position else "\n"
        yield f"    {field}: {kind}\n" if field in required else f"    {field}: NotRequired[{kind}]\n"
        if its.get("description"):
            yield _text(its["description"])


def _text(said: str, indent: str = "    ") -> str:
    lines = textwrap.wrap(" ".join(said.split()), _WIDTH - 10) or [""]
    quoted = [line.replace("\\", "\\\\") for line in lines]
    if len(quoted) == 1:
        return f'{indent}"""{quoted[0]}"""\n'
    rest = "".join(f"{indent}{line}\n" for line in quoted[1:])
    return f'{indent}"""{quoted[0]}\n{rest}{indent}"""\n'


def _type(schema: Schema, naming: Naming) -> str:
    """Return the Python type of a schema."""
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(_type(part, naming) for part in schema[union]))
    if "$ref" in schema:
        return naming(str(schema["$ref"]).rpartition("/")[2])
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return f"Literal[{', '.join(_literal(value) for value in values)}]"
    match schema.get("type"):
        case "array":
            return f"list[{_type(schema.get('items', {}), naming)}]"
        case "object":
            inner = schema.get("additionalProperties")
            return f"dict[str, {_type(inner, naming) if isinstance(inner, dict) else 'Any'}]"
        case str(name):
            return _SIMPLE[name]
        case list(names):
            return " | ".join(_SIMPLE[name] for name in names)
    return "Any"


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)

"""Write .proto files: what the types ask for, with the numbers and in the order of the contract as it stands."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Final

from services.kit.contracts.standing import Standing, StandingType
from services.kit.contracts.wanted import COMPONENTS, FILES, SHARED, WantedField, WantedType

WIDTH: Final = 118
"""Columns of a line."""
GENERATED: Final = (
    "Generated from the game's Python types, which say what is here; the numbers stay as they are."
)
"""The last line of what a file says of itself."""


def files_of(title: str, package: str, wanted: Iterable[WantedType], standing: Standing) -> Mapping[str, str]:
    """Return the text of every file of a contract by its name, such as `ladders/v1/events.proto`."""
    types = {one.name: one for one in wanted}
    homes = _homes(package, types, standing)
    headers = {one.name: one.comment for one in standing.files}
    return {
        file: _file(
            file,
            headers.get(file, f" {title}: {_noun(file)}."),
            package,
            [types[one] for one in names],
            homes,
            standing,
        )
        for file, names in _order(homes, standing, types).items()
    }


def _noun(file: str) -> str:
    return file.rpartition("/")[2].removesuffix(".proto")


def _homes(package: str, types: Mapping[str, WantedType], standing: Standing) -> dict[str, str]:
    """Return the file of every type: where it stands, or for a new one that of its root."""
    homes = {name: file.name for file in standing.files for name in file.types if name in types}
    folder = package.replace(".", "/")
    for one in types.values():
        if one.name not in homes:
            used_by = {
                other.root for other in types.values() if any(each.kind == one.name for each in other.fields)
            }
            shared = bool(used_by - {one.root})
            homes[one.name] = f"{folder}/{COMPONENTS if shared else FILES[one.root]}.proto"
    return homes


def _order(
    homes: Mapping[str, str], standing: Standing, types: Mapping[str, WantedType]
) -> dict[str, list[str]]:
    """Return the types of every file: those that stand there in their order, then new ones."""
    ordered: dict[str, list[str]] = {
        file.name: [one for one in file.types if one in types] for file in standing.files
    }
    for name in types:
        names = ordered.setdefault(homes[name], [])
        if name not in names:
            names.append(name)
    return {file: names for file, names in ordered.items() if names}


def _file(
    file: str,
    header: str,
    package: str,
    types: list[WantedType],
    homes: Mapping[str, str],
    standing: Standing,
) -> str:
    said = [line for line in header.split("\n") if line.strip() != GENERATED]
    while said and not said[-1].strip():
        said.pop()
    parts = [
        "\n".join(f"//{line}".rstrip() for line in (*said, "", f" {GENERATED}")) + '\nsyntax = "proto3";',
        f"package {package};",
    ]
    imports = _imports(file, types, homes)
    if imports:
        parts.append("\n".join(f'import "{one}";' for one in imports))
    parts += [_type(one, standing.types.get(one.name)) for one in types]
    return "\n\n".join(parts) + "\n"


def _imports(file: str, types: list[WantedType], homes: Mapping[str, str]) -> list[str]:
    shared = dict(SHARED.values())
    kinds = {field.kind for one in types for field in one.fields}
    needed = {homes[kind] for kind in kinds if kind in homes} | {
        shared[kind] for kind in kinds if kind in shared
    }
    own = file.rpartition("/")[0]
    return sorted(needed - {file}, key=lambda one: (one.rpartition("/")[0] != own, one))


def _type(one: WantedType, stands: StandingType | None) -> str:
    numbers = _numbers(one, stands)
    ordered = sorted(one.fields, key=lambda field: numbers[field.name])
    lines = [*_comment(one.comment, ""), f"{'enum' if one.is_enum else 'message'} {one.name} {{"]
    if not ordered and not _reserved(one, stands):
        lines[-1] += "}"
        return "\n".join(lines)
    lines += _reserved(one, stands)
    if one.oneof:
        lines += [*_comment(one.oneof_comment, "  "), f"  oneof {one.oneof} {{"]
    indent = "    " if one.oneof else "  "
    for field in ordered:
        lines += [*_comment(field.comment, indent), f"{indent}{_declared(field)} = {numbers[field.name]};"]
    return "\n".join([*lines, *(["  }"] if one.oneof else []), "}"])


def _declared(field: WantedField) -> str:
    return f"{field.label}{field.kind} {field.name}" if field.kind else field.name


def _numbers(one: WantedType, stands: StandingType | None) -> dict[str, int]:
    """Return the number of every field: a new one gets the next that was never used."""
    known = {name: field.number for name, field in stands.fields.items()} if stands else {}
    used = [*known.values(), *(stands.reserved_numbers if stands else ())]
    following = max(used, default=-1 if one.is_enum else 0) + 1
    numbers = {}
    for field in one.fields:
        if field.name in known:
            numbers[field.name] = known[field.name]
        else:
            numbers[field.name] = following
            following += 1
    return numbers


def _reserved(one: WantedType, stands: StandingType | None) -> list[str]:
    """Return the lines that keep what is gone from being used again."""
    if stands is None:
        return []
    names = {field.name for field in one.fields}
    gone = [field for name, field in stands.fields.items() if name not in names]
    numbers = sorted({*stands.reserved_numbers, *(field.number for field in gone)})
    words = sorted({*stands.reserved_names, *(field.name for field in gone)} - names)
    lines = [f"  reserved {', '.join(map(str, numbers))};"] if numbers else []
    quoted = ", ".join(f'"{word}"' for word in words)
    return [*lines, *([f"  reserved {quoted};"] if words else [])]


def _comment(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"{indent}// ",
        subsequent_indent=f"{indent}// ",
        break_long_words=False,
        break_on_hyphens=False,
    )

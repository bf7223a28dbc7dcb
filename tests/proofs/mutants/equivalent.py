"""The mutants that change nothing anybody could notice, each with the reason: equivalent.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.proofs.mutants.mutants import mutants_of, mutation

FILE: Final = Path(__file__).with_name("equivalent.toml")


def equivalent(file: Path = FILE) -> dict[str, str]:
    """Return the reason of each, by the name of the mutation. Raises ValueError for one without a reason, or named twice."""
    found: dict[str, str] = {}
    for row in tomllib.loads(file.read_text()).get("equivalent", []):
        if set(row) != {"mutant", "reason"} or not row["reason"].strip() or row["mutant"] in found:
            raise ValueError(f"{file.name}: each has a mutant and a reason, and is named once: {row}")
        found[row["mutant"]] = row["reason"]
    return found


def stale(known: Mapping[str, str], root: Path) -> list[str]:
    """Return the names to which no mutant of today's sources answers."""
    return [name for name in known if not _is_of_today(name, root)]


def _is_of_today(name: str, root: Path) -> bool:
    path = name.partition("::")[0]
    if not (root / path).is_file():
        return False
    source = (root / path).read_text()
    lines = [" ".join(line.split()) for line in source.splitlines()]
    return any(
        mutation(one, source).name == name
        for one in mutants_of(path, source)
        if lines[one.line - 1] in name  # to make all of them takes long
    )

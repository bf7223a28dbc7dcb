"""Which mutants are looked at: a seeded sample of an area, of all areas, or of the lines of a branch."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.proofs.mutants import mutants, operators, untouched
from tests.proofs.mutants.areas import Area, sources_of
from tests.proofs.mutants.mutants import Mutant, Mutation, digest, mutants_of, mutation


def every_place(
    areas: Iterable[Area], root: Path, remembered: Path, done: Callable[[], None]
) -> Iterator[Mutant]:
    """Give every place of some areas where the product can be broken; what was found in a module is kept in a folder.

    `done` is called after each module: to go through all of them takes minutes.
    """
    for path in dict.fromkeys(name for area in areas for name in sources_of(area, root)):
        source = (root / path).read_text()
        yield from _places(path, source, remembered)
        done()


def _places(path: str, source: str, remembered: Path) -> list[Mutant]:
    hashed = digest(source)
    state = f"{hashed} {_rules()}"
    kept = remembered / f"{path.replace('/', '.')}.json"
    if kept.exists():
        known = json.loads(kept.read_text())
        if known["state"] == state:
            return [Mutant(path, *row, hashed) for row in known["places"]]
    found = mutants_of(path, source)
    rows = [[one.operator, one.occurrence, one.line, one.last_line] for one in found]
    remembered.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"state": state, "places": rows}))
    return found


@cache
def _rules() -> str:
    """Return what tells whether other places would be found today."""
    return digest("".join(Path(one.__file__).read_text() for one in (operators, untouched, mutants)))


def drawn(
    places: Iterable[Mutant], number: int | None, seed: str, root: Path, equivalent: Mapping[str, str]
) -> tuple[list[Mutation], int]:
    """Return a sample without those that are no Python or known to be equivalent, and how many of the latter were passed over.

    A larger sample with the same seed holds the smaller one. `number`: None takes all.
    """
    chosen: list[Mutation] = []
    passed_over = 0
    for mutant in sorted(places, key=lambda one: one.luck(seed)):
        if number is not None and len(chosen) == number:
            break
        made = mutation(mutant, (root / mutant.path).read_text())
        if not made.compiles:
            continue
        if made.name in equivalent:
            passed_over += 1
            continue
        chosen.append(made)
    return sorted(chosen, key=lambda one: (one.mutant.path, one.mutant.line, one.mutant.id)), passed_over


def changed_lines(root: Path, against: str) -> dict[str, set[int]]:
    """Return the lines of each file that are not those of the last commit shared with a branch, uncommitted ones too."""
    base = _git(root, "merge-base", against, "HEAD").strip()
    lines: dict[str, set[int]] = {}
    path = ""
    for line in _git(root, "diff", "--unified=0", "--no-color", "--no-ext-diff", base).splitlines():
        if line.startswith("+++ "):
            path = line.removeprefix("+++ b/")
        elif found := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first = int(found[1])
            lines.setdefault(path, set()).update(range(first, first + int(found[2] or 1)))
    return lines


def on_lines(places: Iterable[Mutant], lines: Mapping[str, set[int]]) -> list[Mutant]:
    """Return the mutants that change some of these lines."""
    return [
        one for one in places if not lines.get(one.path, set()).isdisjoint(range(one.line, one.last_line + 1))
    ]


def _git(root: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=root, capture_output=True, text=True, check=True, timeout=60
    ).stdout

"""What became of the mutants: a table by area, the survivors, and whether enough were noticed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rich.table import Table

from tests.proofs.mutants.ledger import Entry, Fate

LEAST_OF_ALL: Final = 0.95
LEAST_OF_AN_AREA: Final = 0.90


def share(entries: Sequence[Entry]) -> float:
    """Return which part of some mutants was noticed; 1 of none."""
    return sum(one.fate.is_noticed for one in entries) / len(entries) if entries else 1.0


def by_area(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Return them by area, in the order in which the areas come first."""
    areas: dict[str, list[Entry]] = {}
    for one in entries:
        areas.setdefault(one.area, []).append(one)
    return areas


def too_few(entries: Sequence[Entry]) -> list[str]:
    """Return what is below its bound."""
    parts = {"all": (entries, LEAST_OF_ALL)}
    parts |= {area: (of_it, LEAST_OF_AN_AREA) for area, of_it in by_area(entries).items()}
    return [
        f"{name}: {share(of_it):.1%} noticed, and {least:.0%} are asked for"
        for name, (of_it, least) in parts.items()
        if share(of_it) < least
    ]


def table(entries: Sequence[Entry]) -> Table:
    """Show an area in each line."""
    shown = Table(title="Mutants")
    shown.add_column("area")
    for name in ("mutants", *Fate, "noticed"):
        shown.add_column(name, justify="right")
    for area, of_it in [*by_area(entries).items(), ("all", list(entries))]:
        fates = Counter(one.fate for one in of_it)
        shown.add_row(area, str(len(of_it)), *(str(fates[fate]) for fate in Fate), f"{share(of_it):.1%}")
    return shown


def survivors(entries: Sequence[Entry]) -> list[str]:
    """Say of each mutant that nobody noticed where it is, and what was changed."""
    return [_said(one) for one in entries if not one.fate.is_noticed]


def _said(one: Entry) -> str:
    path, _, rest = one.name.partition("::")
    scope, _, change = rest.partition(": ")
    if one.fate is Fate.UNCOVERED:
        tests = "no test gets there"
    else:
        more = f", and {one.left_out} more get there" if one.left_out else ""
        tests = f"{one.tests} tests pass{more}"
    return f"{path}:{one.line} ({scope}) {change}  [{tests}]"

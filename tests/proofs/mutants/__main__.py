"""`make prove P=mutants`: make small mistakes in the product, one at a time, and run the tests that should notice.

A mutant is a module with one small mistake, such as `<` for `<=`. The tests that get to it are known from a recording of
what each test runs, which is made first, a module of tests at a time, and kept under build/mutants. A mutant that is finished
is not tried again: a run that was ended goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.proofs.mutants import report
from tests.proofs.mutants.areas import AREAS, ROOT, Area, named, sources_of
from tests.proofs.mutants.choosing import MAX_SECONDS
from tests.proofs.mutants.coverage_map import CoverageMap
from tests.proofs.mutants.equivalent import equivalent, stale
from tests.proofs.mutants.ledger import Entry, Ledger
from tests.proofs.mutants.mutants import Mutant, Mutation
from tests.proofs.mutants.sampling import changed_lines, drawn, every_place, on_lines
from tests.proofs.mutants.trying import Trial, copies_of_the_sources, tests_hash

FOLDER: Final = ROOT / "build" / "mutants"
SAMPLE: Final = 100
SEED: Final = "1"
Sample = Mapping[Area, Sequence[Mutation]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 1 if too few were noticed, or if an equivalent mutant is none of today's."""
    given = _arguments(arguments)
    known = equivalent()
    if old := stale(known, ROOT):
        sys.stderr.write("equivalent.toml names what is no mutant any more:\n" + "\n".join(old) + "\n")
        return 1
    areas = [named(name) for name in given.area] or list(AREAS)
    with copies_of_the_sources(1 + given.jobs) as (root, *copies):  # nobody changes them meanwhile
        sample, passed_over = _sample(areas, given, known, root)
        if not given.changed and not any(sample.values()):
            sys.exit("nothing can be mutated there")
        entries = _try(sample, given, root, copies)
    console = Console()
    console.print(report.table(entries))
    for line in report.survivors(entries):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    console.print(f"seed {given.seed}; {passed_over} equivalent mutants were passed over")
    low = report.too_few(entries) if given.demand else []
    for line in low:
        console.print(line, markup=False)
    return 1 if low else 0


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.proofs.mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--area", action="append", default=[], choices=[area.name for area in AREAS], help="may be repeated"
    )
    parser.add_argument("--sample", type=_from_one, help=f"how many mutants ({SAMPLE}; of a branch all)")
    parser.add_argument("--full", action="store_true", help="every mutant; days")
    parser.add_argument("--seed", default=SEED, help="which mutants: a larger sample holds the smaller one")
    parser.add_argument("--changed", action="store_true", help="only lines that differ from the main branch")
    parser.add_argument("--against", default="main", help="the branch that --changed compares with")
    parser.add_argument("--only", default="", help="only modules whose path begins like this")
    parser.add_argument(
        "--tests", action="append", default=[], help="only tests whose path begins like this; may be repeated"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=MAX_SECONDS,
        help="how long the tests of one mutant may take (%(default)s)",
    )
    parser.add_argument("--jobs", type=_from_one, default=1, help="how many copies are tried at once")
    parser.add_argument(
        "--demand", action="store_true", help="fail if fewer than 95 %%, of an area 90 %%, are noticed"
    )
    given = parser.parse_args(arguments)
    if given.sample is None and not (given.changed or given.full):
        given.sample = SAMPLE
    return given


def _from_one(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 on")
    return int(text)


def _sample(
    areas: Sequence[Area], given: argparse.Namespace, known: Mapping[str, str], root: Path
) -> tuple[Sample, int]:
    """Return the mutants that were asked for, by area, and how many equivalent ones were passed over."""
    area_of: dict[str, Area] = {}
    places: list[Mutant] = []
    with _bar() as progress:
        reading = progress.add_task(
            "reading modules", total=sum(len(sources_of(area, root)) for area in areas)
        )
        for area in areas:
            of_area = list(every_place([area], root, FOLDER / "places", lambda: progress.advance(reading)))
            places += [one for one in of_area if one.path.startswith(given.only)]
            area_of |= {one.path: area for one in of_area}
    if given.changed:
        places = on_lines(places, changed_lines(ROOT, given.against))
    sample, passed_over = drawn(places, given.sample, given.seed, root, known)
    return {area: [one for one in sample if area_of[one.mutant.path] is area] for area in areas}, passed_over


def _try(sample: Sample, given: argparse.Namespace, root: Path, copies: Sequence[Path]) -> list[Entry]:
    """Try what no earlier run has finished; return what became of all."""
    ledger = Ledger(FOLDER / "ledger.jsonl", tests_hash(root, given.tests))
    with _bar() as progress:
        trial = Trial(
            root,
            CoverageMap(FOLDER / "map", root),
            ledger,
            copies,
            tuple(given.tests) or ("",),
            given.seconds,
        )
        for area, of_area in sample.items():
            if left := trial.unfinished(of_area):
                modules = trial.outdated(area)
                recording = progress.add_task(f"{area.name}: recording tests", total=len(modules))
                trial.record(modules, lambda task=recording: progress.advance(task))
                trying = progress.add_task(f"{area.name}: trying mutants", total=len(left))
                trial.attempt(area, left, lambda task=trying: progress.advance(task))
    return ledger.entries(one.mutant.id for of_area in sample.values() for one in of_area)


def _bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


if __name__ == "__main__":
    sys.exit(main())

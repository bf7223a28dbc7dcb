"""Breaking a copy of the sources and running tests there."""

from __future__ import annotations

import itertools
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.proofs.mutants.choosing import Choice
from tests.proofs.mutants.ledger import Fate
from tests.proofs.mutants.mutants import Mutation
from tests.proofs.promises.checkout import TOO_LONG, run_tests

LEAST_SECONDS: Final = 60.0
TIMES: Final = 4
"""The tests may take this many times as long as when they were recorded, and LEAST_SECONDS for pytest and Postgres to start."""
NOTHING_RUN: Final = 5
"""pytest's exit code where no test was found."""
_times = itertools.count(int(time.time()))


class Tried(NamedTuple):
    """What the tests made of a mutant."""

    fate: Fate
    seconds: float
    noticed_by: str


@contextmanager
def broken(mutation: Mutation, copy: Path) -> Iterator[None]:
    """Put a mutant into a copy of the sources, and mend it afterwards."""
    path = copy / mutation.mutant.path
    _write(path, mutation.after)
    try:
        yield
    finally:
        _write(path, mutation.before)


def _write(path: Path, text: str) -> None:
    """Each time with another second: Python takes a compiled module for today's if second and size are the same."""
    path.write_text(text)
    second = next(_times)
    os.utime(path, (second, second))


def tried(mutation: Mutation, choice: Choice, copy: Path) -> Tried:
    """Run the chosen tests against a mutant, until one fails. Raises RuntimeError if pytest found none of them."""
    if not choice.tests:
        return Tried(Fate.UNCOVERED, 0.0, "")
    with broken(mutation, copy):
        return _run(choice.tests, LEAST_SECONDS + TIMES * choice.seconds, copy)


def _run(tests: Sequence[str], seconds: float, copy: Path) -> Tried:
    named = copy.parent / f"{copy.name}-tests.txt"
    named.write_text("".join(f"{test}\n" for test in tests))
    outcome = run_tests(
        copy, "-x", "--tb=no", "-p", "tests.proofs.mutants.quickest_first", f"@{named}", seconds=seconds
    )
    if outcome.code == NOTHING_RUN:
        raise RuntimeError(f"pytest ran none of {tests}:\n{outcome.output}")
    first = re.search(r"^(?:FAILED|ERROR) (\S+)", outcome.output, re.MULTILINE)
    noticed_by = first[1] if first else f"pytest ended with {outcome.code}"
    if outcome.code == 0:
        return Tried(Fate.SURVIVED, outcome.seconds, "")
    if outcome.code == TOO_LONG:
        return Tried(Fate.TIMEOUT, outcome.seconds, "")
    return Tried(Fate.KILLED, outcome.seconds, noticed_by)

"""`make prove P=audit`: every proof that needs no faults, one after another, and a table in the end.

Each is a program of its own that prints a row (rows.py). One that cannot be run counts as a violation.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table

from tests.proofs.audit.rows import Row


class Proof(NamedTuple):
    """A program that proves something."""

    module: str
    usually: tuple[str, ...] = ()
    """What it is told beside `--row`."""
    short: tuple[str, ...] | None = ()
    """What it is told instead when the audit is to be short; None: it is left out then."""


PROGRAMS: Final = (
    Proof("tests.proofs.leaks", usually=("--matches", "3"), short=("--matches", "1", "--no-planted")),
    Proof("tests.proofs.audit.luck", short=("--short",)),
    Proof("tests.proofs.audit.vectors"),
    Proof("tests.proofs.audit.strangers_verifier", short=("--short",)),
    Proof("tests.proofs.audit.golden"),
    Proof("tests.proofs.audit.integrity", short=("--short",)),
    Proof("tests.proofs.revocations.race", usually=("--rounds", "100"), short=("--short",)),
    Proof("tests.proofs.hostile", short=None),
    Proof("tests.proofs.upgrades", short=None),
    Proof("tests.proofs.dependencies"),
)
"""In the order of docs/trust/promises.md."""
MAX_SECONDS: Final = 1_800
"""For each; a machine may be busy."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if nothing was violated."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="a minute instead of ten")
    given = parser.parse_args(arguments)
    told = [(one.module, one.short if given.short else one.usually) for one in PROGRAMS]
    proven = [proved(module, arguments) for module, arguments in told if arguments is not None]
    Console().print(table(proven))
    return 1 if any(row.violations for row, _ in proven) else 0


def proved(module: str, arguments: Sequence[str]) -> tuple[Row, float]:
    """Run a program, passing on what it says on the way; give its row, and how long it took."""
    sys.stderr.write(f"\n== {module}\n")
    began = time.perf_counter()
    command = (sys.executable, "-m", module, *arguments, "--row")
    last = ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        clock = threading.Timer(MAX_SECONDS, process.kill)
        clock.start()
        for line in process.stdout:
            sys.stderr.write(last)
            last = line
        clock.cancel()
    return read_row(module, last, process.returncode), time.perf_counter() - began


def read_row(name: str, last: str, code: int) -> Row:
    """Read the last line of a program; one that contradicts itself has failed."""
    try:
        row = msgspec.json.decode(last, type=Row)
    except msgspec.DecodeError:
        return failed(name, f"ended with {code} and told nothing")
    if (code != 0) != (row.violations > 0):
        return failed(name, f"ended with {code}, yet tells of {row.violations} violations")
    return row


def failed(name: str, what: str) -> Row:
    """Return the row of a program that proved nothing."""
    return Row(proof=name, what=what, count=0, violations=1)


def table(rows: Sequence[tuple[Row, float]]) -> Table:
    """Show all proofs on one screen."""
    shown = Table(title="What was proven")
    for name in ("proof", "what"):
        shown.add_column(name)
    for name in ("count", "violations", "seconds"):
        shown.add_column(name, justify="right")
    for row, seconds in rows:
        style = "bold red" if row.violations else None
        shown.add_row(
            row.proof, row.what, f"{row.count:,}", str(row.violations), f"{seconds:.0f}", style=style
        )
    return shown


if __name__ == "__main__":
    sys.exit(main())

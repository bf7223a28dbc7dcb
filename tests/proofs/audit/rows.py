"""What a program tells of a proof, in one line: the contract between `make prove P=audit` and the programs it runs.

A program called with `--row` prints one JSON object as its last line of standard output,

    {"proof": "luck", "what": "draws below 10 bounds", "count": 10000000, "violations": 0}

and ends with 0 where there are no violations and with 1 otherwise. With `--short` it does less, in seconds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

import msgspec


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One proof, as it came out."""

    proof: str
    """Its section of docs/trust/promises.md, in small letters."""
    what: str
    """What was done, and how much of it."""
    count: int
    violations: int


def program(doc: str | None, prove: Callable[[bool], Row], arguments: Sequence[str] | None = None) -> int:
    """Run a proof as a program: `prove` is told whether to be short; give the exit code."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="seconds instead of minutes")
    parser.add_argument("--row", action="store_true", help="print one JSON object in the end")
    given = parser.parse_args(arguments)
    row = prove(given.short)
    if given.row:
        sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
    return 1 if row.violations else 0


def say(line: str) -> None:
    """Tell how things go, on standard error: standard output is for the row."""
    sys.stderr.write(line + "\n")

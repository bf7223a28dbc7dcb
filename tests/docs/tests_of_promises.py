"""Write the table "Tests that notice" of docs/trust/promises.md from the kept patches: `make docs`."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from tests.docs.written_part import WrittenPart
from tests.proofs.promises.broken_promises import BrokenPromise, every_patch
from tests.support.documents import ROOT

PAGE: Final = ROOT / "docs" / "trust" / "promises.md"
_FIRST_TABLE: Final = "| Promise | Program | Where |"


def promises() -> list[str]:
    """Return the first column of the table that the page begins with."""
    table = PAGE.read_text().partition(_FIRST_TABLE)[2].partition("\n\n")[0]
    return [row.split("|")[1].strip() for row in table.splitlines()[2:]]


def table() -> str:
    """Return the table: each promise, how it is broken, and the test that fails then."""
    order = promises()
    patches = sorted(every_patch(), key=lambda patch: (order.index(patch.promise), patch.name))
    rows = ["| Promise | Mistake | Test that fails |", "|---|---|---|"]
    for promise, of_it in groupby(patches, key=lambda patch: patch.promise):
        rows += [
            f"| {promise if number == 0 else ''} | {patch.fault} | {_linked(patch)} |"
            for number, patch in enumerate(of_it)
        ]
    return "\n".join(rows) + "\n"


def _linked(patch: BrokenPromise) -> str:
    path, _, function = patch.test.partition("::")
    return f"[`{function.partition('[')[0]}`](../../{path})"


PART: Final = WrittenPart(
    PAGE,
    begin="<!-- tests of promises: written by `make docs` -->\n",
    end="<!-- end of tests of promises -->\n",
    today=table,
)

if __name__ == "__main__":
    PART.write(__doc__)

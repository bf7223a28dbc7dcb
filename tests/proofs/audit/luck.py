"""Draws and shuffles in their millions, each with the probability of being as uneven by luck alone."""

from __future__ import annotations

import sys

from tests.proofs.audit.rows import Row, program, say
from tests.proofs.audit.uniformity import LEAST, spreads

DRAWS, FEW = 1_000_000, 20_000


def prove(short: bool) -> Row:
    """Count them."""
    draws = uneven = series = 0
    least = 1.0
    for spread in spreads(FEW if short else DRAWS):
        say(
            f"{spread.what:42} {spread.draws:9,} in {spread.cells:4} cells  p = {spread.p:.4f}{'' if spread.is_even else '  UNEVEN'}"
        )
        draws += spread.draws
        series += 1
        uneven += not spread.is_even
        least = min(least, spread.p)
    what = f"{series} series of draws and shuffles, chi-square: least p = {least:.3f} (uneven below {LEAST})"
    return Row(proof="luck", what=what, count=draws, violations=uneven)


if __name__ == "__main__":
    sys.exit(program(__doc__, prove))

"""`make prove P=backup`: go back to a moment after rows were dropped, and after the data folder was deleted."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import uvloop

from tests.proofs.backup.recovery import Damage, recover

MOVES, MATCHES = 20, 9


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.backup", description=__doc__)
    parser.add_argument("--moves", type=int, default=MOVES, help="in each match, three times (%(default)s)")
    parser.add_argument("--matches", type=int, default=MATCHES, help="how many (%(default)s)")
    given = parser.parse_args()
    wrong = 0
    for damage in Damage:
        with tempfile.TemporaryDirectory(prefix="foldtable-backup-") as folder:
            report = uvloop.run(recover(Path(folder), damage, moves=given.moves, matches=given.matches))
        print(report, flush=True)
        wrong += len(report.wrong)
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()

"""`make prove P=upgrades`: does an update from the release before go through with matches running?

Takes minutes; ends with a line for each step, and exits with 1 if anything went wrong. `--row` prints one line of JSON
after it: {"proof", "what", "count", "violations"}.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from services.embedded_postgres import EmbeddedPostgres
from tests.proofs.upgrades.old_code import Failed, HistoryMissing
from tests.proofs.upgrades.releases import PREVIOUS, RELEASES, Release, release_of
from tests.proofs.upgrades.rolling import Report, Update

EVERY = "every"
"""Of the schemas there were, one after the other."""
OLDER = tuple(one for one in RELEASES if one.revision <= PREVIOUS.revision)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.upgrades", description=__doc__)
    parser.add_argument(
        "--from",
        dest="revision",
        choices=[*(one.revision for one in OLDER), EVERY],
        default=PREVIOUS.revision,
        help="the schema of the release to begin with",
    )
    parser.add_argument("--row", action="store_true", help="print one line of JSON in the end")
    wanted = parser.parse_args()
    releases = OLDER if wanted.revision == EVERY else (release_of(wanted.revision),)
    violations, moves = 0, 0
    for release in releases:
        try:
            found, made = _check(release)
        except (HistoryMissing, Failed) as problem:
            sys.exit(f"not checked: {problem}")
        violations, moves = violations + found, moves + made
    if wanted.row:
        what = f"moves acknowledged before, during and after an update from {wanted.revision} that are in the log and verify"
        row = {"proof": "upgrade", "what": what, "count": moves, "violations": violations}
        sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
    sys.exit(violations > 0)


def _check(release: Release) -> tuple[int, int]:
    """Return how many violations there were, and how many moves."""
    began = time.monotonic()
    _say(f"from {release.revision} ({release.commit[:12]}) to this code")
    with tempfile.TemporaryDirectory() as workplace:
        place = Path(workplace)
        place.chmod(0o755)  # run as root, Postgres becomes another user, who must get here
        with EmbeddedPostgres(place / "postgres") as postgres:
            report: Report = Update(release, place, postgres.url, _say).run()
    for violation in report.violations:
        _say(violation)
    _say(f"{report.moves} moves, {len(report.violations)} violations, {time.monotonic() - began:.0f} s")
    return len(report.violations), report.moves


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

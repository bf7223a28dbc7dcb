"""`make prove P=dependencies`: versions, licences, secrets; with `--advisories` also holes that others know of.

Ends with a line for each check, and exits with 1 if anything was found. `--row` prints one line of JSON after it:
{"proof", "what", "count", "violations"}.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable

from tests.proofs.dependencies import advisories, licences, pins, secrets_in_files


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.dependencies", description=__doc__)
    parser.add_argument(
        "--advisories", action="store_true", help="ask the indexes for known holes; needs a network"
    )
    parser.add_argument("--row", action="store_true", help="print one line of JSON in the end")
    wanted = parser.parse_args()
    pinned, found = _versions_and_licences()
    looked_at, secrets = _secrets()
    found += secrets + _advisories(asked=wanted.advisories)
    for one in found:
        _say(f"  {one}")
    if wanted.row:
        what = f"files without a secret, and {pinned} packages pinned and licensed"
        row = {"proof": "dependencies", "what": what, "count": looked_at, "violations": len(found)}
        _say(json.dumps(row))
    sys.exit(bool(found))


def _versions_and_licences() -> tuple[int, list[str]]:
    loose = pins.problems()
    every = licences.packages()
    foreign = [
        f"{one.name}: {one.expression or 'no licence found'}"
        for one in every
        if not licences.is_allowed(one.expression)
    ]
    _say(f"versions: {len(pins.constraints())} pins for Python, npm by SHA-512; {len(loose)} problems")
    _say("  constraints.txt pins versions, and no hashes: an index that is not trusted is not to be used")
    _say(f"licences: {len(every)} packages, {len(foreign)} not allowed")
    return len(every), loose + foreign


def _secrets() -> tuple[int, list[str]]:
    looks = {
        "the repository": secrets_in_files.in_repository,
        "what an image is built from": secrets_in_files.in_image,
        "everything ever committed": secrets_in_files.in_history,
    }
    total, found = 0, []
    for name, look in looks.items():
        try:
            seen, findings = look()
        except subprocess.CalledProcessError:
            _say(f"secrets in {name}: NOT CHECKED, this is no clone")
            continue
        except secrets_in_files.HistoryCutError:
            _say(f"secrets in {name}: NOT CHECKED, the clone is shallow")
            continue
        _say(f"secrets in {name}: {seen} files, {len(findings)} findings")
        total += seen
        found += [f"{one.place}:{one.line}: {one.kind}" for one in findings]
    return total, found


def _advisories(*, asked: bool) -> list[str]:
    """Holes that are known. Who could not be asked found nothing, and is not said to have found nothing."""
    if not asked:
        _say("advisories: NOT CHECKED, not asked for (--advisories)")
        return []
    answers = advisories.ask()
    _lines(map(str, answers))
    return [hole for answer in answers for hole in answer.holes]


def _lines(lines: Iterable[str]) -> None:
    for line in lines:
        _say(line)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

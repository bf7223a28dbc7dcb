"""`make prove P=promises`: apply each patch of `patches/` to a copy of the sources, and run the test that it names.

Every test has to pass without its patch and fail with it. Prints a line for each; exits with 1 if one is not.
"""

from __future__ import annotations

import argparse
import sys

from tests.proofs.promises.broken_promises import BrokenPromise, applied, every_patch
from tests.proofs.promises.checkout import Outcome, copy_of_the_sources, run_test


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.promises", description=__doc__)
    parser.add_argument("names", nargs="*", help="only the patches whose name begins like this")
    parser.add_argument("--red-only", action="store_true", help="do not run the tests without their patches")
    wanted = parser.parse_args()
    patches = [one for one in every_patch() if not wanted.names or one.name.startswith(tuple(wanted.names))]
    if not patches:
        sys.exit("no patch has such a name")
    sys.exit(not _all_noticed(patches, also_green=not wanted.red_only))


def _all_noticed(patches: list[BrokenPromise], *, also_green: bool) -> bool:
    unnoticed = 0
    seconds = 0.0
    with copy_of_the_sources() as copy:
        for patch in patches:
            before = run_test(patch.test, copy) if also_green else None
            with applied(patch, copy):
                broken = run_test(patch.test, copy)
            seconds += broken.seconds
            unnoticed += _told(patch, before, broken)
    _say(f"{len(patches)} promises broken, {len(patches) - unnoticed} noticed, in {seconds:.0f} s")
    return unnoticed == 0


def _told(patch: BrokenPromise, before: Outcome | None, broken: Outcome) -> bool:
    """Print the result of a patch; return whether its test is wrong: it failed before, or did not notice."""
    if before is not None and not before.is_green:
        _say(f"NOT GREEN BEFORE  {patch.name}: {patch.test}\n{before.output}")
        return True
    if not broken.is_red:
        _say(f"UNNOTICED         {patch.name}: {patch.fault} ({patch.test})\n{broken.output}")
        return True
    _say(f"noticed in {broken.seconds:5.1f} s  {patch.name}: {patch.fault}\n{'':20}{patch.test}")
    return False


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

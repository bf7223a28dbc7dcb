"""Do the compiled modules play the same games? A wheel is compiled and installed, and compared with the sources.

    make prove P=compiled ARGS="--matches 20"

Random matches of every game, variant and number of players must agree in every action, event, state and list of legal
actions; then the engine's own tests, golden logs and transcripts among them, run on the compiled engine.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.proofs.compiled.comparing import ROOT, compile_copy, differences, environment_of, played


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--matches", type=int, default=10, help="of each game, variant and number of players; default: 10"
    )
    parser.add_argument(
        "--no-tests", action="store_true", help="compare matches only, without the engine's tests"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="foldtable-compiled-") as place:
        pure, compiled = Path(place) / "pure", Path(place) / "compiled"
        began = time.monotonic()
        compile_copy(pure, ())
        compile_copy(compiled)
        print(f"compiled in {time.monotonic() - began:.0f} s", flush=True)
        found = differences(played(pure, arguments.matches), played(compiled, arguments.matches))
        print(f"matches that differ: {len(found)}", *found, sep="\n")
        failed = 0
        if not arguments.no_tests:
            command = [sys.executable, "-m", "pytest", "tests/engine", "tests/kit", "-q", "--timeout", "0"]
            command += ["--ignore=tests/engine/research", "--basetemp", f"{place}/tests"]
            failed = subprocess.run(command, cwd=ROOT, env=environment_of(compiled), check=False).returncode
    raise SystemExit(bool(found) or bool(failed))


if __name__ == "__main__":
    main()

"""What the page in gateway/web costs: bytes of its files, a table after the click, a step of the replay's scrubber.

    python tests/bench/bench_web.py --rounds 5

A match of River of Gold with four seats is played against bots, then opened in Chromium, each round in a browser of its own:
first its table, from the lobby, then its replay, in which every version is scrubbed to, forwards and in leaps. Times are those
of the page, with the layout; bytes are those on the wire. Needs node and the packages that `make prepare` installs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.support.deployment import GENEROUS
from tests.support.node import SCRIPTS, run, why_not
from tests.support.running_system import running_system

BUILT: Final = Path(__file__).resolve().parents[2] / "gateway" / "web" / "built"
SECONDS: Final = 600


def compressed(*names: str) -> int:
    """Return the bytes of files of the page, each compressed."""
    return sum(len(gzip.compress((BUILT / name).read_bytes(), 9)) for name in names)


def print_sizes() -> None:
    """Print the bytes of the page's files, compressed, beside their budgets."""
    manifest = json.loads((BUILT / "manifest.json").read_text())
    loaded = [path.name for path in BUILT.iterdir() if path.suffix in {".html", ".js", ".css", ".svg"}]
    print(f"{'bytes, compressed':30} {'':>8} {'budget':>8}")
    print(f"{'shell':30} {compressed(*manifest['shell']):8,} {20_000:8,}")
    for game, name in manifest["games"].items():
        print(f"{game:30} {compressed(name):8,} {12_000:8,}")
    print(f"{'everything':30} {compressed(*loaded):8,} {150_000:8,}")


def print_times(told: dict[str, Any]) -> None:
    """Print the milliseconds and the bytes of a match, beside their budgets."""
    steps, leaps = (
        sorted(one["laidOut"] for one in told["scrubs"] if one["isLeap"] is leap) for leap in (False, True)
    )
    print(f"\n{told['version']} versions, {len(told['tables'])} rounds; milliseconds")
    print(f"{'':30} {'median':>8} {'p95':>8} {'most':>8} {'budget':>12}")
    for name, times, budget in (
        ("table after the click", sorted(told["tables"]), "500"),
        ("whole replay loaded", sorted(told["replays"]), ""),
        ("scrubbing to the next version", steps, "16 (p95)"),
        ("scrubbing 37 versions on", leaps, ""),
    ):
        p95 = times[int(len(times) * 0.95)]
        print(f"{name:30} {statistics.median(times):8.1f} {p95:8.1f} {times[-1]:8.1f} {budget:>12}")
    print(f"{'replay on the wire, bytes':30} {told['bytes']:8,} {'':8} {'':8} {'60,000':>12}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--rounds", type=int, default=5, help="how many browsers, one after the other; default: 5"
    )
    asked = parser.parse_args()
    print_sizes()
    if missing := why_not():
        raise SystemExit(f"times are not measured: {missing}")
    with tempfile.TemporaryDirectory() as folder:
        settings = {"FOLDTABLE_RATE_LIMITS": GENEROUS, "FOLDTABLE_COMPRESSION_SHARE": "1"}
        with running_system(Path(folder) / "home", **settings) as system:
            where = {"GATEWAY": system.address, "KEY": system.key, "TMPDIR": folder, "HOME": folder}
            program = str(SCRIPTS / "web" / "measure.mjs")
            told = json.loads(
                run("node", program, seconds=SECONDS, ROUNDS=str(asked.rounds), **where).splitlines()[-1]
            )
    if "unavailable" in told:
        raise SystemExit(f"times are not measured: {told['unavailable']}")
    print_times(told)


if __name__ == "__main__":
    main()

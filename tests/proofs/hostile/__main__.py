"""Hostile input, the long form: every decoder fuzzed, every door knocked at, a system besieged. `make prove P=hostile`.

`--row` is short and prints one line of JSON at the end, for `make prove P=audit`.
"""

from __future__ import annotations

import argparse
import json
import sys

from tests.proofs.hostile import entry_points as doors
from tests.proofs.hostile import fuzz, load_attack
from tests.proofs.hostile.decoders import decoders
from tests.proofs.hostile.system import faults, log_lengths, standing
from tests.support.scenes import Stage
from tests.support.several_of_each import Several

WHAT = "inputs to decoders, requests to every route and RPC, answers under siege"


def knock(system: Several, rounds: int, seed: int) -> tuple[int, list[str]]:
    """Knock at every route and every RPC; give how often, and what was wrong."""
    logged = log_lengths(system)
    stage = Stage(system)
    try:
        url = system.urls[0]
        knocks = [
            doors.knock_at_routes(stage, url, doors.operations_of(url), rounds, seed),
            doors.knock_at_rpcs(stage, rounds, seed),
        ]
    finally:
        stage.close()
    for name, found in zip(("routes", "RPCs"), knocks, strict=True):
        answers = ", ".join(f"{count}x {told}" for told, count in found.answers.most_common(6))
        seconds, slowest = found.slowest
        print(f"{name:10}{found.sent:8} requests, slowest {seconds:.1f} s ({slowest}): {answers}", flush=True)
    wrong = [one for found in knocks for one in found.violations]
    wrong += [f"logged: {fault}"[:600] for fault in faults(system, logged)]
    return sum(found.sent for found in knocks), wrong


def main() -> int:
    """Return 0 if the system stood."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--row", action="store_true", help="short, and one line of JSON at the end")
    parser.add_argument("--seconds", type=float, default=150, help="of fuzzing (long form); 0: none")
    parser.add_argument("--rounds", type=int, default=30, help="requests for each route and RPC (long form)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    seconds, rounds, scale = (
        (20.0, 2, load_attack.SHORT) if asked.row else (asked.seconds, asked.rounds, load_attack.LONG)
    )
    fuzzed = fuzz.run(seconds, guided=not asked.row) if seconds else []
    with standing(**scale.gateway_settings()) as system:
        knocks, wrong = knock(system, rounds, asked.seed)
        report = load_attack.attack(system, scale)
    print(report, flush=True)
    wrong = [*(one for result in fuzzed for one in result.findings), *wrong, *report.all_violations()]
    count = sum(result.inputs for result in fuzzed) + knocks + report.answers
    for one in wrong:
        print(f"VIOLATION {one}", flush=True)
    print(f"{len(decoders())} decoders, {count} inputs and answers, {len(wrong)} violations", flush=True)
    if asked.row:
        row = {"proof": "hostile input", "what": WHAT, "count": count, "violations": len(wrong)}
        print(json.dumps(row), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Does the siege see what it is for? Gateways with a fault planted in each, and the attack that must find it.

`python -m tests.proofs.hostile.planted`, or with the names of some; each must be told as a violation.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from tests.proofs.hostile import attacks_on_http
from tests.proofs.hostile.attacks_on_http import Attack
from tests.proofs.hostile.load_attack import SHORT
from tests.proofs.hostile.system import standing
from tests.support.processes import Process
from tests.support.several_of_each import Several

SAYS: dict[str, str] = {
    "unbounded_body": "large_bodies: answered",
    "surrogates": "'500'",
    "leaked_stream": "nobody follows anything",
    "endless_patience": "slow_heads: answered {'still open'",
    "uncounted_heads": "floods_of_headers: answered",
    "unbounded_pipeline": "endless_pipelines: answered",
    "honoured_upgrades": "to two requests with",
    "stopped_loop": "a bystander has waited",
}
"""What one of the violations must say; another is chance."""
FOUND_BY: dict[str, Attack] = {
    "unbounded_body": attacks_on_http.large_bodies,
    "surrogates": attacks_on_http.nasty_moves,
    "leaked_stream": attacks_on_http.idle_streams,
    "endless_patience": attacks_on_http.slow_heads,
    "uncounted_heads": attacks_on_http.floods_of_headers,
    "unbounded_pipeline": attacks_on_http.endless_pipelines,
    "honoured_upgrades": attacks_on_http.upgrades,
    "stopped_loop": attacks_on_http.large_bodies,
}


@contextmanager
def with_fault(system: Several, fault: str) -> Iterator[Several]:
    """Yield the system with another gateway."""
    settings = {**system.gateway_settings, "http_listen": "127.0.0.1:0", "planted": fault}
    log = system.folder / f"planted_{fault}.log"
    with Process("tests.proofs.hostile.planted_gateway", log, **settings) as gateway:
        url = gateway.start()
        yield replace(system, gateways=[gateway], urls=[url])


def main() -> int:
    """Return 0 if every fault was found."""
    wanted = sys.argv[1:] or list(FOUND_BY)
    missed = 0
    with standing(**SHORT.gateway_settings()) as system:
        for fault in wanted:
            attack = FOUND_BY[fault]
            with with_fault(system, fault) as faulty:
                told = attack(faulty, SHORT, [attack]).all_violations()
            named = next((one for one in told if SAYS[fault] in one), None)
            missed += named is None
            print(f"{fault:20}{len(told):4} violations; {(named or 'NOT FOUND')[:160]}", flush=True)
    print(f"{len(wanted) - missed} of {len(wanted)} planted faults were found", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

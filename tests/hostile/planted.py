"""Does the siege see what it is for? Gateways with a fault planted in each, and the attack that must find it.

`python -m tests.hostile.planted`, or with the names of some; each must be told as a violation.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from tests.gateway.processes import Process
from tests.hostile import attacks_on_http
from tests.hostile.attacks_on_http import Attack
from tests.hostile.house import standing
from tests.hostile.siege import SHORT, besiege
from tests.support.several_of_each import Several

SAYS: dict[str, str] = {
    "unbounded_body": "large_bodies: answered",
    "surrogates": "'500'",
    "leaked_stream": "nobody follows anything",
    "endless_patience": "slow_heads: answered {'still open'",
    "uncounted_heads": "floods_of_headers: answered",
    "unbounded_pipeline": "endless_pipelines: answered",
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
    "stopped_loop": attacks_on_http.large_bodies,
}


@contextmanager
def with_fault(house: Several, fault: str) -> Iterator[Several]:
    """Give the house with another gateway."""
    settings = {**house.gateway_settings, "http_listen": "127.0.0.1:0", "planted": fault}
    log = house.folder / f"planted_{fault}.log"
    with Process("tests.hostile.planted_gateway", log, **settings) as gateway:
        url = gateway.start()
        yield replace(house, gateways=[gateway], urls=[url])


def main() -> int:
    """Give 0 if every fault was found."""
    wanted = sys.argv[1:] or list(FOUND_BY)
    missed = 0
    with standing(**SHORT.gateway_settings()) as house:
        for fault in wanted:
            attack = FOUND_BY[fault]
            with with_fault(house, fault) as faulty:
                told = besiege(faulty, SHORT, [attack]).all_violations()
            named = next((one for one in told if SAYS[fault] in one), None)
            missed += named is None
            print(f"{fault:20}{len(told):4} violations; {(named or 'NOT FOUND')[:160]}", flush=True)
    print(f"{len(wanted) - missed} of {len(wanted)} planted faults were found", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

"""64 strangers send a megabyte each to RulesService: each is answered or told when to come again, and nothing of it stays."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.proofs.hostile.bystanders import PLAYERS, Bystanders
from tests.proofs.hostile.load_attack import BYSTANDER_SECONDS, GROWTH_BYTES
from tests.proofs.hostile.rules_calls import AT_ONCE, MEGABYTE, fold_and_measure
from tests.proofs.hostile.system import Footprint
from tests.support.several_of_each import Several

pytestmark = pytest.mark.slow

MAX_BYTES = 160 * MEGABYTE
"""What a rules server may hold in addition meanwhile: it has 110 MiB, and 512 in the manifest."""


def test_large_calls_of_the_rules_service_leave_no_trace(attacked: Several) -> None:
    pid = attacked.rules[0].pid
    with Bystanders(attacked.urls[0], attacked.key) as bystanders:
        time.sleep(2)
        asyncio.run(fold_and_measure(attacked.rules_addresses[0], pid, 1))  # whatever is loaded once
        before, _ = Footprint.of(pid).resident_bytes, bystanders.seen()
        told, most = asyncio.run(fold_and_measure(attacked.rules_addresses[0], pid, 2))
        seen = bystanders.seen()
        time.sleep(3)
        after = Footprint.of(pid).resident_bytes
    print(
        f"{dict(told.answers)}; {before // MEGABYTE} MiB before, at most {most // MEGABYTE}, {after // MEGABYTE} after; "
        f"p99 of those who play {seen.quantile(0.99):.3f} s"
    )
    assert told.violations == []
    assert set(told.answers) <= {"OK", "INVALID_ARGUMENT", "RESOURCE_EXHAUSTED"}
    assert told.answers.total() == 2 * AT_ONCE
    assert most - before < MAX_BYTES
    assert after - before < GROWTH_BYTES
    assert not seen.failures
    assert len(seen.seconds) >= PLAYERS
    assert max(seen.quantile(0.99), seen.waiting) < BYSTANDER_SECONDS

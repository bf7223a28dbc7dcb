"""64 whole matches at once by one caller: each is answered 200 or told to come again, and everybody else plays on."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.proofs.hostile.bystanders import PLAYERS, Bystanders
from tests.proofs.hostile.heavy_reads import AT_ONCE, EVERYTHING, WHOLE_REPLAY, ask_for_whole_matches
from tests.proofs.hostile.load_attack import BYSTANDER_SECONDS
from tests.support.several_of_each import Several

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("asked", [(WHOLE_REPLAY,), EVERYTHING], ids=["whole replays", "all kinds"])
def test_one_caller_asks_for_whole_matches(
    attacked: Several, asked: tuple[tuple[str, dict[str, str]]]
) -> None:
    """The figures of those who play are printed, and bounded as in the siege: machines differ."""
    with Bystanders(attacked.urls[0], attacked.key) as bystanders:
        time.sleep(2)
        before = bystanders.seen()
        told = asyncio.run(ask_for_whole_matches(attacked.urls[0], attacked.key, asked, 1))
        seen = bystanders.seen()
    print(
        f"{dict(told.answers)}; p99 {before.quantile(0.99):.3f} s before, {seen.quantile(0.99):.3f} s meanwhile"
    )
    assert told.violations == []
    assert set(told.answers) <= {"200", "429"}
    assert (told.answers.total(), bool(told.answers["200"])) == (AT_ONCE, True)
    assert not seen.failures
    assert len(seen.seconds) >= PLAYERS
    assert max(seen.quantile(0.99), seen.waiting) < BYSTANDER_SECONDS

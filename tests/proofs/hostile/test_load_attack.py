"""Some of the siege, a little of each: whatever is done to it, the system answers in bounds, lets go, and serves the others."""

from __future__ import annotations

import pytest

from tests.proofs.hostile import attacks_on_grpc, attacks_on_http
from tests.proofs.hostile.load_attack import SHORT, attack
from tests.support.several_of_each import Several

pytestmark = pytest.mark.slow

SOME = (
    attacks_on_http.slow_heads,
    attacks_on_http.deaf_readers,
    attacks_on_http.endless_pipelines,
    attacks_on_http.idle_streams,
    attacks_on_http.ambiguous_requests,
    attacks_on_http.upgrades,
    attacks_on_grpc.oversized_messages,
)


def test_a_system_under_attack(attacked: Several) -> None:
    report = attack(attacked, SHORT, SOME)
    print(report)
    assert report.all_violations() == []
    assert report.matches

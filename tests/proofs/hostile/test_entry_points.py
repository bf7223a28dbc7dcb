"""Whatever is asked at any route and any RPC, the answer comes in time, has a stable code, and is no fault of ours."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.proofs.hostile.entry_points import Knocks, knock_at_routes, knock_at_rpcs, operations_of
from tests.proofs.hostile.system import faults, log_lengths
from tests.support.scenes import Stage
from tests.support.several_of_each import Several

pytestmark = pytest.mark.slow

ROUNDS = int(os.environ.get("FOLDTABLE_HOSTILE_ROUNDS", "1"))
SEED = int(os.environ.get("FOLDTABLE_HOSTILE_SEED", "1"))


@pytest.fixture(scope="module")
def stage(attacked: Several) -> Iterator[Stage]:
    made = Stage(attacked)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def nothing_goes_wrong_on_our_side(attacked: Several) -> Iterator[None]:
    """No error and no traceback in any log."""
    before = log_lengths(attacked)
    yield
    assert faults(attacked, before) == []


def must_be_well(knocks: Knocks) -> None:
    print(knocks.sent, dict(knocks.answers), knocks.slowest)
    assert knocks.violations == []
    assert knocks.sent


def test_every_route(attacked: Several, stage: Stage) -> None:
    url = attacked.urls[0]
    must_be_well(knock_at_routes(stage, url, operations_of(url), ROUNDS, SEED))


def test_every_rpc(stage: Stage) -> None:
    must_be_well(knock_at_rpcs(stage, ROUNDS, SEED))

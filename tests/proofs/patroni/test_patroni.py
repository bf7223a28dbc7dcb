"""The run on a cluster in its short form: the leader dies once under matches of all games, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.registry import GAMES
from tests.proofs.faults.notes import Arrived, Made, Struck, of_kind
from tests.proofs.faults.recovery import recoveries
from tests.proofs.patroni.harms import SHORT_FORM
from tests.proofs.patroni.programs import missing_packages
from tests.proofs.patroni.run import arguments, harm_a_cluster

MISSING = missing_packages()


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(bool(MISSING), reason=f"no cluster without the packages {', '.join(MISSING)}")
async def test_the_leader_of_a_cluster_dies_and_no_acknowledged_move_with_it(tmp_path: Path) -> None:
    given = arguments().parse_args(["--short", "--matches", "3"])
    result = await harm_a_cluster(tmp_path, given)
    assert result.violations == [], str(result)

    assert [one.kind for one in of_kind(result.notes, Struck)] == list(SHORT_FORM)
    assert {one.game for one in of_kind(result.notes, Made)} == set(GAMES)
    assert of_kind(result.notes, Arrived), "webhooks came"
    (recovery,) = recoveries(result.notes)
    assert recovery.waited, "moves of every game were acknowledged again"

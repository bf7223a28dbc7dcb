"""The failover run in its short form: the primary dies once under matches of all games, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.registry import GAMES
from tests.proofs.faults.failover import SHORT_FORM, arguments, harm_a_pair
from tests.proofs.faults.notes import Answered, AttemptOutcome, Made, Struck, of_kind
from tests.proofs.faults.recovery import recoveries

pytestmark = pytest.mark.slow


@pytest.mark.timeout(240)
async def test_a_primary_dies_for_good_and_no_acknowledged_move_with_it(tmp_path: Path) -> None:
    given = arguments().parse_args(["--short", "--matches", "3"])
    result = await harm_a_pair(tmp_path, given)
    assert result.violations == [], str(result)

    assert [one.kind for one in of_kind(result.notes, Struck)] == list(SHORT_FORM)
    assert {one.game for one in of_kind(result.notes, Made)} == set(GAMES)
    assert any(one.outcome is AttemptOutcome.ACKNOWLEDGED for one in of_kind(result.notes, Answered))
    (recovery,) = recoveries(result.notes)
    assert recovery.waited, "moves of every game were acknowledged again at every gateway"

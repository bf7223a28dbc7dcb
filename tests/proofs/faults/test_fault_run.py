"""The fault run in its short form: one of each of a handful of harms, all games, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.registry import GAMES
from tests.proofs.faults.faults import SHORT_FORM
from tests.proofs.faults.notes import Answered, Arrived, AttemptOutcome, Broken, Made, Struck, of_kind
from tests.proofs.faults.run import arguments, harm_one_postgres, plan_of

pytestmark = pytest.mark.slow


@pytest.mark.timeout(240)
async def test_nothing_is_lost_and_nothing_is_played_twice_while_everything_is_harmed(tmp_path: Path) -> None:
    plan = plan_of(arguments().parse_args(["--short", "--shared", "--matches", "6"]))
    result = await harm_one_postgres(tmp_path, plan)
    assert result.violations == [], str(result)

    answered = of_kind(result.notes, Answered)
    assert [one.kind for one in of_kind(result.notes, Struck)] == list(SHORT_FORM), "every harm was done"
    assert {one.game for one in of_kind(result.notes, Made)} == set(GAMES)
    assert {one.outcome for one in answered} == {
        AttemptOutcome.ACKNOWLEDGED,
        AttemptOutcome.REFUSED,
        AttemptOutcome.UNKNOWN,
    }
    assert any(one.replayed for one in answered), "somebody was given the first answer again"
    assert of_kind(result.notes, Broken), "streams were cut"
    assert of_kind(result.notes, Arrived), "webhooks came"

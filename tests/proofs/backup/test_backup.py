"""Going back to a moment in its short form: a few matches, rows that were dropped, and the commands of the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proofs.backup.recovery import Damage, recover

pytestmark = pytest.mark.slow


@pytest.mark.timeout(300)
async def test_what_was_played_up_to_the_moment_is_there_and_whoever_saw_more_is_told(tmp_path: Path) -> None:
    report = await recover(tmp_path, Damage.ROWS)
    assert report.wrong == [], str(report)
    assert report.counts["moves after it, which are lost"] > 0
    assert report.counts["webhooks about what is lost"] > 0

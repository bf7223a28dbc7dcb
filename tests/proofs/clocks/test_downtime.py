"""Servers killed, and Postgres stopped, for longer than a clock gives: every match goes on, and nobody is late."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proofs.clocks.downtime import run

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("servers", "harms"), [(2, ("servers killed", "Postgres stopped"))])
def test_no_match_notices_that_nobody_could_move(
    tmp_path: Path, servers: int, harms: tuple[str, ...]
) -> None:
    report = run(tmp_path, clock=10, down=12, servers=(servers,), harms=harms, games=("river_dragons",))
    assert report.wrong == [], str(report)
    assert len(report.rows) == len(harms) + 2

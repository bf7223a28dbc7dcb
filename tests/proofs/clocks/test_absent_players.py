"""Half the players gone, clocks of a moment, two sweepers: every match ends, every time-out is one."""

from __future__ import annotations

from datetime import timedelta

from tests.proofs.clocks.absent_players import run


async def test_every_match_ends_and_every_time_out_is_written_once(database_url: str) -> None:
    report = await run(database_url, 9, timedelta(milliseconds=200), at_once=9)
    assert report.is_good, f"{report}\n{report.differences}"

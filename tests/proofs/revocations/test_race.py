"""A few revocations of tokens that write and read at two servers: `make prove P=revocations` does the same a thousand times."""

from __future__ import annotations

import asyncio

import pytest

from tests.proofs.revocations.race import race, servers

pytestmark = pytest.mark.slow


def test_nothing_is_written_once_a_revocation_was_acknowledged() -> None:
    with servers() as system:
        report = asyncio.run(race(system, 12, 3))
    assert report.violations == 0, str(report)
    assert report.revocations == 12
    assert report.writes >= 3 * 12, "else nobody raced"
    assert {kind: len(waits) for kind, waits in report.reads.items()} == dict.fromkeys(report.reads, 6)
    assert len(report.reads) == 6

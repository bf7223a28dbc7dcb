"""Both logs keep snapshots alike, and take whole matches in alike."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any
from uuid import UUID, uuid4

import pytest

from services.movelog.log import MoveLog
from services.movelog.records import Append, Match, SeatRecord, SeatState, Status
from services.movelog.snapshots import Snapshot, state_hash
from tests.support.match_documents import a_match


async def test_the_newest_of_the_versions_asked_for_is_found_with_its_row(
    log: MoveLog, match: Match, moves: Callable[[Match, int], list[Append]]
) -> None:
    rows = moves(match, 4)
    for row in rows:
        await log.append(row)

    def one(version: int, rules: str = "1") -> Snapshot:
        return Snapshot(
            match_id=match.id, version=version, rules_version=rules, state=b"{}", state_hash=bytes([version])
        )

    for snapshot in (one(1), one(3), one(4, "2")):
        await log.snapshots.put(snapshot)
    assert await log.snapshots.nearest(match.id, "1", (2, 1)) == (one(1), rows[0].move.hash)
    assert await log.snapshots.nearest(match.id, "1", (4, 3, 2, 1)) == (one(3), rows[2].move.hash)
    assert await log.snapshots.nearest(match.id, "1", (2,)) is None
    assert await log.snapshots.nearest(match.id, "1", (4, 2, 1)) == (one(1), rows[0].move.hash)
    await log.snapshots.put(one(3, "2"))
    assert await log.snapshots.nearest(match.id, "1", (4, 3, 2, 1)) == (one(1), rows[0].move.hash)
    assert match.id in await log.snapshots.long_matches(4)
    assert match.id not in await log.snapshots.long_matches(5)
    assert await log.snapshots.delete(uuid4()) == 0
    assert await log.snapshots.delete(match.id) == 3


async def test_a_match_is_taken_in_whole_or_not_at_all(log: MoveLog) -> None:
    match, rows = a_match(moves=5, match_id=uuid4())
    seats = tuple(SeatRecord(seat=seat, state=SeatState.TAKEN, name="Ada") for seat in range(match.seats))
    assert await log.import_match(match, seats, rows)
    assert await log.find(match.id) == match
    assert tuple(await log.read(match.id)) == rows
    assert [row.name for row in (await log.lobby.seating(match.id)).seats] == ["Ada", "Ada"]
    other, other_rows = a_match(moves=7, seed=2, match_id=match.id)
    assert not await log.import_match(other, seats, other_rows)
    assert tuple(await log.read(match.id)) == rows


async def test_only_an_ended_match_with_all_its_rows_is_taken_in(log: MoveLog) -> None:
    match, rows = a_match(moves=5, match_id=uuid4())
    seats = tuple(SeatRecord(seat=seat) for seat in range(match.seats))
    running, running_rows = a_match(moves=5, match_id=uuid4(), resign=False)
    assert running.status is Status.RUNNING
    for wrong in ((match, seats, rows[:-1]), (match, seats[:1], rows), (running, seats, running_rows)):
        with pytest.raises(ValueError, match=r"match|seat"):
            await log.import_match(*wrong)


def test_the_hash_of_a_snapshot_covers_all_there_is_of_it() -> None:
    """Otherwise a snapshot of another release's shape would be folded on as if it were of this one's."""
    snapshot: dict[str, Any] = {
        "match_id": UUID(int=1),
        "version": 3,
        "row_hash": bytes(32),
        "rules_version": "1.0.0",
        "shape": b"shape",
        "state": b"{}",
    }
    others: dict[str, Any] = {
        "match_id": UUID(int=2),
        "version": 4,
        "row_hash": bytes([1]) * 32,
        "rules_version": "1.0.1",
        "shape": b"shapes",
        "state": b"[]",
    }
    assert snapshot.keys() == others.keys() == signature(state_hash).parameters.keys() - {"secret"}
    hashes = {
        state_hash(b"secret", **snapshot),
        state_hash(b"another", **snapshot),
        *(state_hash(b"secret", **{**snapshot, name: other}) for name, other in others.items()),
        state_hash(b"secret", **{**snapshot, "shape": b"shape{", "state": b"}"}),
        state_hash(b"secret", **{**snapshot, "rules_version": "1.0.0s", "shape": b"hape"}),
    }
    assert len(hashes) == 10

"""What may be hidden is in no row's repr: reprs end up in logs and tracebacks."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from services.movelog.records import Append, Move, Status
from tests.support.new_matches import new_match

NOW = datetime.now(UTC)
ID = UUID("019a0000-0000-7000-8000-000000000001")


def test_neither_a_secret_nor_a_program_shows() -> None:
    match = new_match(id=ID, secret=b"hush" * 8)
    move = Move(
        match_id=ID,
        seq=2,
        seat=0,
        request_id="r",
        request=b"hush",
        events=b"hush",
        previous_hash=b"",
        hash=b"",
        recorded_at=NOW,
    )
    append = Append(move=move, status=Status.RUNNING, to_act=(1,))
    assert "hush" not in repr((match, move, append))

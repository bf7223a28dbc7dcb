"""A simulated match as the log would store it: a file that `replay` and `verify` read like any other export.

Everything in it follows from the seed, ids and times included, so the same simulation writes the same bytes.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from msgspec.structs import replace

from engine.kernel.chance import commitment
from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.outcome import Outcome
from engine.match.playout import Step
from engine.match.requests import start_request
from services.movelog.chain import genesis_hash, row_hash
from services.movelog.export.format import whole_move, write_document
from services.movelog.records import Match, Move, Status

BEGAN: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""When every simulated match was created; each move takes a second. No clock is read."""


class SimulatedLog:
    """The rows of one match, linked as the log links them."""

    def __init__(self, game: AnyGame, options: Any, seats: int, secret: bytes) -> None:
        self._options = options
        self._match = Match(
            id=simulated_id(secret),
            tenant="",
            game=game.id,
            rules_version=game.rules_version,
            seats=seats,
            options=encode(options),
            secret=secret,
            commitment=commitment(secret),
            created_at=BEGAN,
            updated_at=BEGAN,
        )
        self._rows: list[Move] = []

    def append(self, step: Step) -> None:
        """Add a move."""
        match = self._match
        seq = len(self._rows) + 1
        previous = self._rows[-1].hash if self._rows else genesis_hash(match)
        content: dict[str, Any] = {
            "match_id": match.id,
            "seq": seq,
            "seat": step.seat,
            "request_id": f"simulated-{seq}",
            "request": start_request(self._options, match.seats)
            if step.seat is None
            else encode(step.action),
            "events": encode(step.events),
            "recorded_at": BEGAN + timedelta(seconds=seq),
        }
        self._rows.append(
            Move(previous_hash=previous, hash=row_hash(match.secret, previous, **content), **content)
        )

    def document(self, outcome: Outcome) -> bytes:
        """Return the whole match as one export."""
        ended = replace(
            self._match,
            status=Status.ENDED,
            version=len(self._rows),
            outcome=encode(outcome),
            updated_at=self._rows[-1].recorded_at,
        )
        return write_document(ended, [whole_move(row) for row in self._rows])


def simulated_id(secret: bytes) -> UUID:
    """Return a match id that follows from the match's luck: UUID version 8, for custom ids (RFC 9562)."""
    value = int.from_bytes(hashlib.sha256(b"foldtable simulate id" + secret).digest()[:16], "big")
    value = value & ~(0xF << 76) | 0x8 << 76
    value = value & ~(0b11 << 62) | 0b10 << 62
    return UUID(int=value)

"""The hash chain over a match.

Each row's hash is HMAC-SHA-256, keyed with the match secret, over the hash before it and all
columns of the row. It is keyed because an unkeyed hash of a hidden value could be guessed by trying all
values; once the secret is revealed at the end, anybody can check the whole chain. The first row follows
the genesis hash, which covers what was fixed when the match was created.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec

from services.movelog.records import Match, Move

GENESIS_DOMAIN: Final = b"foldtable.genesis.v1"
ROW_DOMAIN: Final = b"foldtable.row.v1"
PLAYERS_DOMAIN: Final = b"foldtable.players.v1"
COMMITTED_DOMAIN: Final = b"foldtable.players.v2"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
NO_SEAT: Final = 0xFFFFFFFF


def microseconds(moment: datetime) -> int:
    """Return the microseconds since 1970-01-01 UTC, exactly."""
    return (moment - _EPOCH) // _MICROSECOND


def sized(part: bytes) -> bytes:
    """Return bytes after their length, so that two of them in a row can be told apart."""
    return len(part).to_bytes(8, "big") + part


def genesis_hash(match: Match) -> bytes:
    """Return the hash that the first row follows."""
    message = (
        GENESIS_DOMAIN
        + match.known_as.bytes
        + sized(match.game.encode())
        + sized(match.rules_version.encode())
        + match.seats.to_bytes(4, "big")
        + sized(match.options)
        + sized(match.commitment)
        + microseconds(match.created_at).to_bytes(8, "big")
    )
    return hmac.digest(match.secret, message, "sha256")


def row_hash(
    secret: bytes,
    previous_hash: bytes,
    *,
    match_id: UUID,
    seq: int,
    seat: int | None,
    request_id: str,
    request: bytes,
    events: bytes,
    recorded_at: datetime,
) -> bytes:
    """Return the hash of one row, over every column with its length."""
    message = (
        ROW_DOMAIN
        + previous_hash
        + match_id.bytes
        + seq.to_bytes(8, "big")
        + (NO_SEAT if seat is None else seat).to_bytes(4, "big")
        + microseconds(recorded_at).to_bytes(8, "big")
        + sized(request_id.encode())
        + sized(request)
        + sized(events)
    )
    return hmac.digest(secret, message, "sha256")


class BrokenRow(msgspec.Struct, frozen=True, kw_only=True):
    """The first row that breaks the chain."""

    seq: int
    """Its position, counted from 1."""
    what: str
    """What is wrong, as text."""
    column: str
    """`seq`, `previous_hash` or `hash`."""
    expected: str
    found: str


def first_break(match: Match, moves: Iterable[Move]) -> BrokenRow | None:
    """Return the first row that breaks the chain, or None."""
    previous = genesis_hash(match)
    for expected_seq, move in enumerate(moves, start=1):
        if move.seq != expected_seq:
            return BrokenRow(
                seq=expected_seq,
                what=f"row {expected_seq} is missing; row {move.seq} stands in its place",
                column="seq",
                expected=str(expected_seq),
                found=str(move.seq),
            )
        if move.previous_hash != previous:
            what = "its previous_hash is not the hash of the row before"
            return _wrong_hash(move.seq, what, "previous_hash", previous, move.previous_hash)
        previous = row_hash(
            match.secret,
            previous,
            match_id=match.known_as,
            seq=move.seq,
            seat=move.seat,
            request_id=move.request_id,
            request=move.request,
            events=move.events,
            recorded_at=move.recorded_at,
        )
        if move.hash != previous:
            return _wrong_hash(move.seq, "its content does not give its hash", "hash", previous, move.hash)
    return None


def _wrong_hash(seq: int, what: str, column: str, expected: bytes, found: bytes) -> BrokenRow:
    return BrokenRow(
        seq=seq, what=what, column=column, expected=f'"{expected.hex()}"', found=f'"{found.hex()}"'
    )


def players_hash(secret: bytes, match_id: UUID, players: bytes) -> bytes:
    """Return the hash over the players (canonical JSON), which no row of the chain covers."""
    return hmac.digest(secret, PLAYERS_DOMAIN + match_id.bytes + sized(players), "sha256")


def committed_players_hash(secret: bytes, match_id: UUID, commitments: bytes) -> bytes:
    """Return the hash over the commitments to the players (canonical JSON), which stays when a player is erased (identities.py)."""
    return hmac.digest(secret, COMMITTED_DOMAIN + match_id.bytes + sized(commitments), "sha256")

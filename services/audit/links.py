"""Checks the chain of a match: which rows are altered, missing or misplaced, and in which column.

A hash proves that a row was altered. The column is known if its original value follows from something else: then the
row with that value has the stored hash.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from engine.kernel.chance import commitment
from engine.kernel.errors import Unreadable
from engine.match.forking import Fork
from engine.match.requests import StartMatch, read_request
from engine.registry import GAMES, GameUnusable, game, versions
from services.audit.findings import Finding, shown
from services.movelog.chain import genesis_hash, row_hash
from services.movelog.records import Match, Move, Status


def broken_links(match: Match, moves: Sequence[Move]) -> Iterator[Finding]:
    """Yield every row that breaks the chain, and the altered columns of the match itself."""
    yield from _numbers(match, moves)
    promised = commitment(match.secret) == match.commitment
    if not moves:
        if not promised:
            yield _of(
                match, "matches", None, "secret or commitment", "the secret does not match its commitment"
            )
        return
    if not promised and not any(_hash_of(match, move) == move.hash for move in moves):
        yield _of(match, "matches", None, "secret", "does not match its commitment")
        return  # no hash can be computed without it
    if moves[0].seq == 1:
        yield from _beginning(match, moves[0])
    for before, move in pairwise(moves):
        if move.seq == before.seq + 1 and move.previous_hash != before.hash:
            yield from _parted(match, before, move)
    for place, move in enumerate(moves):
        if _hash_of(match, move) != move.hash and not _was_named(match, moves, place):
            yield _altered(match, move)


def _numbers(match: Match, moves: Sequence[Move]) -> Iterator[Finding]:
    """Check the rows' numbers: they count from 1 to the match's version."""
    last = 0
    for move in moves:
        if move.seq != last + 1:
            gone = f"row {last + 1}" if move.seq == last + 2 else f"rows {last + 1} to {move.seq - 1}"
            yield _of(match, "moves", last + 1, "seq", f"{gone} missing", last + 1, move.seq)
        last = move.seq
    if match.version > last and last and moves[-1].recorded_at == match.updated_at:
        yield _of(match, "matches", None, "version", "there are fewer rows", last, match.version)
    elif match.version > last:
        what = f"the match has {match.version} moves and the log ends at {last}: the last rows are missing"
        yield _of(match, "moves", last + 1, "seq", what)
    elif match.version < last:
        yield _of(match, "matches", None, "version", "there are more rows", last, match.version)


def _beginning(match: Match, first: Move) -> Iterator[Finding]:
    """Check the hash before the first row, which covers what was fixed when the match was created."""
    if _beginning_of(match) == first.previous_hash:
        return
    for column, should in _might_have_been(match, first):
        if _beginning_of(replace(match, **{column: should})) == first.previous_hash:
            found = getattr(match, column)
            yield _of(match, "matches", None, column, "was altered", shown(should), shown(found))
            return
    if _hash_of(match, first) == first.hash:
        what = "the first row follows another genesis hash"
        yield _of(match, "matches", None, "created_at or id or game or rules_version", what)
    else:
        made, found = _beginning_of(match).hex(), first.previous_hash.hex()
        yield _of(match, "moves", 1, "previous_hash", "is not the hash of the match's beginning", made, found)


def _might_have_been(match: Match, first: Move) -> Iterator[tuple[str, Any]]:
    """Yield the possible original values of the match's columns, as far as they follow from something else."""
    yield "commitment", commitment(match.secret)
    for game_id in GAMES:
        yield "game", game_id
    try:
        yield from (("rules_version", one.version) for one in versions(match.game))
        request = read_request(game(match.game), first.request)
    except (KeyError, GameUnusable, Unreadable):
        return
    if isinstance(request, StartMatch | Fork):
        yield "seats", request.seats
        yield "options", bytes(request.options)


def _parted(match: Match, before: Move, move: Move) -> Iterator[Finding]:
    """Find out which is wrong: the hash of a row, or the next row's `previous_hash`."""
    made = _hash_of(match, before)
    if made == move.previous_hash:
        yield _of(match, "moves", before.seq, "hash", "was altered", made.hex(), before.hash.hex())
    else:
        what = "is not the hash of the row before"
        yield _of(
            match, "moves", move.seq, "previous_hash", what, before.hash.hex(), move.previous_hash.hex()
        )


def _was_named(match: Match, moves: Sequence[Move], place: int) -> bool:
    """Return whether the row's hash or its link to the previous row is wrong: both have been reported already."""
    move = moves[place]
    if place + 1 < len(moves) and moves[place + 1].previous_hash == _hash_of(match, move):
        return True
    before = moves[place - 1].hash if place else _beginning_of(match)
    return _hash_of(match, replace(move, previous_hash=before)) == move.hash


def _altered(match: Match, move: Move) -> Finding:
    """Return the finding; it names the column if another value in it has the stored hash."""
    for seat in (None, *range(match.seats)):
        if _hash_of(match, replace(move, seat=seat)) == move.hash:
            return _of(
                match, "moves", move.seq, "seat", "was altered", shown(seat) or "NULL", shown(move.seat)
            )
    if (
        move.seq == match.version
        and _hash_of(match, replace(move, recorded_at=match.updated_at)) == move.hash
    ):
        should = match.updated_at.isoformat()
        return _of(
            match, "moves", move.seq, "recorded_at", "was altered", should, move.recorded_at.isoformat()
        )
    column = "request or events or request_id or recorded_at or hash"
    return _of(match, "moves", move.seq, column, "the row is not what was hashed")


def _hash_of(match: Match, move: Move) -> bytes:
    """Return the hash that a row should have; empty if a column is out of range."""
    try:
        return row_hash(
            match.secret,
            move.previous_hash,
            match_id=match.known_as,
            seq=move.seq,
            seat=move.seat,
            request_id=move.request_id,
            request=move.request,
            events=move.events,
            recorded_at=move.recorded_at,
        )
    except OverflowError:
        return b""


def _beginning_of(match: Match) -> bytes:
    try:
        return genesis_hash(match)
    except OverflowError:
        return b""


def _of(
    match: Match,
    table: str,
    seq: int | None,
    column: str,
    what: str,
    expected: object = "",
    found: object = "",
) -> Finding:
    """Return a finding, without hashes if the match has not ended, since they depend on hidden values."""
    hidden = match.status is not Status.ENDED and column in {"hash", "previous_hash"}
    return Finding(
        table=table,
        match_id=match.id,
        seq=seq,
        column=column,
        what=what,
        expected="" if hidden else str(expected),
        found="" if hidden else str(found),
    )

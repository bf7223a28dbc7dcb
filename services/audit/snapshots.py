"""Checks snapshots of states against the fold."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from engine.kernel.game import AnyGame
from services.audit.findings import Finding
from services.audit.replayed import Replayed
from services.movelog.records import Match, Move
from services.movelog.snapshots import Snapshot, state_hash
from services.rules.match.snapshots import shape_of

_MEND = "`foldtable snapshots rebuild` makes it again"


def altered_snapshots(
    game: AnyGame, match: Match, moves: Sequence[Move], kept: Sequence[Snapshot], result: Replayed
) -> Iterator[Finding]:
    """Yield every snapshot that does not follow from its row, without its content."""
    hashes: Mapping[int, bytes] = {move.seq: move.hash for move in moves}
    for snapshot in kept:
        if snapshot.version not in hashes:
            yield _of(snapshot, "version", "there is no such move")
        elif snapshot.rules_version != match.rules_version:
            yield _of(
                snapshot, "rules_version", "the match has others", match.rules_version, snapshot.rules_version
            )
        elif (of := _version_of(game, match, snapshot, hashes)) not in {None, snapshot.version}:
            yield _of(
                snapshot, "version", "is not the row that it was made after", str(of), str(snapshot.version)
            )
        elif snapshot.version not in result.states:
            yield _of(snapshot, "version", "no snapshot is made after that row")
        elif snapshot.state != result.states[snapshot.version]:
            yield _of(snapshot, "state", f"is not what the moves lead to; {_MEND}")
        elif of is None:
            yield _of(snapshot, "state_hash", f"is not the state's, or of another release; {_MEND}")


def _version_of(game: AnyGame, match: Match, snapshot: Snapshot, hashes: Mapping[int, bytes]) -> int | None:
    """Return the version of the row that a snapshot was made after, by its hash; None if it is of none."""
    for version in (snapshot.version, *hashes):
        made = _hash(game, match, replace(snapshot, version=version), hashes)
        if hmac.compare_digest(snapshot.state_hash, made):
            return version
    return None


def _hash(game: AnyGame, match: Match, snapshot: Snapshot, hashes: Mapping[int, bytes]) -> bytes:
    return state_hash(
        match.secret,
        match_id=match.id,
        version=snapshot.version,
        row_hash=hashes[snapshot.version],
        rules_version=game.rules_version,
        shape=shape_of(game),
        state=snapshot.state,
    )


def _of(snapshot: Snapshot, column: str, what: str, expected: str = "", found: str = "") -> Finding:
    return Finding(
        table="snapshots",
        match_id=snapshot.match_id,
        seq=snapshot.version,
        column=column,
        what=what,
        expected=expected,
        found=found,
    )

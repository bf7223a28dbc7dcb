"""Auditing a stretch of matches: the chain, the rules, and everything stored beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

import msgspec
import psycopg

from engine.kernel.game import AnyGame
from engine.registry import GameUnusable
from engine.registry import game as registered_game
from services.audit import reading
from services.audit.clocks import altered_clocks
from services.audit.findings import Finding, Tally
from services.audit.links import broken_links
from services.audit.reading import Around, Cursor, Stretch, Wanted
from services.audit.replayed import replayed
from services.audit.seats import altered_seats
from services.audit.snapshots import altered_snapshots
from services.audit.standing import altered_standing
from services.movelog.match_ids import imported_id
from services.movelog.records import Match, Move, Status


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of matches to be audited by one process."""

    wanted: Wanted
    stretch: Stretch


def audit_stretch(piece: Piece) -> Tally:
    """Audit the matches of a stretch, and find rows without a match there. Raise psycopg.OperationalError."""
    tally = Tally()
    with reading.at_one_moment(piece.wanted) as connection:
        for match in reading.matches(connection, piece.wanted, piece.stretch):
            if isinstance(match, reading.Unread):
                tally.add(_unreadable(match.id, match.problem))
                continue
            for finding in _read_and_audited(connection, match, tally):
                tally.add(finding)
        if piece.wanted.is_all:
            for finding in _orphans(connection, piece.stretch):
                tally.add(finding)
    return tally


def _read_and_audited(connection: reading.Cursor, match: Match, tally: Tally) -> Iterator[Finding]:
    try:
        moves = reading.moves(connection, match.id)
        beside = reading.around(connection, match)
    except reading.CannotRead as problem:
        tally.matches += 1
        what = "cannot be read: the time is outside of the calendar"
        for row in problem.rows:
            yield Finding(table=problem.table, match_id=match.id, seq=row, column=problem.column, what=what)
        return
    _count(tally, moves, beside)
    try:
        yield from audit_match(match, moves, beside, tally)
    except Exception as problem:  # noqa: BLE001 - the rows of one match must not end the audit of the others
        yield _of(match.id, "matches", "id", f"its audit was cut short: {type(problem).__name__}")


def audit_match(match: Match, moves: Sequence[Move], beside: Around, tally: Tally) -> Iterator[Finding]:
    """Yield the findings of one match."""
    yield from altered_seats(match, beside.seats)
    yield from _beside(match, beside)
    broken = list(broken_links(match, moves))
    yield from broken
    if broken:
        return  # consequences of altered rows would only repeat the same finding, at wrong places
    try:
        game = registered_game(match.game, match.rules_version)
    except (KeyError, GameUnusable) as unknown:  # its row is unaltered: the hashes include the game
        tally.undecided[str(unknown.args[0])] += 1
        return
    yield from _by_the_rules(game, match, moves, beside, tally)


def _by_the_rules(
    game: AnyGame, match: Match, moves: Sequence[Move], beside: Around, tally: Tally
) -> Iterator[Finding]:
    wanted = frozenset(one.version for one in beside.snapshots)
    try:
        result = replayed(game, match, moves, wanted, beside.downtimes)
    except Exception as problem:  # noqa: BLE001 - an error of the rules on forged rows must not end the audit
        yield _of(
            match.id, "moves", "events", f"the rules cannot decide these rows: {type(problem).__name__}"
        )
        return
    tally.draws += len(result.draws)
    yield from altered_standing(game, match, moves, result)
    if result.difference is None:
        yield from altered_clocks(match, beside.clocks, result)
        yield from altered_snapshots(game, match, moves, beside.snapshots, result)


def _beside(match: Match, beside: Around) -> Iterator[Finding]:
    """Check the tenant, and the match this one is a rematch of."""
    if not beside.known_tenant:
        yield _of(match.id, "matches", "tenant", f"there is no tenant {match.tenant}")
    if match.original_id is not None and imported_id(match.tenant, match.original_id) != match.id:
        yield _of(
            match.id, "matches", "original_id", "is not the id that the match's id here is derived from"
        )
    if match.rematch_of is None:
        return
    if beside.rematch_of is None:
        yield _of(match.id, "matches", "rematch_of", f"there is no match {match.rematch_of}")
    elif beside.rematch_of != (match.tenant, match.game, Status.ENDED):
        what = f"{match.rematch_of} is no ended match of the same game and tenant"
        yield _of(match.id, "matches", "rematch_of", what)


def _orphans(connection: Cursor, stretch: Stretch) -> Iterator[Finding]:
    for table in reading.OF_MATCHES:
        for match_id, rows in reading.without_a_match(connection, stretch, table):
            yield _of(match_id, table, "match_id", f"{rows} rows, and no such match")


def _count(tally: Tally, moves: Sequence[Move], beside: Around) -> None:
    tally.matches += 1
    tally.rows["matches"] += 1
    tally.rows["moves"] += len(moves)
    tally.rows["seats"] += len(beside.seats)
    tally.rows["clocks"] += len(beside.clocks)
    tally.rows["snapshots"] += len(beside.snapshots)


def _unreadable(match_id: UUID, problem: Exception) -> Finding:
    """Return the finding of an unreadable row, without its content."""
    columns = "status or visibility or start or undo_rule or clock or forked_from or paused_by"
    if isinstance(problem, psycopg.DataError):
        columns = "created_at or updated_at"
    return _of(match_id, "matches", columns, f"cannot be read: {type(problem).__name__}")


def _of(match_id: UUID, table: str, column: str, what: str) -> Finding:
    return Finding(table=table, match_id=match_id, column=column, what=what)

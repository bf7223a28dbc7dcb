"""Auditing a stretch of matches: the chain, the rules, and everything stored beside them."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

import psycopg

from engine.kernel.game import AnyGame
from engine.registry import GameUnusable
from engine.registry import game as registered_game
from services.audit import reading
from services.audit.clocks import altered_clocks
from services.audit.findings import Finding, Tally
from services.audit.links import broken_links
from services.audit.outbox import Outbox
from services.audit.pieces import Piece
from services.audit.reading import Around, Cursor, NoDatabase, Stored, Stretch
from services.audit.replayed import Replayed, replayed
from services.audit.seats import altered_seats
from services.audit.snapshots import altered_snapshots
from services.audit.standing import altered_standing
from services.movelog.match_ids import imported_id
from services.movelog.records import Match, Move, Status


def audit_piece(piece: Piece) -> Tally:
    """Audit matches with their events, and find rows without a match there. Raises NoDatabase.

    Its errors hold nothing of the database's address: a cluster logs them.
    """
    try:
        with _without_collecting(), reading.at_one_moment(piece.wanted) as connection:
            return _audited(connection, piece)
    except psycopg.Error as problem:
        raise NoDatabase(
            f"the database does not answer: {problem.sqlstate or type(problem).__name__}"
        ) from None


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Look for no cycles meanwhile: there are none among states and rows, and looking takes a tenth of an audit."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _audited(connection: Cursor, piece: Piece) -> Tally:
    tally = Tally()
    matches = reading.matches(connection, piece.wanted, piece.stretch)
    if piece.stretch.matches and not matches:
        raise reading.another_database(piece.stretch)
    readable = [one for one in matches if isinstance(one, Match)]
    stored = reading.stored(connection, readable)
    outbox = Outbox(connection, piece.events, piece.spans)
    tally.rows["events"] += outbox.rows
    for match in matches:
        if isinstance(match, reading.Unread):
            tally.add(_unreadable(match.id, match.problem))
            outbox.leave_out(match.id)
            continue
        for finding in _of_match(match, stored, outbox, tally):
            tally.add(finding)
    for finding in outbox.of_others(connection):
        tally.add(finding)
    if piece.wanted.is_all:
        for finding in _orphans(connection, piece.stretch):
            tally.add(finding)
    return tally


def _of_match(match: Match, stored: Stored, outbox: Outbox, tally: Tally) -> Iterator[Finding]:
    if (problem := stored.unreadable.get(match.id)) is not None:
        tally.matches += 1
        outbox.leave_out(match.id)
        what = "cannot be read: the time is outside of the calendar"
        for row in problem.rows:
            yield Finding(table=problem.table, match_id=match.id, seq=row, column=problem.column, what=what)
        return
    moves, beside = stored.moves.pop(match.id), stored.around.pop(match.id)  # each is needed once
    _count(tally, moves, beside)
    result: Replayed | None = None
    try:
        result = yield from audit_match(match, moves, beside, tally)
    except Exception as problem:  # noqa: BLE001 - the rows of one match must not end the audit of the others
        yield _of(match.id, "matches", "id", f"its audit was cut short: {type(problem).__name__}")
    yield from outbox.altered(match, moves, result)


def audit_match(
    match: Match, moves: Sequence[Move], beside: Around, tally: Tally
) -> Generator[Finding, None, Replayed | None]:
    """Yield the findings of one match; return its replay, if its rows could be decided again."""
    yield from altered_seats(match, beside.seats)
    yield from _beside(match, beside)
    broken = list(broken_links(match, moves))
    yield from broken
    if broken:
        return None  # consequences of altered rows would only repeat the same finding, at wrong places
    try:
        game = registered_game(match.game, match.rules_version)
    except (KeyError, GameUnusable) as unknown:  # its row is unaltered: the hashes include the game
        tally.undecided[str(unknown.args[0])] += 1
        return None
    return (yield from _by_the_rules(game, match, moves, beside, tally))


def _by_the_rules(
    game: AnyGame, match: Match, moves: Sequence[Move], beside: Around, tally: Tally
) -> Generator[Finding, None, Replayed | None]:
    wanted = frozenset(one.version for one in beside.snapshots)
    try:
        result = replayed(game, match, moves, wanted, beside.downtimes)
    except Exception as problem:  # noqa: BLE001 - an error of the rules on forged rows must not end the audit
        yield _of(
            match.id, "moves", "events", f"the rules cannot decide these rows: {type(problem).__name__}"
        )
        return None
    tally.draws += len(result.draws)
    yield from altered_standing(game, match, moves, result)
    if result.difference is None:
        yield from altered_clocks(match, beside.clocks, result)
        yield from altered_snapshots(game, match, moves, beside.snapshots, result)
    return result


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

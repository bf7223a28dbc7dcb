"""A match as one document, and its verification."""

from __future__ import annotations

from msgspec.structs import replace

from engine.kernel.codec import encode
from engine.kernel.house import read_events, redact
from engine.kernel.seats import Audience
from services.movelog.export_format import redacted_move, whole_move, write_document
from services.movelog.records import Match, Move, Status
from services.movelog.verification import Verification, verify_match
from services.rules.messages import visible_request
from services.rules.tables import Table, Tables


async def export(tables: Tables, table: Table, audience: Audience) -> bytes:
    """Give the whole match once it has ended; before, only what the audience may know."""
    match, rows = await _rows(tables, table)
    if match.status is Status.ENDED:
        return write_document(match, [whole_move(row) for row in rows])
    game = table.game
    moves = []
    for row in rows:
        events = tuple([redact(game, event, audience) for event in read_events(game, row.events)])
        moves.append(redacted_move(row, request=visible_request(row, audience), events=encode(events)))
    return write_document(match, moves, audience=audience)


async def verify(tables: Tables, table: Table) -> Verification:
    """Check everything the log holds of a match, read anew."""
    return verify_match(*await _rows(tables, table))


async def _rows(tables: Tables, table: Table) -> tuple[Match, list[Move]]:
    """Read the match and its rows; rows written after the match was read stay out."""
    match = await tables.log.find(table.match.id)
    rows = await tables.log.read(match.id, limit=match.version) if match.version else []
    return replace(match, version=len(rows)), rows

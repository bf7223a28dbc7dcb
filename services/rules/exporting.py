"""A match as one document, and its verification."""

from __future__ import annotations

import asyncio
import hmac
from typing import Final

from msgspec.structs import replace

from engine.kernel.chance import Draw, draw_message
from engine.kernel.codec import encode
from engine.kernel.house import read_events, redact
from engine.kernel.seats import Audience
from foldtable.matches.v1 import history_pb2
from services.movelog.export_format import redacted_move, whole_move, write_document
from services.movelog.records import Match, Move, Status
from services.movelog.verification import Verification, verify_match
from services.rpc.refusals import malformed
from services.rules.messages import visible_request
from services.rules.page_tokens import page_token, read_page_token
from services.rules.tables import Table, Tables
from services.thread_work import in_thread

MAX_PAGE: Final = 1_000
VERIFIED_AT_ONCE: Final = 2
"""In one process; the rows of no more than so many matches are held for it."""


async def export(tables: Tables, table: Table, audience: Audience) -> bytes:
    """Give the whole match once it has ended; before, only what the audience may know."""
    match, rows = await _rows(tables, table)
    if match.status is Status.ENDED:
        claims = (await tables.log.lobby.seating(match.id)).claims
        return write_document(match, [whole_move(row) for row in rows], claims=claims)
    game = table.game
    moves = []
    for row in rows:
        events = tuple([redact(game, event, audience) for event in read_events(game, row.events)])
        moves.append(redacted_move(row, request=visible_request(row, audience), events=encode(events)))
    return write_document(match, moves, audience=audience)


class Verifier:
    """Checks matches, a few at a time: deciding again is long work, and moves go first."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._turns = asyncio.Semaphore(VERIFIED_AT_ONCE)

    async def verify(self, table: Table) -> Verification:
        """Check everything the log holds of a match, read anew once it is its turn."""
        async with self._turns:
            match, rows = await _rows(self._tables, table)
            return await in_thread(verify_match, match, rows)


async def _rows(tables: Tables, table: Table) -> tuple[Match, list[Move]]:
    """Read the match and its rows; rows written after the match was read stay out."""
    match = await tables.log.find(table.match.id)
    rows = await tables.log.read(match.id, limit=match.version) if match.version else []
    return replace(match, version=len(rows)), rows


def listed_draws(
    match: Match, found: Verification, size: int, token: str
) -> tuple[list[history_pb2.VerifiedDraw], str]:
    """Give a page of the draws that were made again, each with what it was made from, and the token of the next."""
    if size < 0:
        raise malformed("$.draws_page_size", "must not be negative")
    question = ("draws", str(match.id))
    after = read_page_token(token, question) if token else 0
    if not size:
        return [], ""
    page = found.draws[after : after + min(size, MAX_PAGE)]
    reached = after + len(page)
    more = page_token(reached, question) if reached < len(found.draws) else ""
    return [_draw_message(match.secret, draw) for draw in page], more


def _draw_message(secret: bytes, draw: Draw) -> history_pb2.VerifiedDraw:
    message = draw_message(draw.move, draw.number)
    return history_pb2.VerifiedDraw(
        move=draw.move,
        number=draw.number,
        bound=str(draw.bound),
        value=str(draw.value),
        message=message,
        digest=hmac.digest(secret, message, "sha256"),
    )

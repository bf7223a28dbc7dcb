"""A match as one document, and its verification."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from typing import Final
from uuid import UUID

from msgspec.structs import replace

from engine.kernel.chance import Draw, draw_message
from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.seats import Audience
from engine.match.commands import read_events, redact
from foldtable.matches.v1 import history_pb2
from services.movelog.export.format import MatchDocument, redacted_move, whole_move, write_document
from services.movelog.export.signature import ExportSigner
from services.movelog.export.verification import Verification, verify_match
from services.movelog.identities import SeatIdentities
from services.movelog.records import Match, Move, SeatClaim, Status
from services.process.thread_work import in_thread
from services.rpc.refusals import malformed
from services.rules.history.importing import was_imported
from services.rules.marks import about, of_match
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.wire.messages import visible_request
from services.rules.wire.page_tokens import page_token, read_page_token

MAX_PAGE: Final = 1_000
VERIFIED_AT_ONCE: Final = 2
"""Per process: the rows of at most so many matches are held at once."""


Sign = Callable[[MatchDocument, bytes], str]
"""Signs a written document and returns the signature (movelog/export/signature.py)."""


async def export(
    cache: MatchCache, loaded: LoadedMatch, audience: Audience, signer: ExportSigner | None = None
) -> bytes:
    """Return the whole match once it has ended; before, only what the audience may know. `signer` signs either.

    The caller need not hold the match's lock.
    """
    match, rows = await _rows(cache, loaded)
    sign = signer.sign if signer is not None and signing_key_id(match, signer) else None
    if match.status is Status.ENDED:
        claims, identities = await _players(cache, match.id)
        return await in_thread(_whole, match, rows, claims, identities, sign)
    with about(of_match(match.id)):
        return await in_thread(_redacted, loaded.game, match, rows, audience, sign)


async def _players(
    cache: MatchCache, match_id: UUID
) -> tuple[tuple[SeatClaim, ...], tuple[SeatIdentities, ...]]:
    """Return the players and how the export commits to them, both as they were at one moment: one may be erased meanwhile."""
    before = None
    while (identities := await cache.log.players.identities(match_id)) != before:
        before = identities
        claims = (await cache.log.lobby.seating(match_id)).claims
    return claims, identities


def _whole(
    match: Match,
    rows: list[Move],
    claims: tuple[SeatClaim, ...],
    identities: tuple[SeatIdentities, ...],
    sign: Sign | None,
) -> bytes:
    return write_document(
        match, [whole_move(row) for row in rows], claims=claims, identities=identities, sign=sign
    )


def _redacted(game: AnyGame, match: Match, rows: list[Move], audience: Audience, sign: Sign | None) -> bytes:
    moves = []
    for row in rows:
        events = tuple([redact(game, event, audience) for event in read_events(game, row.events)])
        moves.append(redacted_move(row, request=visible_request(row, audience), events=encode(events)))
    return write_document(match, moves, audience=audience, sign=sign)


def signing_key_id(match: Match, signer: ExportSigner | None) -> str:
    """Return the id of the key that signs exports of a match; empty if they are not signed.

    An imported match is not signed: it was only checked against itself, and was not played here.
    """
    return "" if signer is None or was_imported(match) else signer.key_id


class Verifier:
    """Verifies matches, a few at a time: deciding every move again takes long, and moves have priority."""

    def __init__(self, cache: MatchCache) -> None:
        self._cache = cache
        self._turns = asyncio.Semaphore(VERIFIED_AT_ONCE)

    async def verify(self, loaded: LoadedMatch) -> Verification:
        """Check everything the log holds of a match; its rows are read when its turn comes."""
        async with self._turns:
            match, rows = await _rows(self._cache, loaded)
            with about(of_match(match.id)):
                return await in_thread(verify_match, match, rows)


async def _rows(cache: MatchCache, loaded: LoadedMatch) -> tuple[Match, list[Move]]:
    """Read the match and its rows, without rows written after the match was read."""
    match = await cache.log.find(loaded.match.id)
    rows = await cache.log.read(match.id, limit=match.version) if match.version else []
    return replace(match, version=len(rows)), rows


def listed_draws(
    match: Match, found: Verification, size: int, token: str
) -> tuple[list[history_pb2.VerifiedDraw], str]:
    """Return a page of the recomputed draws, each with its inputs, and the token of the next page."""
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

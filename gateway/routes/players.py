"""What is kept of a player: a tenant exports it, and erases it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import ExitStack, aclosing
from typing import Annotated, Final

import structlog
from fastapi import APIRouter, Body, Query
from starlette.requests import ClientDisconnect
from starlette.responses import Response, StreamingResponse

from foldtable.matches.v1.forgetting_pb2 import ErasePlayerRequest, ExportPlayerRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts, Rules, RulesCalls, TenantCaller
from gateway.headers import NO_STORE
from gateway.http.answers import json_answer
from gateway.openapi.operation import Operation, answer, problems
from gateway.openapi.parameters import reference
from gateway.problems.document import ProblemError
from gateway.schemas import sessions
from gateway.translate import session_messages

NDJSON: Final = "application/x-ndjson"
PAGE: Final = 500
"""Records that are read at a time."""
_log: Final = structlog.get_logger("gateway.exports")

router = APIRouter(tags=["accounts"], route_class=Operation)


@router.post(
    "/v1/players/erase",
    operation_id="erasePlayer",
    summary="Erase a player",
    responses={200: answer("What was erased.", sessions.ErasedPlayer), **problems(403)},
    dependencies=[counted_for(Bucket.LOBBY)],
)
async def erase_player(
    _caller: TenantCaller,
    rules: Rules,
    body: Annotated[
        sessions.ErasePlayerRequest, Body(openapi_examples={"of_a_player": {"value": {"player": "ada"}}})
    ],
) -> Response:
    """Erase everything that is kept of a player: sessions and login codes, vacations, and the id, the name and the data at every seat and
    in every stored event. Tenants only.

    Moves and hashes stay, and every match still verifies: exports say `erased` in place of the player. A seat of a match that waits is
    free again; one of a running match stays without a player, for whom you can issue a token, put another player or a bot there, or resign.
    A request does a bounded amount of work: repeat it until it is `done`. A repeat does no harm. Titles, references, metadata and
    request ids are the platform's own texts, and stay.
    """
    asked = ErasePlayerRequest(player=body.player)
    done = await rules.write_anywhere(lambda matches: matches.ErasePlayer, asked)
    return json_answer(session_messages.erased_player(done))


@router.get(
    "/v1/players/export",
    operation_id="exportPlayer",
    summary="Export what is kept of a player",
    responses={
        200: answer(
            "A line (PlayerRecord) for everything that is kept.",
            content={
                NDJSON: {
                    "type": "string",
                    "description": "A PlayerRecord in each line; no line at all if nothing is kept.",
                    "contentMediaType": NDJSON,
                    "contentSchema": reference(sessions.PlayerRecord),
                }
            },
        ),
        **problems(403),
    },
    dependencies=[counted_for(Bucket.READS)],
)
async def export_player(
    caller: TenantCaller,
    rules: Rules,
    gateway: GatewayParts,
    query: Annotated[sessions.PlayerExportQuery, Query()],
) -> Response:
    """Return everything that is kept of a player, a record in each line. Tenants only.

    Moves are in the export of each match that a record names. If the response is cut off, it ends without its last chunk; then
    export again. It counts as one event stream.
    """
    with ExitStack() as held:
        held.enter_context(gateway.slots.taken(caller))
        lines = _lines(rules, query.player)
        first = await anext(lines, b"")  # until it is there, a refusal is answered as a problem
        rest = _rest(first, lines, held.pop_all())
    return StreamingResponse(rest, headers=dict(NO_STORE), media_type=NDJSON)


async def _lines(rules: RulesCalls, player: str) -> AsyncGenerator[bytes]:
    """Yield the records, a page of lines at a time. Raises ProblemError if the servers stay away, or the credential ends."""
    asked = ExportPlayerRequest(player=player, page_size=PAGE)
    while True:
        page = await rules.write_anywhere(lambda matches: matches.ExportPlayer, asked)
        if page.records:
            yield b"\n".join([*page.records, b""])
        if not page.next_page_token:
            return
        asked.page_token = page.next_page_token


async def _rest(first: bytes, lines: AsyncGenerator[bytes], held: ExitStack) -> AsyncIterator[bytes]:
    """Yield all lines, and release what is held. If they cannot be read on, the response is cut off."""
    with held:
        async with aclosing(lines):
            if first:
                yield first
            try:
                async for some in lines:
                    yield some
            except ProblemError as problem:
                _log.warning("export cut off", reason=problem.reason.name)
                raise ClientDisconnect from None  # as if the client had gone: there is nobody to whom a problem could be answered

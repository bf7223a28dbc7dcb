"""What is kept of a player: a tenant exports it, and erases it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import ExitStack
from typing import Annotated, Final

from fastapi import APIRouter, Body, Query
from starlette.responses import Response

from foldtable.matches.v1.forgetting_pb2 import ErasePlayerRequest, ExportPlayerRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts, Rules, RulesCalls, TenantCaller
from gateway.http.answers import json_answer
from gateway.http.ndjson import NDJSON, streamed
from gateway.openapi.operation import Operation, answer, problems
from gateway.openapi.parameters import reference
from gateway.schemas import sessions
from gateway.translate import session_messages

PAGE: Final = 500
"""Records that are read at a time."""

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
        return await streamed(_lines(rules, query.player), held)


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

"""Exporting many matches: NDJSON with a line for each match of a list."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Query
from starlette.responses import Response, StreamingResponse

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.match_service_pb2 import ExportMatchRequest
from foldtable.platform.v1.directory_pb2 import (
    MATCH_ORDER_OLDEST_FIRST,
    MATCH_ORDER_UNSPECIFIED,
    ListMatchesRequest,
    ListMatchesResponse,
)
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import AccountCaller, GatewayParts, Platform, PlatformCalls, RequestTrace
from gateway.headers import NO_STORE
from gateway.openapi.operation import Operation, answer, problems
from gateway.openapi.parameters import reference
from gateway.problems.document import ProblemError
from gateway.routes.match_list import listing_of
from gateway.schemas.lobby import ExportedMatch, ExportProblem, MatchesExportQuery
from gateway.translate import messages
from gateway.upstream.rules import RulesServers, call

NDJSON: Final = "application/x-ndjson"
PAGE: Final = 100
"""Matches that are listed at a time."""
TRY_SECONDS: Final = 20.0
"""How long one match is tried again whose server is busy or away."""
PAUSE_SECONDS: Final = 0.5
HTTP_UNAUTHORIZED: Final = 401
_TRANSIENT: Final = frozenset({429, 503, 504})
_encode: Final = msgspec.json.Encoder().encode

router = APIRouter(tags=["exports"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/v1/matches/export",
    operation_id="exportMatches",
    summary="Export many matches",
    responses={
        200: answer(
            "A line (ExportedMatch) for each match, as each is ready.",
            content={
                NDJSON: {
                    "type": "string",
                    "description": "An ExportedMatch in each line.",
                    "contentMediaType": NDJSON,
                    "contentSchema": reference(ExportedMatch),
                }
            },
        ),
        **problems(403),
    },
)
async def export_matches(
    caller: AccountCaller,
    platform: Platform,
    gateway: GatewayParts,
    trace: RequestTrace,
    query: Annotated[MatchesExportQuery, Query()],
) -> Response:
    """Return every match of a list, a line for each: its whole export, or with `what=results` its match document.

    The filters are those of the list. The oldest match comes first, unless `order` or `updated_since` say otherwise. Each line has
    a `page_token`: an export with the same parameters and that token continues after the line. It does so if the response was cut
    off, which then ends without its last chunk, and likewise days later, for the matches that were created since.

    A match that cannot be exported has a line with a `problem`, and the export goes on. It counts as one event stream.
    """
    listing = listing_of(query)
    if listing.order == MATCH_ORDER_UNSPECIFIED and query.updated_since is None:
        listing.order = MATCH_ORDER_OLDEST_FIRST
    listing.page_size, listing.page_token, listing.with_page_tokens = PAGE, query.page_token, True
    with ExitStack() as held:
        held.enter_context(gateway.slots.taken(caller))
        held.enter_context(gateway.heavy.taken(caller, if_heavy=query.what == "moves"))
        page = await platform.read(platform.accounts.ListMatches, listing)
        export = _Export(
            gateway.servers,
            platform,
            metadata=trace.metadata(caller.authorization),
            seconds=gateway.settings.heavy_read_deadline_seconds,
        )
        lines = export.lines(listing, page, held.pop_all(), is_whole=query.what == "moves")
    return StreamingResponse(lines, headers=dict(NO_STORE), media_type=NDJSON)


class _Export:
    """Reads the matches of one export."""

    def __init__(
        self,
        servers: RulesServers,
        platform: PlatformCalls,
        *,
        metadata: tuple[tuple[str, str], ...],
        seconds: float,
    ) -> None:
        """`seconds` is the deadline of one match."""
        self._servers = servers
        self._platform = platform
        self._metadata = metadata
        self._seconds = seconds

    async def lines(
        self, listing: ListMatchesRequest, page: ListMatchesResponse, held: ExitStack, *, is_whole: bool
    ) -> AsyncIterator[bytes]:
        """Yield the lines from a first page on, and release what is held. Raises ProblemError if the list or the credential
        ends.
        """
        with held:
            while True:
                for match, token in zip(page.matches, page.page_tokens, strict=True):
                    line = await self._whole(match, token) if is_whole else _result(match, token)
                    yield _encode(line) + b"\n"
                if not page.next_page_token:
                    return
                listing.page_token = page.next_page_token
                page = await self._platform.read(self._platform.accounts.ListMatches, listing)

    async def _whole(self, match: match_pb2.Match, token: str) -> ExportedMatch:
        """Return the line with a match's export. A server that is busy or away is asked again for a while."""
        end = time.monotonic() + TRY_SECONDS
        while True:
            try:
                document = await self._document(match)
            except ProblemError as problem:
                if problem.status == HTTP_UNAUTHORIZED:  # the credential is no longer valid, for no match
                    raise
                if problem.status not in _TRANSIENT or time.monotonic() > end:
                    said = ExportProblem(reason=problem.reason.name, detail=problem.detail)
                    return ExportedMatch(match_id=match.match_id, page_token=token, problem=said)
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                return ExportedMatch(match_id=match.match_id, page_token=token, export=msgspec.Raw(document))

    async def _document(self, match: match_pb2.Match) -> bytes:
        found = await call(
            self._servers.of_game(match.game).matches.ExportMatch,
            ExportMatchRequest(match_id=match.match_id),
            seconds=self._seconds,
            metadata=self._metadata,
            in_query=True,
        )
        return found.document


def _result(match: match_pb2.Match, token: str) -> ExportedMatch:
    return ExportedMatch(match_id=match.match_id, page_token=token, match=messages.match(match))

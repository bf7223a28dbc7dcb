"""Exporting many matches: NDJSON with a line for each match of a list."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from typing import Annotated, Final, TypeVar

import msgspec
from fastapi import APIRouter, Query
from starlette.responses import Response

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.match_service_pb2 import ExportMatchRequest
from foldtable.platform.v1.directory_pb2 import (
    MATCH_ORDER_LEAST_RECENTLY_UPDATED_FIRST,
    MATCH_ORDER_UNSPECIFIED,
    ListMatchesRequest,
    ListMatchesResponse,
)
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import AccountCaller, GatewayParts, Platform, PlatformCalls, RequestTrace
from gateway.http.ndjson import NDJSON, streamed
from gateway.openapi.operation import Operation, answer, problems
from gateway.openapi.parameters import reference
from gateway.problems.document import ProblemError
from gateway.routes.match_list import listing_of
from gateway.schemas.lobby import ExportedMatch, ExportProblem, MatchesExportQuery
from gateway.translate import messages
from gateway.upstream.rules import RulesServer, RulesServers, call

PAGE: Final = 100
"""Matches that are listed at a time."""
TRY_SECONDS: Final = 20.0
"""How long a read is tried again whose server is busy or away."""
PAUSE_SECONDS: Final = 0.5
HTTP_UNAUTHORIZED: Final = 401
Read = TypeVar("Read")
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

    The filters are those of the list; without `order` the match comes first that was not updated for longest. Each line has a
    `page_token`: an export with the same parameters and that token continues after the line, if the response was cut off, which
    then ends without its last chunk. Days later, in that order, it has the matches that were updated since; matches of the last
    minutes before the line may come again, so that none is missed.

    A match that cannot be exported has a line with a `problem`, and the export goes on; if its server is away, the response is cut
    off. It counts as one event stream.
    """
    listing = listing_of(query)
    if listing.order == MATCH_ORDER_UNSPECIFIED:
        listing.order = MATCH_ORDER_LEAST_RECENTLY_UPDATED_FIRST
    listing.page_size, listing.page_token, listing.with_page_tokens = PAGE, query.page_token, True
    export = _Export(
        gateway.servers,
        platform,
        listing,
        is_whole=query.what == "moves",
        metadata=trace.metadata(caller.authorization),
        seconds=gateway.settings.heavy_read_deadline_seconds,
    )
    with ExitStack() as held:
        held.enter_context(gateway.slots.taken(caller))
        held.enter_context(gateway.heavy.taken(caller, if_heavy=query.what == "moves"))
        return await streamed(export.lines(), held)


class _Export:
    """Reads the matches of one export."""

    def __init__(
        self,
        servers: RulesServers,
        platform: PlatformCalls,
        listing: ListMatchesRequest,
        *,
        is_whole: bool,
        metadata: tuple[tuple[str, str], ...],
        seconds: float,
    ) -> None:
        """`listing` asks for the first page; `is_whole`: with moves; `seconds` is the deadline of one match."""
        self._servers = servers
        self._platform = platform
        self._listing = listing
        self._is_whole = is_whole
        self._metadata = metadata
        self._seconds = seconds
        self._has_begun = False
        """Whether a line was sent. Until then trouble is answered at once, and the client tries again."""

    async def lines(self) -> AsyncGenerator[bytes]:
        """Yield the lines. Raises ProblemError if a server or the platform service stays away, or the credential ends."""
        while True:
            page = await self._tried(self._page)
            for match, token in zip(page.matches, page.page_tokens, strict=True):
                yield _encode(await self._line(match, token)) + b"\n"
                self._has_begun = True
            if not page.next_page_token:
                return
            self._listing.page_token = page.next_page_token

    async def _page(self) -> ListMatchesResponse:
        return await self._platform.read(self._platform.accounts.ListMatches, self._listing)

    async def _line(self, match: match_pb2.Match, token: str) -> ExportedMatch:
        if not self._is_whole:
            return ExportedMatch(match_id=match.match_id, page_token=token, match=messages.match(match))
        try:
            server = self._servers.of_game(
                match.game
            )  # a game that was taken out of service has none, now and later
        except ProblemError as problem:
            return _without(match, token, problem)
        try:
            document = await self._tried(partial(self._document, server, match))
        except ProblemError as problem:
            if problem.status in _TRANSIENT or problem.status == HTTP_UNAUTHORIZED:
                raise  # the client continues at this match
            return _without(match, token, problem)
        return ExportedMatch(match_id=match.match_id, page_token=token, export=msgspec.Raw(document))

    async def _tried(self, read: Callable[[], Awaitable[Read]]) -> Read:
        """Return what a call reads; one whose server is busy or away is made again for a while. Raises ProblemError."""
        end = time.monotonic() + TRY_SECONDS
        while True:
            try:
                return await read()
            except ProblemError as problem:
                if problem.status not in _TRANSIENT or time.monotonic() > end or not self._has_begun:
                    raise
            await asyncio.sleep(PAUSE_SECONDS)

    async def _document(self, server: RulesServer, match: match_pb2.Match) -> bytes:
        found = await call(
            server.matches.ExportMatch,
            ExportMatchRequest(match_id=match.match_id),
            seconds=self._seconds,
            metadata=self._metadata,
            in_query=True,
        )
        return found.document


def _without(match: match_pb2.Match, token: str, problem: ProblemError) -> ExportedMatch:
    said = ExportProblem(reason=problem.reason.name, detail=problem.detail)
    return ExportedMatch(match_id=match.match_id, page_token=token, problem=said)

"""The list of matches, of all games."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from foldtable.platform.v1.directory_pb2 import ListMatchesRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import AccountCaller, GatewayParts, Platform
from gateway.http.answers import json_answer
from gateway.http.moments import timestamp
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas.lobby import MatchesQuery, MatchFilters, MatchList
from gateway.translate import lobby_messages, messages

router = APIRouter(tags=["matches"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/v1/matches",
    operation_id="listMatches",
    summary="List matches",
    responses={200: answer("A page of matches.", MatchList), **problems(403)},
)
async def list_matches(
    caller: AccountCaller, platform: Platform, gateway: GatewayParts, query: Annotated[MatchesQuery, Query()]
) -> Response:
    """List the tenant's matches, filtered, ordered, and page by page. The list is always up to date with the matches.

    With an API key and without a filter it contains all matches of the tenant, the private ones too. Get the next page with
    `next_page_token` and the same parameters.

    With a session it contains the matches of its own player; with `visibility=public` and without `player` and `waiting_for`,
    the tenant's public matches that are not over. With an API key or a session.
    """
    asked = listing_of(query)
    asked.page_size, asked.page_token = query.page_size, query.page_token
    page = await platform.read(platform.accounts.ListMatches, asked)
    for match in page.matches:
        gateway.directory.remember(caller, match)
    return json_answer(lobby_messages.match_list(page))


def listing_of(query: MatchFilters) -> ListMatchesRequest:
    """Return the request for a list, without its page."""
    asked = ListMatchesRequest(
        game=query.game or "",
        player=query.player or "",
        waiting_for=query.waiting_for or "",
        open_seats=query.open_seats,
        reference=query.reference or "",
        metadata=(query.metadata or "").encode(),
        order=lobby_messages.ORDERS[query.order],
    )
    if query.status is not None:
        asked.statuses.append(lobby_messages.STATUSES[query.status])
    if query.visibility == "any":
        asked.visibilities.extend(messages.VISIBILITIES)
    elif query.visibility is not None:
        asked.visibilities.append(lobby_messages.VISIBILITIES[query.visibility])
    if query.updated_since is not None:
        asked.updated_since.CopyFrom(timestamp(query.updated_since, parameter="updated_since"))
    return asked

"""The match directory: which matches there are, of any game."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from foldtable.platform.v1.directory_pb2 import ListMatchesRequest
from gateway import lobby_messages, messages
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.json_answers import json_answer
from gateway.moments import timestamp
from gateway.platform_client import call_platform
from gateway.problem_documents import ProblemError
from gateway.queries import read_query
from gateway.schemas.lobby import MatchesQuery, MatchList


async def list_matches(request: Request) -> Response:
    """List the tenant's matches, a page at a time, filtered and in order; never behind the matches themselves.

    Without a filter these are the public ones. Pages follow each other by `next_page_token`, with the same parameters.
    Tenants only.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    if caller.claims is not None:
        raise ProblemError("TENANT_ONLY")
    query = read_query(request, MatchesQuery)
    page = await call_platform(
        gateway.platform.stub.ListMatches,
        _asked(query),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    for match in page.matches:
        gateway.directory.remember(match)
    return json_answer(
        MatchList(
            matches=[messages.match(match) for match in page.matches], next_page_token=page.next_page_token
        )
    )


def _asked(query: MatchesQuery) -> ListMatchesRequest:
    asked = ListMatchesRequest(
        game=query.game or "",
        player=query.player or "",
        waiting_for=query.waiting_for or "",
        open_seats=query.open_seats,
        order=lobby_messages.ORDERS[query.order],
        page_size=query.page_size,
        page_token=query.page_token,
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


ROUTES: Final = (
    documented(
        "GET",
        "/v1/matches",
        list_matches,
        operation_id="listMatches",
        summary="List matches",
        tag="matches",
        query=MatchesQuery,
        answers={200: Answer(description="A page of matches.", shape=MatchList)},
        problems=(400, 403),
    ),
)

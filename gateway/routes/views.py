"""Looking at the table and at what may be done. Both are hot paths."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.match_service_pb2 import GetLegalActionsRequest, GetViewRequest
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway import clock_messages, messages
from gateway.audiences import audience
from gateway.clients import call
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.etags import etag, known_versions
from gateway.json_answers import json_answer
from gateway.queries import match_id, read_query
from gateway.schemas.answers import LegalActionsAnswer, ViewAnswer
from gateway.schemas.requests import LegalActionsQuery, ViewQuery


async def get_view(request: Request) -> Response:
    """Give what an audience sees of the table, now or after any earlier move.

    The entity tag is the version, so `If-None-Match` answers 304 without the table being drawn at all.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, ViewQuery)
    known = known_versions(request)
    wanted = GetViewRequest(
        match_id=match,
        audience=audience(caller, query.audience, query.seat),
        at_version=query.at,
        unless_version=max(known) if known and query.at is None else None,
        form=PAYLOAD_FORM_JSON,
    )
    server = await gateway.directory.server_of(match, caller, trace)
    response = await call(
        server.matches.GetView,
        wanted,
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    trace.version = version = response.version
    headers = {"etag": etag(version), "cache-control": "private, no-cache", "vary": "authorization"}
    if known is None or version in known:
        return Response(status_code=304, headers=headers)
    answer = ViewAnswer(
        match_id=match,
        version=version,
        audience=messages.audience(response.audience),
        view=messages.raw(response.view),
        proposal=messages.proposal(response.proposal) if response.HasField("proposal") else None,
        clocks=clock_messages.clocks(response.clocks) if response.HasField("clocks") else None,
    )
    return json_answer(answer, headers=headers)


async def get_legal_actions(request: Request) -> Response:
    """Give everything a seat may do now.

    Each of `actions` and `samples` can be posted back as it is, with the answer's `version` as `expected_version`.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, LegalActionsQuery)
    server = await gateway.directory.server_of(match, caller, trace)
    response = await call(
        server.matches.GetLegalActions,
        GetLegalActionsRequest(
            match_id=match, seat=query.seat, form=PAYLOAD_FORM_JSON, samples=query.samples
        ),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    trace.version = response.version
    answer = LegalActionsAnswer(
        match_id=match,
        version=response.version,
        seat=response.seat,
        pending=messages.pending(response.pending) if response.HasField("pending") else None,
        actions=messages.raw_list(response.actions),
        templates=messages.raw_list(response.templates),
        samples=messages.raw_list(response.samples),
        clocks=clock_messages.clocks(response.clocks) if response.HasField("clocks") else None,
    )
    return json_answer(answer)


GET_VIEW: Final = documented(
    "GET",
    "/v1/matches/{match_id}/view",
    get_view,
    operation_id="getView",
    summary="Look at the table",
    tag="views",
    query=ViewQuery,
    headers={"If-None-Match": 'The version the reader has, such as `"v:12"`.'},
    answers={
        200: Answer(
            description="What the audience sees.", shape=ViewAnswer, headers={"ETag": "The version it shows."}
        ),
        304: Answer(description="The reader has it already.", headers={"ETag": "The version."}),
    },
    problems=(400, 403, 404, 409),
)
GET_LEGAL_ACTIONS: Final = documented(
    "GET",
    "/v1/matches/{match_id}/legal-actions",
    get_legal_actions,
    operation_id="getLegalActions",
    summary="What a seat may do",
    tag="views",
    query=LegalActionsQuery,
    answers={200: Answer(description="Everything the seat may do now.", shape=LegalActionsAnswer)},
    problems=(400, 403, 404, 409),
)
